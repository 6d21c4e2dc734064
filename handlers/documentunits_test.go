package handlers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/rag"
	"passage/rag/split"
	"passage/rag/tokens"
)

// shownText joins what a page shows of a text, as it is.
func shownText(page *html.Node) string {
	var b strings.Builder
	for _, n := range all(byInside(page, "raw"), "span") {
		if class := attr(n, "class"); class != "gap" && class != "words" {
			continue
		}
		for d := range n.Descendants() {
			if d.Type == html.TextNode {
				b.WriteString(d.Data)
			}
		}
	}
	return b.String()
}

// byInside puts all elements of the class under one node.
func byInside(page *html.Node, class string) *html.Node {
	root := &html.Node{Type: html.ElementNode, Data: "div"}
	for _, n := range all(page, "div", class) {
		n.Parent.RemoveChild(n)
		root.AppendChild(n)
	}
	return root
}

// The page shows every byte of the text with the units, steps and sections that
// are stored.
func TestHowPassageReadsADocument(t *testing.T) {
	t.Parallel()
	s, doc := newHistory(t, brokerText)
	c := s.browser(t)
	_, page := s.open(t, c, fmt.Sprintf("/documents/%d", doc.ID))
	_, page = s.open(t, c, link(t, page, "How Passage reads this"))
	o := s.store.versions[doc.VersionID].Outline

	sections := all(page, "section", "read")
	require.Len(t, sections, len(o.Sections))
	for i, section := range sections {
		require.Contains(t, words(section), fmt.Sprintf("%d tokens", o.Sections[i].Tokens))
		require.Contains(t, words(section), fmt.Sprintf("bytes %d–%d", o.Sections[i].Span.Start, o.Sections[i].Span.End))
	}
	for _, a := range all(one(t, page, "nav", "outline"), "a") {
		byID(t, page, strings.TrimPrefix(attr(a, "href"), "#"))
	}
	var steps []string
	for _, group := range all(page, "div", "step") {
		steps = append(steps, words(one(t, group, "p", "part")))
	}
	require.Len(t, steps, 6)
	require.Equal(t, "Procedure 1, step 2 of 6, written “2.”", steps[1])
	require.NotEmpty(t, all(page, "div", "lead"), "the warning before the steps")
	var names []string
	for _, b := range all(page, "b") {
		names = append(names, words(b))
	}
	var want []string
	for _, u := range o.Units {
		want = append(want, fmt.Sprintf("%d %s", u.Ordinal+1, u.Kind))
	}
	require.Subset(t, strip(names), want)
	require.Equal(t, brokerText, shownText(page))
}

// strip takes from names of units what stands behind the kind.
func strip(names []string) []string {
	var out []string
	for _, name := range names {
		name, _, _ = strings.Cut(name, ",")
		out = append(out, strings.TrimSuffix(name, " with its header"))
	}
	return out
}

// Chunks overlap, and a long text has several pages: both show each byte once.
func TestUnitsOfALongDocument(t *testing.T) {
	t.Parallel()
	text := "# Long\n\n" + strings.Repeat("Ein Satz mit Ümlaut & <b>Zeichen</b>. ", 9_000) + "\n\n## End\n\nLast.\n"
	s, doc := newHistory(t, text)
	r := s.store.versions[doc.VersionID]
	tok, err := tokens.CL100K()
	require.NoError(t, err)
	require.NoError(t, split.AddChunks(text, &r.Outline, rag.Strategy{Kind: rag.FixedChars, Size: 1_000, Overlap: 100}, split.Options{Tokens: tok}))
	c := s.browser(t)
	for _, set := range []string{"", "&set=chars-1000-100", "&set=nothing"} {
		var shown strings.Builder
		pages, several := 0, 0
		for path := fmt.Sprintf("/documents/%d?show=units%s", doc.ID, set); path != ""; pages++ {
			require.Less(t, pages, 6)
			_, page := s.open(t, c, path)
			path = ""
			for _, a := range all(page, "a") {
				if attr(a, "rel") == "next" {
					path = attr(a, "href")
				}
			}
			several += len(all(page, "span", "several"))
			shown.WriteString(shownText(page))
		}
		require.Equal(t, text, shown.String(), set)
		require.Greater(t, pages, 1)
		require.Equal(t, set == "&set=chars-1000-100", several > 0, set)
	}
}
