package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// TestSearchLab compares settings on the example documents: the hits do not
// depend on k (T02), each column says which strategy was used (T33), and chunks
// that no document has are said to be missing.
func TestSearchLab(t *testing.T) {
	t.Parallel()
	s := serveExamples(t, empty(t))
	p := s.get("/lab?" + url.Values{
		"q": {"how do I rotate the broker certificates?"}, "s1": {"sentence_window"}, "k1": {"0"}, "exact1": {"1"},
		"s2": {"sentence_window"}, "k2": {"5"}, "s3": {"fixed_tokens"}, "size3": {"100"}, "overlap3": {"10"},
	}.Encode())
	require.Equal(t, http.StatusOK, p.status)
	a, b, c := labColumn(p, "column-a"), labColumn(p, "column-b"), labColumn(p, "column-c")
	scores := func(n *html.Node) []string {
		var list []string
		for d := range n.Descendants() {
			if d.Type == html.ElementNode && d.Data == "dl" && strings.HasPrefix(text(d), "score") {
				list = append(list, text(d))
			}
		}
		return list
	}
	require.Len(t, scores(a), 30)
	require.Equal(t, scores(a), scores(b), "which units are hit, and their scores, do not depend on k")
	require.Contains(t, text(a), "sentence_window k=0")
	require.Contains(t, text(a), "1 sentence or step")
	require.Contains(t, text(a), "Kafka: rotate the broker certificates › Verification", "a hit says where it stands")
	require.Contains(t, text(b), "sentence_window k=5")
	require.Contains(t, text(b), "steps 1–11 of 11", "the procedure is whole")
	require.NotContains(t, text(a), "steps 1–11 of 11", "an exact window is not completed")
	require.Contains(t, text(c), "Chunks are missing")
	require.Contains(t, text(c), "web retrieve --strategy fixed_tokens --size 100 --overlap 10")
	require.Empty(t, scores(c))

	// Every document is cut as its type asks for.
	p = s.get("/lab?" + url.Values{"q": {"how do I rotate the broker certificates?"}}.Encode())
	require.NotContains(t, p.text(), "Chunks are missing")
	require.Contains(t, p.text(), "parent_section cap=1024")
	require.NoError(t, s.stop())
}

func labColumn(p page, id string) *html.Node {
	return p.find("section", func(n *html.Node) bool { return attr(n, "id") == id })
}
