package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/rag"
	"passage/rag/evaluate"
)

// column is the text of one column of the figures, without the intervals.
func column(t *testing.T, page *html.Node, label string) []string {
	t.Helper()
	table := all(page, "table", "figures")[0]
	at := slices.Index(texts(all(all(table, "thead")[0], "th")), label)
	require.GreaterOrEqual(t, at, 0, "column %q", label)
	var found []string
	for _, row := range all(all(table, "tbody")[0], "tr") {
		if at == 0 {
			found = append(found, words(all(all(row, "th")[0], "a")[0]))
			continue
		}
		found = append(found, words(all(all(row, "td")[at-1], "span", "value")[0]))
	}
	return found
}

// T77: a sweep page shows each setting with its tokens and confidence intervals.
func TestT77ASweepIsShownInPicturesAndFiguresWithIntervals(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	run := l.evaluated(t, s, 24, "default", "Sweep")
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation/runs/1")
	require.Equal(t, "parent_section cap=2048 is best: found 1.00 on 48 questions, with 458 tokens for each.", words(one(t, page, "p", "headline")))

	figures := all(page, "svg", "plot")
	require.Len(t, figures, 3, "one of all, one for each document type")
	require.Equal(t, []string{"All documents", "Design document", "Runbook"}, texts(all(byID(t, page, "pictures").Parent, "h3")))
	legend := func(svg *html.Node) []string { return texts(all(svg, "text", "plot-legend")) }
	require.Equal(t, []string{"each type’s own", "sentence_window", "parent_section"}, legend(figures[0]))
	require.Contains(t, texts(all(figures[0], "text", "plot-point")), "k=3")
	require.NotEmpty(t, all(figures[0], "line", "plot-bar"), "error bars")
	require.Len(t, all(figures[1], "circle", "plot-ring"), 1, "the advised setting is ringed")
	ids := map[string]bool{}
	for _, svg := range figures {
		for id := range strings.FieldsSeq(attr(svg, "aria-labelledby")) {
			require.False(t, ids[id], "ids are unique")
			ids[id] = true
			byID(t, page, id)
		}
	}

	settings := column(t, page, "Setting")
	require.Len(t, settings, len(run.Plan.Settings))
	require.Equal(t, []string{"each type’s own", "sentence_window k=0", "sentence_window k=1"}, settings[:3])
	found, tokens := column(t, page, "found"), column(t, page, "tokens")
	for i, r := range run.Results {
		require.Equal(t, fmt.Sprintf("%.2f", r.Total[evaluate.Found].Mean), found[i])
		require.NotEmpty(t, tokens[i])
	}
	cell := all(all(all(page, "table", "figures")[0], "tbody")[0], "td")[0]
	e := run.Results[0].Total[evaluate.Found]
	require.Equal(t, fmt.Sprintf("%.2f %.2f–%.2f", e.Mean, e.Low, e.High), words(cell))
}

func TestFiguresAreSortedByTheirHeadings(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	l.evaluated(t, s, 24, "default", "")
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation/runs/1")
	follow := func(label string) string {
		for _, th := range all(all(page, "table", "figures")[0], "th") {
			if words(th) == label {
				var r reply
				r, page = s.open(t, c, attr(all(th, "a")[0], "href"))
				require.Equal(t, http.StatusOK, r.StatusCode)
				break
			}
		}
		for _, th := range all(all(page, "table", "figures")[0], "th") {
			if words(th) == label {
				return attr(th, "aria-sort")
			}
		}
		return ""
	}
	numbers := func(label string) []float64 {
		var all []float64
		for _, v := range column(t, page, label) {
			n, err := strconv.ParseFloat(strings.ReplaceAll(v, ",", ""), 64)
			require.NoError(t, err)
			all = append(all, n)
		}
		return all
	}
	require.Equal(t, "descending", follow("found"), "the best first")
	require.True(t, slices.IsSortedFunc(numbers("found"), func(a, b float64) int { return int((b - a) * 1000) }))
	require.Equal(t, "ascending", follow("found"))
	require.True(t, slices.IsSorted(numbers("found")))
	require.Equal(t, "ascending", follow("tokens"), "of tokens, less is better")
	require.True(t, slices.IsSorted(numbers("tokens")))
	require.Equal(t, "none", follow("Setting"))
	require.Equal(t, "each type’s own", column(t, page, "Setting")[0])
}

func TestWhatIsShownIsChosen(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	run := l.evaluated(t, s, 24, "windows", "")
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation/runs/1?measure=char_recall&type=runbook&setting=1&sort=nonsense")
	require.Equal(t, "recall (chars)", selected(page, "measure"))
	require.Equal(t, "Runbook", selected(page, "type"))
	require.Equal(t, fmt.Sprintf("%.2f", run.Results[0].ByType["runbook"][evaluate.CharRecall].Mean), column(t, page, "recall (chars)")[0])
	require.Contains(t, words(byID(t, page, "worst").Parent), "Recall (chars) under sentence_window k=1, the lowest first.")
	asked := texts(all(byID(t, page, "worst").Parent, "p", "asked"))
	require.Len(t, asked, 10)
	for _, q := range asked {
		require.Contains(t, q, "of Drain?", "of the chosen document type")
	}

	// What is not there is left aside.
	r, page := s.open(t, c, "/evaluation/runs/1?measure=luck&type=poem&setting=900&with=77777777777777777777")
	require.Equal(t, http.StatusOK, r.StatusCode)
	require.Equal(t, "found", selected(page, "measure"))
	r, _ = s.open(t, c, "/evaluation/runs/1?with=99")
	require.Equal(t, http.StatusNotFound, r.StatusCode)
}

func TestWorstQuestionsLeadToTheirPlaces(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	l.evaluated(t, s, 24, "windows", "")
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation/runs/1?setting=0")
	worst := byID(t, page, "worst").Parent
	places := all(worst, "p", "places")
	require.NotEmpty(t, places)
	require.True(t, strings.HasPrefix(words(places[0]), "Answer in:"))
	r, doc := s.open(t, c, attr(all(places[0], "a")[0], "href"))
	require.Equal(t, http.StatusOK, r.StatusCode)
	require.Contains(t, r.URL.Path, "/documents/")
	question := words(all(worst, "p", "asked")[0])
	var n int
	_, err := fmt.Sscanf(question, "What about sentence %d of", &n)
	require.NoError(t, err)
	require.Contains(t, words(byID(t, doc, "hit")), fmt.Sprintf("Sentence %d says", 3+2*n), "the document opens at the answer")

	for path, status := range map[string]int{
		"/evaluation/place?doc=runbooks%2Fkafka%2Fdrain.md":                           http.StatusOK,
		"/evaluation/place?doc=runbooks%2Fkafka%2Fdrain.md&start=999999&end=9999999":  http.StatusOK,
		"/evaluation/place?doc=runbooks%2Fkafka%2Fdrain.md&space=Other&start=1&end=2": http.StatusNotFound,
		"/evaluation/place?doc=gone.md":                                               http.StatusNotFound,
		"/evaluation/place":                                                           http.StatusNotFound,
		"/evaluation/place?doc=drain.md":                                              http.StatusNotFound,
	} {
		r, _ := s.open(t, c, path)
		require.Equal(t, status, r.StatusCode, path)
	}
}

func TestRunsAreCompared(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	l.evaluated(t, s, 24, "windows", "Before")
	l.found.mu.Lock()
	for q, p := range l.found.known { // the search got worse
		p.missed = p.missed || strings.HasSuffix(q, "Drain?")
		l.found.known[q] = p
	}
	l.found.mu.Unlock()
	set, err := l.Sets(t.Context(), scope(nil))
	require.NoError(t, err)
	settings := []evaluate.Setting{
		{Strategy: &rag.Strategy{Kind: rag.SentenceWindow, K: 5}},
		{Strategy: &rag.Strategy{Kind: rag.SentenceWindow, K: 0}},
		{Strategy: &rag.Strategy{Kind: rag.SentenceWindow, K: 17}},
	}
	_, err = l.Measure(t.Context(), scope(nil), evaluate.Plan{SetID: set[0].ID, Name: "After", Settings: settings, Seed: 1}, nil)
	require.NoError(t, err)
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation/runs/2?with=1")
	rows := texts(all(all(all(byID(t, page, "comparison").Parent, "table")[0], "tbody")[0], "tr"))
	require.Len(t, rows, 2, "the settings that both have")
	require.Regexp(t, `^sentence_window k=5 0\.\d\d 0\.\d\d −0\.\d\d −0\.\d\d to −0\.\d\d 48 worse, beyond noise$`, rows[0])
	_, page = s.open(t, c, "/evaluation/runs/1?with=2")
	rows = texts(all(all(all(byID(t, page, "comparison").Parent, "table")[0], "tbody")[0], "tr"))
	require.Regexp(t, `^sentence_window k=5 .* \+0\.\d\d \+0\.\d\d to \+0\.\d\d 48 better, beyond noise$`, rows[1])
	require.Equal(t, "Before", words(all(byID(t, page, "main"), "h1")[0]))
	require.Equal(t, "After, 2 March 2026, 01:00", selected(page, "with"))
}

func TestAdviceIsAppliedAndTakenBack(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	l.evaluated(t, s, 24, "default", "")
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation/runs/1")
	cards := all(one(t, page, "ul", "advice"), "li")
	require.Len(t, cards, 2)
	require.Contains(t, words(cards[0]), "Design document now sentence_window k=3 advised sentence_window k=0")
	require.Contains(t, words(cards[0]), "within the noise of 24 questions.")
	require.Contains(t, words(cards[1]), "Set already")
	action := attr(all(cards[0], "form")[0], "action")
	r, done := s.submit(t, c, page, action, url.Values{"doc_type": {"design_doc"}})
	require.Equal(t, http.StatusOK, r.StatusCode)
	require.Equal(t, "Design document changed", words(one(t, done, "h1")))
	require.Contains(t, words(done), "now grow by sentence_window k=0 ; until now it was sentence_window k=3")
	_, again := s.open(t, c, "/evaluation/runs/1")
	require.Contains(t, words(all(one(t, again, "ul", "advice"), "li")[0]), "Set already")

	r, done = s.submit(t, c, done, "/evaluation/strategy", nil)
	require.Equal(t, http.StatusOK, r.StatusCode)
	require.Contains(t, words(done), "now grow by sentence_window k=3")
	require.Equal(t, []string{"design_doc: sentence_window k=0", "design_doc: sentence_window k=3"}, l.tuned)

	for name, tc := range map[string]struct {
		action string
		form   url.Values
		status int
	}{
		"a type without advice": {action, url.Values{"doc_type": {"note"}}, http.StatusConflict},
		"no type":               {action, url.Values{"doc_type": {""}}, http.StatusConflict},
	} {
		r, _ := s.submit(t, c, page, tc.action, tc.form)
		require.Equal(t, tc.status, r.StatusCode, name)
	}
	for _, form := range []url.Values{
		{"doc_type": {"note"}, "strategy": {`{"kind":"sentence_window","k":900}`}},
		{"doc_type": {"note"}, "strategy": {`{}`}},
		{"doc_type": {"note"}, "strategy": {`nonsense`}},
	} {
		r, _ := s.submit(t, c, done, "/evaluation/strategy", form)
		require.Equal(t, http.StatusBadRequest, r.StatusCode, form)
	}
	r, _ = s.submit(t, c, done, "/evaluation/strategy", url.Values{"doc_type": {"poem"}, "strategy": {`{"kind":"sentence_window","k":1}`}})
	require.Equal(t, http.StatusNotFound, r.StatusCode)
	require.Len(t, l.tuned, 2, "nothing else was changed")
}

func TestARunWithFewQuestionsAdvisesNothing(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	l.evaluated(t, s, 3, "windows", "")
	_, page := s.open(t, s.browser(t), "/evaluation/runs/1")
	advice := one(t, page, "ul", "advice")
	require.Contains(t, words(advice), "too few to advise")
	require.Empty(t, all(advice, "form"))
	require.Empty(t, all(page, "circle", "plot-ring"))
}
