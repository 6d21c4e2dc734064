package handlers_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/handlers"
	"passage/rag"
	"passage/rag/evaluate"
)

// sendFile sends the form of an import as a browser does.
func (s *site) sendFile(t *testing.T, c *http.Client, page *html.Node, fields map[string]string, name, content string) (reply, *html.Node) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for k, v := range fields {
		require.NoError(t, w.WriteField(k, v))
	}
	for _, i := range all(page, "input") {
		if attr(i, "name") == "_csrf" {
			require.NoError(t, w.WriteField("_csrf", attr(i, "value")))
			break
		}
	}
	f, err := w.CreateFormFile("questions", name)
	require.NoError(t, err)
	_, err = io.WriteString(f, content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/evaluation/sets", &b)
	require.NoError(t, err)
	r.Header.Set("Content-Type", w.FormDataContentType())
	return do(t, c, r)
}

// ended waits until a run is no longer running.
func (l *lab) ended(t *testing.T, id int64) evaluate.Run {
	t.Helper()
	var run evaluate.Run
	require.Eventually(t, func() bool {
		var err error
		run, err = l.Run(context.Background(), scope(nil), id, true)
		return err == nil && run.State != rag.RunRunning
	}, patienceOfRuns, tickOfRuns)
	return run
}

func TestQuestionsAreImported(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation")
	require.Contains(t, words(page), "There are no questions yet.")
	file := l.questions(s, 3)
	r, page := s.sendFile(t, c, page, map[string]string{"name": "Steps"}, "q.jsonl", file)
	require.Equal(t, http.StatusOK, r.StatusCode)
	require.Equal(t, "/evaluation", r.URL.Path)
	require.Contains(t, words(page), "6 questions were added.")
	require.Contains(t, words(one(t, page, "ul", "doclist")), "Steps 6 questions Every space imported")

	_, page = s.sendFile(t, c, page, map[string]string{"name": "Steps"}, "q.jsonl", file)
	require.Contains(t, words(page), "0 questions were added, 6 were replaced.")

	// What is exported can be imported again.
	r, _ = s.open(t, c, "/evaluation/sets/1.jsonl")
	require.Equal(t, `attachment; filename="questions-1.jsonl"`, r.Header.Get("Content-Disposition"))
	out, err := l.Questions(t.Context(), scope(nil), 1)
	require.NoError(t, err)
	require.Len(t, out, 6)
	var b strings.Builder
	require.NoError(t, evaluate.Write(&b, out))
	again, err := evaluate.Read(strings.NewReader(b.String()), "again", nil)
	require.NoError(t, err)
	require.Equal(t, out, again)
}

// What is missing for a question is said at its import, as web eval import does.
func TestImportSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation")
	file := `{"id":"gone","question":"What?","doc_id":"nowhere.md"}
{"id":"changed","question":"What?","doc_id":"runbooks/kafka/rotate.md","answer_spans":[{"start":0,"end":9,"text":"<b>no</b>"}]}
{"id":"half","question":"What?","doc_id":"runbooks/kafka/rotate.md","alternatives":[{"doc_id":"other.md"}]}
`
	_, page = s.sendFile(t, c, page, map[string]string{"name": "Lost"}, "q.jsonl", file)
	said := words(page)
	require.Contains(t, said, "3 questions were added. 2 questions of the set cannot be measured, 1 question will be asked without one of the places.")
	require.Contains(t, said, `gone: There is no document "nowhere.md".`)
	require.Contains(t, said, `changed: The text of answer span 1 is not in "runbooks/kafka/rotate.md" any more: "<b>no</b>".`)
	require.Contains(t, said, `half: There is no document "other.md".`)

	var many strings.Builder
	for i := range 30 {
		fmt.Fprintf(&many, `{"id":"q%d","question":"What?","doc_id":"nowhere.md"}`+"\n", i)
	}
	_, page = s.sendFile(t, c, page, map[string]string{"name": "Many"}, "q.jsonl", many.String())
	require.Contains(t, words(page), "And 10 more.")
	r, _ := s.open(t, c, "/evaluation?imported=1&set=999")
	require.Equal(t, http.StatusNotFound, r.StatusCode)
}

func TestFaultsOfAnImportAreShownBesideTheForm(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation")
	good := `{"id":"a","question":"What?","doc_id":"runbooks/kafka/rotate.md"}` + "\n"
	for name, tc := range map[string]struct {
		set, file, want string
		status          int
	}{
		"no JSON":       {"S", good + "what?\n", "Line 2 of q.jsonl", http.StatusBadRequest},
		"no question":   {"S", good + good[:0] + `{"id":"b"}`, `Line 2 of q.jsonl: Question "b" needs a "question"`, http.StatusBadRequest},
		"the same id":   {"S", good + good, "stands once in a set", http.StatusBadRequest},
		"an empty file": {"S", "", "holds no question", http.StatusBadRequest},
		"no name":       {" ", good, "Please name the set", http.StatusBadRequest},
		"a long name":   {strings.Repeat("n", 201), good, "at most 200 characters", http.StatusBadRequest},
		"markup":        {"<b>x</b>", "<script>", "It is not a JSON object", http.StatusBadRequest},
	} {
		r, page := s.sendFile(t, c, page, map[string]string{"name": tc.set}, "q.jsonl", tc.file)
		require.Equal(t, tc.status, r.StatusCode, name)
		require.Contains(t, words(one(t, page, "div", "error")), "Nothing was imported", name)
		require.Contains(t, words(one(t, page, "ul", "faults")), tc.want, name)
		require.Equal(t, strings.TrimSpace(tc.set), attr(byID(t, page, "set-name"), "value"), "the name is still there")
	}
	sets, err := l.Sets(t.Context(), scope(nil))
	require.NoError(t, err)
	require.Empty(t, sets)

	r, page := s.sendFile(t, c, page, map[string]string{"name": "S"}, "q.jsonl", strings.Repeat("x", 22<<20))
	require.Equal(t, http.StatusRequestEntityTooLarge, r.StatusCode)
	require.Contains(t, words(page), "more than the 20 MB")
}

func TestARunGoesOnInTheBackgroundAndIsShown(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation")
	_, page = s.sendFile(t, c, page, map[string]string{"name": "Steps"}, "q.jsonl", l.questions(s, 6))
	require.Equal(t, evaluate.SweepNames(), values(page, "sweep"))
	l.found.hold()
	r, running := s.submit(t, c, page, "/evaluation/runs", url.Values{"set": {"1"}, "sweep": {"windows"}, "tops": {"3, 5"}, "name": {"First"}})
	require.Equal(t, "/evaluation/runs/1", r.URL.Path)
	require.Equal(t, "First", words(one(t, running, "h1")))
	require.Contains(t, words(byID(t, running, "running")), "0 of 192 questions asked, 0 %")
	require.Equal(t, "/evaluation/runs/1/progress", attr(byID(t, running, "running"), "hx-get"))
	require.Contains(t, text(t, running), `http-equiv="refresh"`, "without scripts the page loads itself")

	_, part := s.open(t, c, "/evaluation/runs/1/progress")
	require.NotEmpty(t, all(part, "h1"), "opened as a page it leads to the run")
	r, part = s.open(t, c, "/evaluation")
	require.Equal(t, http.StatusOK, r.StatusCode)
	require.Equal(t, "/evaluation/runs/1", attr(all(byID(t, part, "running"), "a")[0], "href"))
	r, refused := s.submit(t, c, page, "/evaluation/runs", url.Values{"set": {"1"}, "sweep": {"legs"}, "tops": {"5"}})
	require.Equal(t, http.StatusConflict, r.StatusCode)
	require.Contains(t, words(refused), "Another run is going on.")
	require.Equal(t, "legs", checked(refused, "sweep"), "what was chosen is still chosen")

	l.found.release()
	run := l.ended(t, 1)
	require.Equal(t, rag.RunDone, run.State)
	r, part = s.fragment(t, c, "/evaluation/runs/1/progress")
	require.Equal(t, "true", r.Header.Get("HX-Refresh"), "the page that polls loads itself")
	require.Empty(t, words(part))
	_, page = s.open(t, c, "/evaluation/runs/1")
	require.Contains(t, words(page), "Finished Steps 16 settings 12 questions")
	require.Empty(t, all(page, "section", "running"))
	require.Len(t, all(byID(t, page, "figures").Parent, "tr"), 17)
}

func TestARunIsCancelledAndKeepsWhatItMeasured(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation")
	_, page = s.sendFile(t, c, page, map[string]string{"name": "Steps"}, "q.jsonl", l.questions(s, 4))
	l.found.hold()
	_, running := s.submit(t, c, page, "/evaluation/runs", url.Values{"set": {"1"}, "sweep": {"windows"}, "tops": {""}})
	r, _ := s.submit(t, c, running, "/evaluation/runs/1/cancel", nil)
	require.Equal(t, "/evaluation/runs/1", r.URL.Path)
	require.Equal(t, rag.RunCancelled, l.ended(t, 1).State)
	_, again := s.open(t, c, "/evaluation/runs/1")
	require.Contains(t, words(again), "Cancelled")
	require.Contains(t, words(one(t, again, "div", "notice")), "before its end")
	r, _ = s.submit(t, c, running, "/evaluation/runs/1/cancel", nil)
	require.Equal(t, http.StatusOK, r.StatusCode, "cancelling one that has ended changes nothing")
}

func TestARunThatTheServerLeftIsShownAsSuch(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	run := l.evaluated(t, s, 3, "legs", "")
	l.rows.mu.Lock()
	l.rows.runs[0].State, l.rows.runs[0].Failure, l.rows.runs[0].Results = rag.RunFailed, "The server ended while this run was going on.", nil
	l.rows.mu.Unlock()
	_, page := s.open(t, s.browser(t), fmt.Sprintf("/evaluation/runs/%d", run.ID))
	require.Contains(t, words(one(t, page, "div", "error")), "It did not finish The server ended while this run was going on.")
	require.Empty(t, all(page, "table"))
	_, page = s.open(t, s.browser(t), "/evaluation")
	require.Equal(t, "Failed", words(one(t, page, "span", "error")))
}

func TestFormsOfARunAreChecked(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	l.evaluated(t, s, 1, "legs", "")
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation")
	for name, tc := range map[string]struct {
		form url.Values
		want string
	}{
		"no set":          {url.Values{"sweep": {"legs"}}, "Please choose a question set."},
		"unknown sweep":   {url.Values{"set": {"1"}, "sweep": {"all of it"}}, "There is no sweep"},
		"no number":       {url.Values{"set": {"1"}, "sweep": {"windows"}, "tops": {"many"}}, "takes numbers from 1"},
		"zero":            {url.Values{"set": {"1"}, "sweep": {"windows"}, "tops": {"0"}}, "takes numbers from 1"},
		"huge":            {url.Values{"set": {"1"}, "sweep": {"windows"}, "tops": {"100000"}}, "must be from 1 to 100"},
		"many numbers":    {url.Values{"set": {"1"}, "sweep": {"windows"}, "tops": {"1 2 3 4 5 6"}}, "At most 5 numbers"},
		"unknown half":    {url.Values{"set": {"1"}, "sweep": {"windows"}, "half": {"c"}}, "one of the two halves"},
		"an endless name": {url.Values{"set": {"1"}, "sweep": {"windows"}, "name": {strings.Repeat("n", 300)}}, "at most 200"},
	} {
		r, got := s.submit(t, c, page, "/evaluation/runs", tc.form)
		require.Equal(t, http.StatusBadRequest, r.StatusCode, name)
		require.Contains(t, words(one(t, got, "div", "error")), tc.want, name)
	}
	r, _ := s.submit(t, c, page, "/evaluation/runs", url.Values{"set": {"77"}, "sweep": {"windows"}})
	require.Equal(t, http.StatusNotFound, r.StatusCode)
}

func TestRunsArePaged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	for i := range 23 {
		l.evaluated(t, s, 1, "legs", fmt.Sprintf("Run %d", i+1))
	}
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation")
	titles := func(page *html.Node) []string {
		lists := all(page, "ul", "doclist")
		var found []string
		for _, a := range all(lists[len(lists)-1], "a") {
			found = append(found, words(a))
		}
		return found
	}
	require.Len(t, titles(page), 20)
	require.Equal(t, "Run 23", titles(page)[0])
	require.Contains(t, words(page), "Runs 1–20, newest first")
	_, page = s.open(t, c, attr(all(one(t, page, "nav", "pager"), "a")[0], "href"))
	require.Equal(t, []string{"Run 3", "Run 2", "Run 1"}, titles(page))
}

// Outside of what somebody may read there are no sets and no runs.
func TestEvaluationsOutsideTheScopeAreNotThere(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var who rag.Scope
	s := newSite(t, finished(t), withLab(l), func(c *handlers.Config, _ *site) {
		c.ScopeOf = func(echo.Context) rag.Scope { return who }
	})
	who = scope(nil)
	run := l.evaluated(t, s, 24, "windows", "Secret run")
	who = rag.Scope{User: "other"}
	c := s.browser(t)
	_, page := s.open(t, c, "/evaluation")
	require.NotContains(t, words(page), "Secret run")
	for _, path := range []string{"", "/progress", fmt.Sprintf("/run-%d.csv", run.ID), fmt.Sprintf("/run-%d.json", run.ID)} {
		r, _ := s.open(t, c, fmt.Sprintf("/evaluation/runs/%d%s", run.ID, path))
		require.Equal(t, http.StatusNotFound, r.StatusCode, path)
	}
	for _, path := range []string{"/evaluation/sets/1.jsonl", "/evaluation/place?doc=runbooks%2Fkafka%2Frotate.md"} {
		r, _ := s.open(t, c, path)
		require.Equal(t, http.StatusNotFound, r.StatusCode, path)
	}
}

func TestExports(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	run := l.evaluated(t, s, 24, "windows", "")
	body := func(kind string) []byte {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("%s/evaluation/runs/%d/run-%d.%s", s.URL, run.ID, run.ID, kind), nil)
		require.NoError(t, err)
		resp, err := s.browser(t).Do(r)
		require.NoError(t, err)
		b, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, fmt.Sprintf(`attachment; filename="run-%d.%s"`, run.ID, kind), resp.Header.Get("Content-Disposition"))
		return b
	}
	rows, err := csv.NewReader(bytes.NewReader(body("csv"))).ReadAll()
	require.NoError(t, err)
	require.Greater(t, len(rows), 8*10)
	var report struct {
		Results []evaluate.Result `json:"results"`
	}
	require.NoError(t, json.Unmarshal(body("json"), &report))
	require.Len(t, report.Results, 8)
	require.Len(t, report.Results[0].Outcomes, 48, "question by question")
	r, _ := s.open(t, s.browser(t), fmt.Sprintf("/evaluation/runs/%d/run-%d.xls", run.ID, run.ID))
	require.Equal(t, http.StatusNotFound, r.StatusCode)
}
