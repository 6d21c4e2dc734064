package handlers_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/rag"
	"passage/rag/answer"
	"passage/rag/evaluate"
)

// asked asks a question and gives the page with its answer, and the address of
// the form that says it was wrong.
func (s *site) asked(t *testing.T, c *http.Client, question string) (page *html.Node, action string) {
	t.Helper()
	_, page = s.open(t, c, "/")
	_, page = s.submit(t, c, page, "/chats", url.Values{"question": {question}})
	return page, attr(all(one(t, page, "details", "feedback"), "form")[0], "action")
}

func (l *lab) feedback(t *testing.T) []evaluate.Question {
	t.Helper()
	set, err := l.EnsureSet(t.Context(), scope(nil), 0, evaluate.FeedbackSet)
	require.NoError(t, err)
	questions, err := l.Questions(t.Context(), scope(nil), set.ID)
	require.NoError(t, err)
	return questions
}

func TestAWrongAnswerBecomesAQuestion(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	c := s.browser(t)
	page, action := s.asked(t, c, "How do I rotate?")
	form := one(t, page, "details", "feedback")
	require.Equal(t, "This answer is wrong or incomplete", words(all(form, "summary")[0]))
	require.Equal(t, []string{"1", "2", "3"}, values(form, "right"))
	r, done := s.submit(t, c, page, action, url.Values{"right": {"1", "3"}, "expected": {""}})
	require.Equal(t, http.StatusOK, r.StatusCode)
	require.Contains(t, words(done), "Thank you. The question is kept in the set “From feedback”")
	back := attr(all(one(t, done, "p", "links"), "a")[0], "href")
	require.Regexp(t, `^/chats/\d+#m-\d+$`, back)

	got := l.feedback(t)
	require.Len(t, got, 1)
	require.Equal(t, "How do I rotate?", got[0].Text)
	require.Equal(t, "runbooks/kafka/rotate.md", got[0].Target.DocID)
	var spans []string
	for _, span := range got[0].Target.Spans {
		spans = append(spans, span.Text)
	}
	require.Len(t, spans, 2)
	require.True(t, strings.HasPrefix(spans[0], "## Rotate"), "of a procedure that was hit, all of it")
	require.Equal(t, "| b-3    | 9094 | west |", spans[1], "else the sentence that was hit")

	_, done = s.submit(t, c, page, action, url.Values{"right": {"1"}})
	require.Contains(t, words(done), "is in the set “From feedback” already")
	_, overview := s.open(t, c, "/evaluation")
	require.Contains(t, words(overview), "From feedback 1 question Every space made from answers that readers marked as wrong")
}

func TestFeedbackNamesADocumentOrNone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	c := s.browser(t)
	for name, tc := range map[string]struct {
		form url.Values
		want evaluate.Question
	}{
		"by its title":  {url.Values{"expected": {"order PIPELINE"}}, evaluate.Question{Kind: evaluate.KindDocument, Target: evaluate.Target{DocID: "https://wiki.example/orders?x=1", Space: "Platform"}}},
		"by its source": {url.Values{"expected": {"runbooks/kafka/rotate.md"}}, evaluate.Question{Kind: evaluate.KindDocument, Target: evaluate.Target{DocID: "runbooks/kafka/rotate.md", Space: "Platform"}}},
		"none":          {url.Values{"nothing": {"1"}}, evaluate.Question{Kind: evaluate.KindUnanswerable}},
	} {
		page, action := s.asked(t, c, name)
		r, _ := s.submit(t, c, page, action, tc.form)
		require.Equal(t, http.StatusOK, r.StatusCode, name)
		got := l.feedback(t)
		last := got[len(got)-1]
		require.Equal(t, name, last.Text)
		require.Equal(t, tc.want.Kind, last.Kind, name)
		require.Equal(t, tc.want.Target, last.Target, name)
	}
}

// A follow-up says little without its chat, so what was searched for it is kept.
func TestFeedbackOnAFollowUpKeepsTheWholeQuestion(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ trace, want, note string }{
		"condensed": {
			`{"question": "How do I rotate the certificates on EKS?", "asked": "and on EKS?", "condensed": "rule"}`,
			"How do I rotate the certificates on EKS?", "A reader found the answer wrong or incomplete. Asked in a chat as: and on EKS?",
		},
		"searched as it was asked": {`{"question": "and on EKS?"}`, "and on EKS?", "A reader found the answer wrong or incomplete."},
		"without a trace":          {``, "and on EKS?", "A reader found the answer wrong or incomplete."},
	} {
		l := newLab(t)
		s := newSite(t, func(_ context.Context, s *site, _ string, say func(answer.Snapshot)) {
			m := s.answered(t)
			m.Trace = json.RawMessage(tc.trace)
			say(answer.Snapshot{Stage: answer.StageReady, Message: m})
		}, withLab(l))
		c := s.browser(t)
		page, action := s.asked(t, c, "and on EKS?")
		s.submit(t, c, page, action, url.Values{"nothing": {"1"}})
		got := l.feedback(t)
		require.Len(t, got, 1, name)
		require.Equal(t, tc.want, got[0].Text, name)
		require.Equal(t, tc.note, got[0].Note, name)
	}
}

func TestFeedbackThatSaysNothingIsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	c := s.browser(t)
	page, action := s.asked(t, c, "How do I rotate?")
	for name, tc := range map[string]struct {
		form   url.Values
		status int
		want   string
	}{
		"nothing":                     {url.Values{}, http.StatusBadRequest, "Please tick a passage"},
		"a passage that is not there": {url.Values{"right": {"9"}}, http.StatusBadRequest, "Please tick a passage"},
		"no such document":            {url.Values{"expected": {"<b>poem</b>"}}, http.StatusBadRequest, "No document has that title"},
		"two documents":               {url.Values{"expected": {"r"}}, http.StatusBadRequest, "2 documents fit"},
		"both":                        {url.Values{"right": {"1"}, "nothing": {"1"}}, http.StatusBadRequest, "one of the two"},
		"an endless name":             {url.Values{"expected": {strings.Repeat("x", 3000)}}, http.StatusRequestEntityTooLarge, "at most 2000"},
	} {
		r, got := s.submit(t, c, page, action, tc.form)
		require.Equal(t, tc.status, r.StatusCode, name)
		require.Contains(t, words(got), tc.want, name)
	}
	require.Empty(t, l.feedback(t))
	r, _ := s.submit(t, c, page, action, url.Values{"right": {"1"}}, "Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, r.StatusCode)
}

// An answer that is still being written, or one of somebody else, takes none.
func TestFeedbackBelongsToAFinishedAnswerOfOnesOwn(t *testing.T) {
	t.Parallel()
	g := newGated()
	l := newLab(t)
	s := newSite(t, g.script, withLab(l))
	c := s.browser(t)
	_, page := s.open(t, c, "/")
	r, part := s.submit(t, c, page, "/chats", url.Values{"question": {"How?"}}, "HX-Request", "true")
	require.Empty(t, all(part, "details", "feedback"))
	chat := r.Header.Get("HX-Push-Url")
	full := s.answered(t)
	g.say(answer.Snapshot{Stage: answer.StageReady, Message: full})
	require.Eventually(t, func() bool {
		_, page = s.open(t, c, chat)
		return len(all(page, "details", "feedback")) == 1
	}, patienceOfRuns, tickOfRuns)
	s.store.mu.Lock()
	for id, ch := range s.store.chats {
		ch.Owner = "somebody"
		s.store.chats[id] = ch
	}
	s.store.mu.Unlock()
	action := attr(all(one(t, page, "details", "feedback"), "form")[0], "action")
	r, _ = s.submit(t, c, page, action, url.Values{"right": {"1"}})
	require.Equal(t, http.StatusNotFound, r.StatusCode)
	require.Empty(t, l.feedback(t))
	require.NotEqual(t, rag.AnswerWriting, full.State)
}
