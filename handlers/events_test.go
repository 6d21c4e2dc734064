package handlers_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// event is one server-sent event; a comment has the name ":".
type event struct{ name, data string }

// reader reads a stream as a browser does (HTML standard, section 9.2.6).
type reader struct {
	*bufio.Scanner
	resp *http.Response
}

func (s *site) stream(t *testing.T, c *http.Client, id string) *reader {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/answers/"+id+"/stream", nil)
	require.NoError(t, err)
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Accept-Encoding", "gzip")
	resp, err := c.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	return &reader{Scanner: lines, resp: resp}
}

// next gives the next event; ok is false at the end of the stream.
func (r *reader) next() (e event, ok bool) {
	var data []string
	for r.Scan() {
		line := r.Text()
		switch {
		case line == "" && (e.name != "" || data != nil):
			e.data = strings.Join(data, "\n")
			return e, true
		case strings.HasPrefix(line, ":"):
			return event{":", line}, true
		case strings.HasPrefix(line, "event: "):
			e.name = line[len("event: "):]
		case strings.HasPrefix(line, "data: "):
			data = append(data, line[len("data: "):])
		}
	}
	return e, false
}

// until reads events until one has the name, and gives what each name said last.
func (r *reader) until(t *testing.T, name string) map[string]string {
	t.Helper()
	seen := map[string]string{}
	for {
		e, ok := r.next()
		require.True(t, ok, "the stream holds %q; it held %v", name, seen)
		seen[e.name] = e.data
		if e.name == name {
			return seen
		}
	}
}
