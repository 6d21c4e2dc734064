package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAskWithHtmx(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	resp, part := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}}, "HX-Request", "true")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Regexp(t, `^/chats/\d+$`, resp.Header.Get("HX-Push-Url"))
	require.Equal(t, "How? · Passage", words(one(t, part, "title")))
	require.Empty(t, all(part, "main"), "a part of a page has no frame")
	for _, id := range []string{"chats-narrow", "chats-wide"} {
		list := byID(t, part, id)
		require.Equal(t, "outerHTML", attr(list, "hx-swap-oob"))
		require.Equal(t, []string{"New question", "How?"}, texts(all(list, "a")))
	}

	chat := resp.Header.Get("HX-Push-Url")
	resp, part = s.submit(t, c, part, chat+"/messages", url.Values{"question": {"And then?"}}, "HX-Request", "true")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, "You asked: And then?", words(one(t, part, "h2")))
	a := one(t, part, "article", "answer")
	id := strings.TrimPrefix(attr(a, "id"), "m-")
	require.Equal(t, "/answers/"+id+"/stream", attr(a, "sse-connect"))
	require.Equal(t, "done", attr(a, "sse-close"))
	require.Equal(t, "sse", attr(a, "hx-ext"))
	require.Empty(t, resp.Header.Get("HX-Push-Url"))
}

// An answer may be there before the page of its question is: its stage is then
// told with the page, as no stream follows.
func TestAnswersThatAreReadyAtOnceAreAnnounced(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	s.desk.atOnce = true
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	resp, part := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}}, "HX-Request", "true")
	for range 2 {
		require.Equal(t, http.StatusOK, resp.StatusCode)
		require.Empty(t, attr(one(t, part, "article", "answer"), "sse-connect"))
		require.Equal(t, "The answer is ready.", words(byID(t, part, "status")))
		if chat := resp.Header.Get("HX-Push-Url"); chat != "" {
			_, start = s.open(t, c, chat)
			require.Empty(t, words(byID(t, start, "status")), "an old conversation announces nothing")
			resp, part = s.submit(t, c, start, chat+"/messages", url.Values{"question": {"And then?"}}, "HX-Request", "true")
		}
	}
}

func TestQuestionsAreChecked(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		values url.Values
		status int
		want   string
	}{
		"nothing":           {nil, http.StatusBadRequest, "Please type a question."},
		"white space":       {url.Values{"question": {" \n "}}, http.StatusBadRequest, "Please type a question."},
		"too long":          {url.Values{"question": {strings.Repeat("ä", 4001)}}, http.StatusRequestEntityTooLarge, "A question may have at most 4000 characters; this one has 4001."},
		"just short enough": {url.Values{"question": {strings.Repeat("ä", 4000)}}, http.StatusOK, ""},
		"a suggestion":      {url.Values{"question": {"", "How?"}}, http.StatusOK, ""},
		"far too much":      {url.Values{"question": {strings.Repeat("x", 2<<20)}}, http.StatusRequestEntityTooLarge, "That is more than may be sent at once."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, finished(t))
			b := s.browser(t)
			_, start := s.open(t, b, "/")
			resp, page := s.submit(t, b, start, "/chats", c.values)
			require.Equal(t, c.status, resp.StatusCode)
			require.Contains(t, words(page), c.want)
			if c.status != http.StatusOK {
				require.Empty(t, s.desk.questions())
				id := resp.Header.Get("X-Request-ID")
				require.Len(t, id, 12)
				require.Contains(t, words(page), "Request "+id)
			}

			resp, part := s.submit(t, b, start, "/chats", c.values, "HX-Request", "true")
			require.Equal(t, c.status, resp.StatusCode)
			if c.status != http.StatusOK {
				require.Equal(t, "#alerts", resp.Header.Get("HX-Retarget"))
				require.Empty(t, all(part, "main"))
				require.Contains(t, words(one(t, part, "div", "notice")), c.want)
			}
		})
	}
}

func TestAskInAChatThatIsNotThere(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	token := url.Values{"_csrf": {attr(all(start, "input")[0], "value")}, "question": {"How?"}}
	for path, want := range map[string]int{"/chats/999/messages": 404, "/chats/x/messages": 404, "/chats/-1/messages": 404, "/answers/999/stop": 404, "/answers/999/again": 404} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(token.Encode()))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp, page := do(t, c, r)
		require.Equal(t, want, resp.StatusCode, path)
		require.Equal(t, "Not found", words(one(t, page, "h1")), path)
	}
}
