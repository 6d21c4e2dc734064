package handlers_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// How long a run may take to end, and how often it is looked at.
const (
	patienceOfRuns = 20 * time.Second
	tickOfRuns     = 5 * time.Millisecond
)

// fragment opens a page as htmx does.
func (s *site) fragment(t *testing.T, c *http.Client, path string) (reply, *html.Node) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
	require.NoError(t, err)
	r.Header.Set("HX-Request", "true")
	return do(t, c, r)
}

// values are the values of the inputs of a name, in order.
func values(page *html.Node, name string) []string {
	var found []string
	for _, i := range all(page, "input") {
		if attr(i, "name") == name {
			found = append(found, attr(i, "value"))
		}
	}
	return found
}

// checked is the value of the input of a name that is checked.
func checked(page *html.Node, name string) string {
	for _, i := range all(page, "input") {
		if attr(i, "name") != name {
			continue
		}
		for _, a := range i.Attr {
			if a.Key == "checked" {
				return attr(i, "value")
			}
		}
	}
	return ""
}
