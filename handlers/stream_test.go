package handlers_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/handlers"
	"passage/rag"
	"passage/rag/answer"
)

func fragment(t *testing.T, s string) *html.Node {
	t.Helper()
	n, err := html.Parse(strings.NewReader(s))
	require.NoError(t, err)
	return n
}

// begin asks with htmx and gives the answer's id.
func (s *site) begin(t *testing.T, c *http.Client) (chat, id string) {
	t.Helper()
	_, start := s.open(t, c, "/")
	resp, part := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}}, "HX-Request", "true")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	return resp.Header.Get("HX-Push-Url"), strings.TrimPrefix(attr(one(t, part, "article", "answer"), "id"), "m-")
}

func writing(text string, cites ...rag.Citation) answer.Snapshot {
	stage := answer.StageWriting
	if text == "" && len(cites) == 0 {
		stage = answer.StageSearching
	}
	return answer.Snapshot{Stage: stage, Message: rag.Message{State: rag.AnswerWriting, Text: text, Citations: cites}}
}

// gated is a script whose steps a test lets through one by one.
type gated struct {
	step chan func(*site) answer.Snapshot
}

func newGated() *gated { return &gated{step: make(chan func(*site) answer.Snapshot)} }

func (g *gated) script(ctx context.Context, s *site, _ string, say func(answer.Snapshot)) {
	for {
		select {
		case <-ctx.Done():
			return
		case step := <-g.step:
			snapshot := step(s)
			say(snapshot)
			if snapshot.Message.State != rag.AnswerWriting {
				return
			}
		}
	}
}

func (g *gated) say(s answer.Snapshot) { g.step <- func(*site) answer.Snapshot { return s } }

// T69: headers, early flush, no compression.
func TestStreamHeadersComeAtOnce(t *testing.T) {
	t.Parallel()
	g := newGated()
	s := newSite(t, g.script)
	c := s.browser(t)
	_, id := s.begin(t, c)
	r := s.stream(t, c, id) // returns when the headers are here; nothing was said yet
	h := r.resp.Header
	require.Equal(t, http.StatusOK, r.resp.StatusCode)
	require.Equal(t, "text/event-stream", h.Get("Content-Type"))
	require.Equal(t, "no-cache, no-transform", h.Get("Cache-Control"))
	require.Equal(t, "no", h.Get("X-Accel-Buffering"))
	require.Empty(t, h.Get("Content-Encoding"))
	require.Contains(t, words(fragment(t, r.until(t, "state")["state"])), "Searching the documents…")
}

// T69: heartbeats on a silent stream.
func TestStreamHeartbeats(t *testing.T) {
	t.Parallel()
	s := newSite(t, newGated().script, func(c *handlers.Config, _ *site) { c.Heartbeat = 5 * time.Millisecond })
	c := s.browser(t)
	_, id := s.begin(t, c)
	r := s.stream(t, c, id)
	for range 3 {
		require.Equal(t, ": still here", r.until(t, ":")[":"])
	}
}

// T70: what an answer says arrives with its lines.
func TestStreamKeepsLines(t *testing.T) {
	t.Parallel()
	g := newGated()
	s := newSite(t, g.script)
	c := s.browser(t)
	_, id := s.begin(t, c)
	r := s.stream(t, c, id)
	r.until(t, "state")

	g.say(writing("| A | B |\n|---|---|\n| 1 | 2 |\n"))
	table := fragment(t, r.until(t, "text")["text"])
	require.Equal(t, []string{"A", "B"}, texts(all(table, "th")))
	require.Equal(t, []string{"1", "2"}, texts(all(table, "td")))

	g.say(writing("Run:\n\n```sh\nfirst\r\n\n  second\n"))
	code := one(t, fragment(t, r.until(t, "text")["text"]), "code")
	require.Equal(t, "first\n\n  second\n", code.FirstChild.Data)
}

// Events replace what was there: each carries the whole, and what did not
// change is not sent again.
func TestStreamEventsCarryTheWhole(t *testing.T) {
	t.Parallel()
	g := newGated()
	s := newSite(t, g.script)
	c := s.browser(t)
	_, id := s.begin(t, c)
	r := s.stream(t, c, id)
	r.until(t, "state")

	full := s.answered(t)
	g.say(writing("", full.Citations...))
	seen := r.until(t, "state")
	require.Len(t, all(fragment(t, seen["sources"]), "article", "card"), 3)
	require.Contains(t, words(fragment(t, seen["state"])), "Writing the answer…")

	g.say(writing("Rotate one", full.Citations...))
	seen = r.until(t, "text")
	require.Equal(t, map[string]string{"text": seen["text"]}, seen, "sources and state are as they were")
	require.Equal(t, "Rotate one", words(fragment(t, seen["text"])))

	g.say(answer.Snapshot{Stage: answer.StageReady, Message: full})
	seen = r.until(t, "done")
	require.True(t, strings.HasPrefix(words(fragment(t, seen["text"])), "Rotate one broker at a time [1]"))
	state := fragment(t, seen["state"])
	require.Equal(t, "The answer is ready.", words(byID(t, state, "status")))
	require.Equal(t, "innerHTML", attr(byID(t, state, "status"), "hx-swap-oob"))
	require.Empty(t, all(state, "div", "stage"))
	require.Len(t, all(fragment(t, seen["sources"]), "details", "others"), 1)
	_, more := r.next()
	require.False(t, more, "the stream is closed")
}

// A reader who comes back, or comes late, sees the whole answer, and nothing is
// asked of the model again.
func TestStreamContinuesTheSameAnswer(t *testing.T) {
	t.Parallel()
	g := newGated()
	s := newSite(t, g.script)
	c := s.browser(t)
	chat, id := s.begin(t, c)
	first := s.stream(t, c, id)
	first.until(t, "state")
	g.say(writing("The first half"))
	first.until(t, "text")
	require.NoError(t, first.resp.Body.Close())

	resp, page := s.open(t, c, chat)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	a := byID(t, page, "m-"+id)
	require.Equal(t, "/answers/"+id+"/stream", attr(a, "sse-connect"), "history follows an unfinished answer too")
	require.Contains(t, words(a), "The first half")

	second := s.stream(t, c, id)
	require.Equal(t, "The first half", words(fragment(t, second.until(t, "text")["text"])))
	g.say(answer.Snapshot{Stage: answer.StageReady, Message: rag.Message{State: rag.AnswerDone, Text: "The first half and the second."}})
	inStream := second.until(t, "done")

	late := s.stream(t, c, id).until(t, "done")
	require.Equal(t, inStream["text"], late["text"])
	_, page = s.open(t, c, chat)
	require.Equal(t, words(fragment(t, late["text"])), words(all(byID(t, page, "m-"+id), "div", "prose")[0]), "history and stream draw the same")
	require.Equal(t, []string{"How?"}, s.desk.questions())
}

func TestStreamIsThrottledAndSkips(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(_ context.Context, _ *site, _ string, say func(answer.Snapshot)) {
		for i := range 2000 {
			say(writing(strconv.Itoa(i)))
		}
		say(answer.Snapshot{Stage: answer.StageReady, Message: rag.Message{State: rag.AnswerDone, Text: "the end"}})
	}, func(c *handlers.Config, _ *site) { c.StreamGap = 20 * time.Millisecond })
	c := s.browser(t)
	_, id := s.begin(t, c)
	began := time.Now()
	r := s.stream(t, c, id)
	n := 0
	last := ""
	for e, ok := r.next(); ok; e, ok = r.next() {
		if e.name == "text" {
			n++
			last = e.data
		}
	}
	require.Equal(t, "the end", words(fragment(t, last)))
	most := 2 + int(time.Since(began)/(20*time.Millisecond))
	require.LessOrEqual(t, n, most)
}

// T71: stop ends the answer for every reader and keeps the part.
func TestStopEndsTheStream(t *testing.T) {
	t.Parallel()
	g := newGated()
	s := newSite(t, g.script)
	c := s.browser(t)
	chat, id := s.begin(t, c)
	r := s.stream(t, c, id)
	r.until(t, "state")
	g.say(writing("The first half"))
	r.until(t, "text")

	_, page := s.open(t, c, chat)
	resp, _ := s.submit(t, c, page, "/answers/"+id+"/stop", nil, "HX-Request", "true")
	require.Equal(t, http.StatusNoContent, resp.StatusCode)
	state := fragment(t, r.until(t, "done")["state"])
	require.Equal(t, "Stopped You stopped this answer.", words(one(t, state, "div", "notice")))
	m, err := s.store.Message(t.Context(), scope(nil), mustID(t, id))
	require.NoError(t, err)
	require.Equal(t, "The first half", m.Text)
	require.Equal(t, rag.AnswerStopped, m.State)
}

func mustID(t *testing.T, s string) int64 {
	t.Helper()
	var id int64
	_, err := fmt.Sscan(s, &id)
	require.NoError(t, err)
	return id
}

func TestBrokenAnswerIsShownAsBroken(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(_ context.Context, _ *site, _ string, say func(answer.Snapshot)) {
		say(answer.Snapshot{Stage: answer.StageReady, Message: rag.Message{State: rag.AnswerBroken, Text: "Half a", Notice: "The answer broke off."}})
	})
	c := s.browser(t)
	_, id := s.begin(t, c)
	seen := s.stream(t, c, id).until(t, "done")
	state := fragment(t, seen["state"])
	require.Equal(t, "Not complete The answer broke off.", words(one(t, state, "div", "notice")))
	require.Equal(t, "/answers/"+id+"/again", attr(one(t, state, "form"), "action"))
	require.Equal(t, "Not complete", words(byID(t, state, "status")))
}

func TestStreamsOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	resp, _ := s.open(t, s.browser(t), "/answers/999/stream")
	require.Equal(t, http.StatusNotFound, resp.StatusCode)
}

// faulty is a desk whose readers are cut off.
type faulty struct {
	*desk
	err   error
	calls atomic.Int32
}

func (f *faulty) Follow(_ context.Context, _ rag.Scope, id int64, each func(answer.Snapshot) error) error {
	f.calls.Add(1)
	if err := each(answer.Snapshot{Stage: answer.StageWriting, Message: rag.Message{ID: id, State: rag.AnswerWriting, Text: "half"}}); err != nil {
		return err
	}
	return f.err
}

// A stream that ends by a fault of ours is not closed for good: the browser
// comes back. One whose answer was deleted is.
func TestStreamEndsByAFault(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		done bool
	}{
		"store is gone":  {errors.New("connection refused"), false},
		"answer deleted": {rag.Errorf(rag.CodeNotFound, "There is no such message."), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGated()
			s := newSite(t, g.script, func(cfg *handlers.Config, s *site) { cfg.Desk = &faulty{desk: s.desk, err: c.err} })
			b := s.browser(t)
			_, id := s.begin(t, b)
			r := s.stream(t, b, id)
			body, err := io.ReadAll(r.resp.Body)
			require.NoError(t, err)
			require.Contains(t, string(body), "half")
			require.Equal(t, c.done, strings.Contains(string(body), "event: done"))
			require.NotContains(t, string(body), "connection refused")
		})
	}
}

// A reader that does not read is dropped, and the answer goes on.
func TestReaderThatLeavesEndsItsFollowing(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	g := newGated()
	s := newSite(t, g.script, func(cfg *handlers.Config, s *site) { cfg.Desk = &leaving{desk: s.desk, left: left} })
	c := s.browser(t)
	_, id := s.begin(t, c)
	r := s.stream(t, c, id)
	r.until(t, "state")
	require.NoError(t, r.resp.Body.Close())
	select {
	case <-left:
	case <-time.After(10 * time.Second):
		require.Fail(t, "following went on without a reader")
	}
	g.say(writing("goes on"))
}

type leaving struct {
	*desk
	left chan struct{}
}

func (l *leaving) Follow(ctx context.Context, scope rag.Scope, id int64, each func(answer.Snapshot) error) error {
	err := l.desk.Follow(ctx, scope, id, each)
	close(l.left)
	return err
}
