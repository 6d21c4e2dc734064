package handlers_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/handlers"
	"passage/rag"
	"passage/rag/answer"
	"passage/rag/retrieve"
)

// searcher gives what a test wants the search to give, and keeps what was asked.
type searcher struct {
	mu    sync.Mutex
	asked []retrieve.Request
	give  func(retrieve.Request) (retrieve.Result, error)
}

func (s *searcher) Retrieve(_ context.Context, req retrieve.Request) (retrieve.Result, error) {
	s.mu.Lock()
	s.asked = append(s.asked, req)
	s.mu.Unlock()
	return s.give(req)
}

// uncut are documents of which so many lack each set of chunks.
type uncut map[rag.UnitSet]int

func (u uncut) LiveVersions(_ context.Context, _ rag.Scope, _ rag.Filter, missing rag.UnitSet) ([]int64, error) {
	return make([]int64, u[missing]), nil // how many is all that is said
}

// labSite is a site whose lab finds the runbook's fourth step and grows it.
func labSite(t *testing.T, more ...option) (*site, *searcher) {
	t.Helper()
	sr := &searcher{}
	s := newSite(t, finished(t), append([]option{func(c *handlers.Config, s *site) {
		sr.give = func(req retrieve.Request) (retrieve.Result, error) { return labResult(t, s, req), nil }
		c.Lab, c.Cuts = sr, uncut{"": 2}
	}}, more...)...)
	return s, sr
}

// labResult is a search whose best hit is a step of the runbook: two windows
// become one passage, a third stays alone, and one hit is in none.
func labResult(t *testing.T, s *site, req retrieve.Request) retrieve.Result {
	t.Helper()
	strategy := rag.Strategy{Kind: rag.ParentSection}
	if req.Strategy != nil {
		strategy = *req.Strategy
	}
	steps := s.store.cite(t, 1, s.broker, "## Rotate", "6. Give the leaders back.", "Restart the broker and wait for 2 minutes.")
	queue := s.store.cite(t, 2, s.wiki, "Orders pass", "7 days.", "Each queue keeps 7 days.")
	ports := s.store.cite(t, 3, s.broker, "| b-3 ", "9094 | west |")
	passage := func(d rag.Document, c rag.Citation, tokens int, parts ...rag.Part) rag.Passage {
		return rag.Passage{Document: d, Version: c.VersionID, Path: []string{d.Title, "Rotate"}, Span: c.Span, Text: c.Text, Marks: c.Marks, Parts: parts, Tokens: tokens, Strategy: strategy, Score: 0.8}
	}
	hit := func(c rag.Citation, s rag.Span, dense, lexical int) retrieve.TraceHit {
		return retrieve.TraceHit{Unit: c.VersionID, Version: c.VersionID, DocType: c.DocType, Span: s, Cosine: 0.612, BM25: 7.25, Score: 0.8, DenseRank: dense, LexicalRank: lexical}
	}
	window := func(c rag.Citation, s rag.Span) retrieve.TraceWindow {
		return retrieve.TraceWindow{Version: c.VersionID, Span: s, Strategy: strategy.String()}
	}
	half := rag.Span{Start: steps.Span.Start, End: steps.Span.Start + steps.Span.Len()/2}
	res := retrieve.Result{
		Passages: []rag.Passage{
			passage(s.broker, steps, 204, rag.Part{From: 1, To: 6, N: 6, Span: steps.Span}),
			passage(s.wiki, queue, 12, rag.Part{From: 2, To: 3, N: 5, Span: queue.Span}),
		},
		Trace: retrieve.Trace{
			Terms: []string{"rotat", "broker"}, Unknown: []string{"zzz"}, Sets: map[string][]string{string(strategy.UnitSet("")): {"runbook", "design_doc"}},
			Evidence: &retrieve.Evidence{Cosine: 0.61, Unit: 0.5, Window: 0.75, Document: 1, Words: 2},
			Dense:    100, Lexical: 41,
			Hits:    []retrieve.TraceHit{hit(steps, steps.Marks[0].Span, 2, 1), hit(queue, queue.Marks[0].Span, 0, 3), hit(ports, ports.Span, 7, 0)},
			Windows: []retrieve.TraceWindow{window(steps, half), window(steps, steps.Span), window(queue, queue.Span)},
			Cut:     []retrieve.TraceCut{{Version: ports.VersionID, Span: ports.Span, Why: "the budget is used up"}},
			Tokens:  216, SearchMS: 3.25, TotalMS: 1234.5,
		},
	}
	return res
}

func labURL(values ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(values); i += 2 {
		v.Set(values[i], values[i+1])
	}
	return "/lab?" + v.Encode()
}

func TestLabBeginsWithAFormAndSearchesNothing(t *testing.T) {
	t.Parallel()
	s, sr := labSite(t)
	r, page := s.open(t, s.browser(t), "/lab")
	require.Equal(t, http.StatusOK, r.StatusCode)
	require.Empty(t, sr.asked)
	form := one(t, page, "form", "lab-form")
	require.Equal(t, "get", attr(form, "method"), "the address can be handed on")
	require.Equal(t, "each document type’s own", selected(page, "s1"))
	require.Equal(t, "sentence_window", selected(page, "s2"))
	require.Equal(t, "nothing: leave this column out", selected(page, "s3"))
	require.Empty(t, all(page, "section", "lab-column"))
	requireReadable(t, page)
}

// requireReadable checks what a screen reader needs of a page.
func requireReadable(t *testing.T, page *html.Node) {
	t.Helper()
	labels, ids := map[string]bool{}, map[string]bool{}
	for _, l := range all(page, "label") {
		labels[attr(l, "for")] = true
	}
	for _, e := range all(page, "") {
		if id := attr(e, "id"); id != "" {
			require.False(t, ids[id], "id %q stands twice", id)
			ids[id] = true
		}
	}
	for _, e := range all(page, "") {
		if slices.Contains([]string{"select", "textarea", "input"}, e.Data) && attr(e, "type") != "hidden" {
			require.True(t, labels[attr(e, "id")], "%s %q has a label", e.Data, attr(e, "id"))
		}
		for _, name := range []string{"aria-labelledby", "aria-describedby"} {
			if id := attr(e, name); id != "" {
				require.True(t, ids[id], "%s names %q", name, id)
			}
		}
		if href := attr(e, "href"); strings.HasPrefix(href, "#") {
			require.True(t, ids[href[1:]], "%s leads somewhere", href)
		}
	}
	level := 0
	for _, e := range all(page, "") {
		if len(e.Data) == 2 && e.Data[0] == 'h' && e.Data[1] >= '1' && e.Data[1] <= '6' {
			next := int(e.Data[1] - '0')
			require.LessOrEqual(t, next, level+1, "heading %q skips a level", words(e))
			level = next
		}
	}
	require.Len(t, all(page, "h1"), 1)
}

func TestLabShowsHowEachSettingComesToItsContext(t *testing.T) {
	t.Parallel()
	s, sr := labSite(t)
	r, page := s.open(t, s.browser(t), labURL("q", " How do I rotate? ", "type", "runbook", "s1", "auto", "s2", "sentence_window", "k2", "paragraph", "exact2", "1", "legs2", "bm25", "top2", "4",
		"s3", "fixed_chars", "size3", "1000", "overlap3", "100", "fusion3", "ranks", "budget3", "500"))
	require.Equal(t, http.StatusOK, r.StatusCode)
	filter := rag.Filter{DocTypes: []string{"runbook"}}
	require.Equal(t, []retrieve.Request{
		{Scope: scope(nil), Question: "How do I rotate?", Filter: filter, Legs: retrieve.Hybrid, BudgetTokens: 3000},
		{Scope: scope(nil), Question: "How do I rotate?", Filter: filter, Legs: retrieve.LexicalOnly, BudgetTokens: 3000, Top: 4, Exact: true, Strategy: &rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentParagraph}},
		{Scope: scope(nil), Question: "How do I rotate?", Filter: filter, Legs: retrieve.Hybrid, BudgetTokens: 500, Strategy: &rag.Strategy{Kind: rag.FixedChars, Size: 1000, Overlap: 100}, Fusion: &rag.Fusion{RankOnly: true}},
	}, sr.asked)
	columns := all(page, "section", "lab-column")
	require.Len(t, columns, 3)
	require.Equal(t, []string{
		"A: each type’s own", "B: sentence_window paragraph · exact windows · words only · 4 passages", "C: fixed_chars 1000/100 · reciprocal ranks · 500 tokens",
	}, []string{words(all(columns[0], "h2")[0]), words(all(columns[1], "h2")[0]), words(all(columns[2], "h2")[0])})
	require.Equal(t, "A: each type’s own 2 216 100 41 3.2 1,234.5", words(all(page, "tr")[1]))

	lists := all(columns[0], "", "lab-list")
	hits := all(lists[0], "li")
	require.Equal(t, "1. Rotate the broker certificates Restart the broker and wait for 2 minutes. score 0.800 cosine 0.612 (no. 2) BM25 7.25 (no. 1) Runbook in passage 1", words(hits[0]))
	require.Contains(t, words(hits[1]), "cosine 0.612 BM25 7.25 (no. 3) Design document in passage 2")
	require.Contains(t, words(hits[2]), "in no passage")
	windows := all(lists[1], "li")
	require.Len(t, windows, 3)
	require.Contains(t, words(windows[2]), "parent_section cap=1024 Goes into passage 2.")
	require.Contains(t, words(windows[2]), "50 characters bytes 18–68")
	merged := all(lists[2], "li")
	require.Len(t, merged, 2)
	require.Contains(t, words(merged[0]), "204 tokens")
	require.Contains(t, words(merged[0]), "From windows 1 and 2.")
	require.Contains(t, words(lists[3]), "The budget is used up.")

	require.Contains(t, words(columns[0]), "216 of 3,000 tokens")
	passage := all(columns[0], "li", "lab-passage")[0]
	require.Contains(t, words(passage), "steps 1–6 of 6")
	require.Equal(t, []string{"Restart the broker and wait for 2 minutes."}, texts(all(passage, "mark")))
	require.Equal(t, answer.Given(labResult(t, s, sr.asked[0]).Passages[0]), all(one(t, passage, "pre", "sample"), "code")[0].FirstChild.Data, "to the letter")
	require.Contains(t, words(all(columns[0], "li", "lab-passage")[1]), "steps 2–3 of 5")
	requireReadable(t, page)

	var share string
	for _, a := range all(one(t, page, "form", "lab-form"), "a") {
		share = attr(a, "href")
	}
	require.Equal(t, labURL("q", "How do I rotate?", "type", "runbook", "s2", "sentence_window", "k2", "paragraph", "exact2", "1", "legs2", "bm25", "top2", "4",
		"s3", "fixed_chars", "size3", "1000", "overlap3", "100", "fusion3", "ranks", "budget3", "500"), share)
	before := slices.Clone(sr.asked)
	s.open(t, s.browser(t), share)
	require.Equal(t, before, sr.asked[3:], "the short address asks the same")
}

func TestLabSaysWhatIsWrongBesideTheColumn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values []string
		field  string
		says   string
	}{
		"k beyond the most":       {[]string{"s1", "sentence_window", "k1", "900"}, "k1", "The window size k must be from 0 to 50, not 900."},
		"k below 0":               {[]string{"s1", "sentence_window", "k1", "-1"}, "k1", "The window size k must be from 0 to 50, not -1."},
		"k that is no number":     {[]string{"s1", "sentence_window", "k1", "<b>"}, "k1", `must be a number, paragraph or section, not "<b>".`},
		"overlap as large":        {[]string{"s1", "fixed_tokens", "size1", "128", "overlap1", "128"}, "overlap1", "The overlap must be from 0 to 127 (below the chunk size of 128), not 128."},
		"overlap beyond numbers":  {[]string{"s1", "fixed_tokens", "size1", "128", "overlap1", strings.Repeat("9", 60)}, "overlap1", "The overlap must be from 0 to 8,192"},
		"size 0":                  {[]string{"s1", "fixed_chars", "size1", "0", "overlap1", "0"}, "size1", "The chunk size must be from 1 to 8,192, not 0."},
		"cap too small":           {[]string{"s1", "parent_section", "cap1", "1"}, "cap1", "The section cap must be from 64 to 16,384, not 1."},
		"unknown strategy":        {[]string{"s1", "magic"}, "s1", `There is no strategy "magic".`},
		"unknown legs":            {[]string{"s1", "auto", "legs1", "both"}, "legs1", `There is no search "both". Use hybrid, dense or bm25.`},
		"unknown fusion":          {[]string{"s1", "auto", "fusion1", "x"}, "fusion1", `There is no fusion "x".`},
		"too many passages":       {[]string{"s1", "auto", "top1", "1000000"}, "top1", "The number of passages must be from 1 to 30, not 1000000."},
		"a budget of no tokens":   {[]string{"s1", "auto", "budget1", "0"}, "budget1", "The budget of tokens must be from 1 to 32,000, not 0."},
		"a budget that is a word": {[]string{"s1", "auto", "budget1", "much"}, "budget1", `The budget of tokens must be a whole number, not "much".`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, sr := labSite(t)
			r, page := s.open(t, s.browser(t), labURL(append(c.values, "q", "How?")...))
			require.Equal(t, http.StatusBadRequest, r.StatusCode)
			require.Empty(t, sr.asked)
			typed := c.values[slices.Index(c.values, c.field)+1]
			field := byID(t, page, c.field)
			require.Equal(t, "true", attr(field, "aria-invalid"))
			if field.Data == "select" {
				require.Equal(t, typed, selected(page, c.field), "what was typed is kept")
			} else {
				require.Equal(t, typed, attr(field, "value"), "what was typed is kept")
			}
			require.Contains(t, words(byID(t, page, attr(field, "aria-describedby"))), c.says)
			require.Contains(t, words(one(t, page, "section", "lab-column")), c.says)
			requireReadable(t, page)

			r, page = s.open(t, s.browser(t), labURL(append(c.values, "q", "How?", "s2", "sentence_window")...))
			require.Equal(t, http.StatusOK, r.StatusCode, "the other column is searched")
			require.Len(t, sr.asked, 1)
			require.Len(t, all(page, "li", "lab-passage"), 2)
			requireReadable(t, page)
		})
	}
}

func TestLabRefusesQuestionsAndFiltersThatCannotBe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values []string
		says   string
	}{
		"empty question":        {[]string{"q", " \n"}, "The question is empty. Write what you want to know."},
		"long question":         {[]string{"q", strings.Repeat("漢", answer.MaxQuestion+1)}, "The question has 4,001 characters; the limit is 4,000."},
		"space that is not":     {[]string{"q", "How?", "space", "999"}, "There is no such space."},
		"space that is no id":   {[]string{"q", "How?", "space", "x"}, "There is no such space."},
		"document type unknown": {[]string{"q", "How?", "type", "poem"}, `There is no document type "poem".`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, sr := labSite(t)
			r, page := s.open(t, s.browser(t), labURL(append(c.values, "s1", "sentence_window", "k1", "7")...))
			require.Equal(t, http.StatusBadRequest, r.StatusCode)
			require.Contains(t, words(one(t, page, "main")), c.says)
			require.Equal(t, "7", attr(byID(t, page, "k1"), "value"), "the form keeps what was typed")
			require.Equal(t, strings.TrimSpace(c.values[1]), words(byID(t, page, "q")))
			require.Empty(t, sr.asked)
			requireReadable(t, page)
		})
	}
}

func TestLabSaysThatChunksAreMissing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		without int
		says    string
	}{
		"everywhere": {2, "None of the 2 documents searched is cut into the chunks “tokens-128-16”"},
		"somewhere":  {1, "1 of 2 documents searched is not cut into the chunks “tokens-128-16” and cannot be found this way."},
		"nowhere":    {0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, sr := labSite(t, func(c2 *handlers.Config, _ *site) { c2.Cuts = uncut{"": 2, "tokens-128-16": c.without} })
			if c.without == 2 {
				sr.give = func(retrieve.Request) (retrieve.Result, error) {
					return retrieve.Result{Refused: true, Trace: retrieve.Trace{Sets: map[string][]string{"tokens-128-16": {"runbook"}}}}, nil
				}
			}
			_, page := s.open(t, s.browser(t), labURL("q", "How?", "s1", "fixed_tokens", "size1", "128", "overlap1", "16"))
			column := one(t, page, "section", "lab-column")
			if c.says == "" {
				require.NotContains(t, words(column), "Chunks are missing")
				return
			}
			require.Contains(t, words(column), c.says)
			require.Contains(t, words(column), "web retrieve --strategy fixed_tokens --size 128 --overlap 16")
			require.NotContains(t, words(column), "Refused", "what was not searched was not refused")
		})
	}
}

func TestLabTellsRefusalsAndFaultsApart(t *testing.T) {
	t.Parallel()
	s, sr := labSite(t)
	give := sr.give
	sr.give = func(req retrieve.Request) (retrieve.Result, error) {
		switch {
		case req.Legs == retrieve.DenseOnly:
			return retrieve.Result{}, rag.Errorf(rag.CodeUnavailable, "The embedder at http://10.0.0.7 does not answer.")
		case req.Strategy != nil:
			return retrieve.Result{}, rag.Errorf(rag.CodeInvalid, "A dense search needs an embedder, and none is configured.")
		}
		res, err := give(req)
		res.Refused, res.Nearest = true, []string{"Order pipeline"}
		return res, err
	}
	r, page := s.open(t, s.browser(t), labURL("q", "Who painted it?", "s1", "auto", "s2", "auto", "legs2", "dense", "s3", "sentence_window"))
	require.Equal(t, http.StatusOK, r.StatusCode)
	columns := all(page, "section", "lab-column")
	require.Contains(t, words(columns[0]), "Nothing that was found is good enough to answer from, so no model would be asked. Nearest are: Order pipeline.")
	require.Contains(t, words(columns[0]), "This is too little for an answer. best cosine 0.61 words in one unit 0.50")
	require.Contains(t, words(columns[0]), "What came nearest")
	require.Contains(t, words(columns[1]), "cannot be reached just now")
	require.NotContains(t, words(columns[1]), "10.0.0.7", "no internals")
	require.Contains(t, words(columns[2]), "none is configured")
	requireReadable(t, page)

	sr.give = func(retrieve.Request) (retrieve.Result, error) { return retrieve.Result{}, http.ErrBodyNotAllowed }
	r, _ = s.open(t, s.browser(t), labURL("q", "How?"))
	require.Equal(t, http.StatusInternalServerError, r.StatusCode)
}

// Texts come from reads within the scope: what a trace names beyond it stays
// unseen, and what a document says stays text.
func TestLabShowsOnlyWhatTheAskerMayRead(t *testing.T) {
	t.Parallel()
	s, sr := labSite(t)
	secret := s.store.put("Secret", "secret.md", "note", "Secret plans", "The secret is out.\n", day)
	script := s.store.put("Platform", "script.md", "note", "<script>alert(1)</script>", "<img src=x onerror=alert(2)>\n", day)
	sr.give = func(retrieve.Request) (retrieve.Result, error) {
		var res retrieve.Result
		for _, d := range []rag.Document{secret, script} {
			h := retrieve.TraceHit{Version: d.VersionID, DocType: "note", Span: rag.Span{Start: 0, End: 15}}
			res.Trace.Hits = append(res.Trace.Hits, h, retrieve.TraceHit{Version: d.VersionID, Span: rag.Span{Start: 3, End: 9_000}})
			res.Trace.Windows = append(res.Trace.Windows, retrieve.TraceWindow{Version: d.VersionID, Span: h.Span})
			res.Trace.Cut = append(res.Trace.Cut, retrieve.TraceCut{Version: d.VersionID, Span: h.Span, Why: "the budget is used up"})
		}
		return res, nil
	}
	cfg := handlers.Config{
		Log: slog.New(slog.DiscardHandler), Store: s.store, Desk: s.desk, Lab: sr,
		ScopeOf: func(echo.Context) rag.Scope { return rag.Scope{User: "ana", Spaces: []int64{s.broker.SpaceID}} },
	}
	look := func(path string) *html.Node {
		w := httptest.NewRecorder()
		handlers.New(cfg).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		page, err := html.Parse(w.Body)
		require.NoError(t, err)
		return page
	}
	page := look(labURL("q", "What is secret?"))
	require.NotContains(t, words(page), "Secret")
	require.NotContains(t, words(page), "The secret is out")
	require.Contains(t, words(page), "a document that was removed meanwhile")
	require.Contains(t, words(page), "<img src=x oner")
	require.Empty(t, all(page, "img"))
	require.Equal(t, []int64{s.broker.SpaceID}, sr.asked[0].Scope.Spaces)
	page = look(labURL("q", "What is secret?", "space", itoa(secret.SpaceID)))
	require.Contains(t, words(page), "There is no such space.")
	require.Len(t, sr.asked, 1)
}

func TestLabIsAbsentWithoutASearch(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	r, _ := s.open(t, s.browser(t), "/lab")
	require.Equal(t, http.StatusNotFound, r.StatusCode)
}
