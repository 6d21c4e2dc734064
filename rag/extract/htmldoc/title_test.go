package htmldoc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/extract/compose"
	"passage/rag/extract/htmldoc"
)

func TestTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"<title>a - b</title><h1>c</h1>d", "c"},
		{"<title>a | b</title>d", "a"},
		{"<title>a - b</title>d", "a - b"},
		{"<title>a - b</title><meta property='og:site_name' content='b'>d", "a"},
		{"<title>x</title><meta property='og:title' content='a&nbsp;b'>d", "a b"},
		{"<title>a b</title><header><a href=/>s</a><h1>a</h1></header><main>all the words here</main>", "a"},
		{"<title>S : P</title><div class=wiki-content>d</div>", "P"},
		{"d", ""},
	} {
		doc, err := htmldoc.Read([]byte(c.in))
		require.NoError(t, err)
		require.Equal(t, c.want, doc.Title, c.in)
	}
}

// TestHeadingsAbove has pages whose heading stands over what holds their words.
func TestHeadingsAbove(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, title, text string }{
		{"in a header", "<title>Site</title><header><h1>Rotate <i>certificates</i></h1></header><article><p>Body of the page", "Rotate certificates", "# Rotate _certificates_\n\nBody of the page"},
		{"of a wiki", "<title>Wiki</title><div id=content><h1 id=firstHeading class=firstHeading>Rotate certificates</h1><div class=mw-parser-output><p>Body<h2>Steps</h2>", "Rotate certificates", "# Rotate certificates\n\nBody\n\n## Steps"},
		{"no title", "<h1>Rotate</h1><main>Body text", "Rotate", "# Rotate\n\nBody text"},
		{"the title says it", "<title>Rotate - Wiki</title><h1>Rotate</h1><main>Body text", "Rotate", "Body text"},
		{"the content says it", "<title>Wiki</title><header><h1>Rotate</h1></header><main><h1>rotate</h1>Body", "rotate", "# rotate\n\nBody"},
		{"over a content with parts of level 1", "<title>Wiki</title><h1>Rotate</h1><main>Body<h1>Before</h1>All brokers up", "Rotate", "Body\n\n# Before\n\nAll brokers up"},
		{"the name of the site", "<title>Rotate - Acme</title><header><h1>Acme handbook</h1></header><main><h1>Rotate</h1>Body text", "Rotate", "# Rotate\n\nBody text"},
		{"a logo that is a link", "<title>Wiki</title><div><h1><a href=/>Acme</a></h1></div><main>Body text", "Wiki", "Body text"},
		{"a logo by name, then the heading", "<title>Wiki</title><div class=site-title><h1>Acme</h1></div><h1>Rotate<a href='#x'>#</a></h1><main>Body text", "Rotate", "# Rotate\n\nBody text"},
		{"in a menu", "<title>Wiki</title><nav><h1>Pages</h1></nav><main>Body text", "Wiki", "Body text"},
		{"behind the content", "<title>Wiki</title><main>Body text</main><h1>More</h1>", "Wiki", "Body text"},
		{"of a space", "<title>Ops : Rotate</title><h1 id=title-heading>Ops : Rotate</h1><div class=wiki-content>Body text<h1>Before</h1>a", "Rotate", "Body text\n\n# Before\n\na"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc, err := htmldoc.Read([]byte(c.in))
			require.NoError(t, err)
			require.Empty(t, doc.Warnings)
			require.Equal(t, c.title, doc.Title)
			text, _ := compose.Write(doc)
			require.Equal(t, c.text, strings.TrimSuffix(text, "\n"))
		})
	}
}

// TestNavigationIsToldOf says that who uploads a page of links hears of it.
func TestNavigationIsToldOf(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"<nav><a href=a>a</a></nav>", "<footer>f</footer>", "<nav><a href=a>a</a></nav><footer>f</footer>"} {
		doc, err := htmldoc.Read([]byte(page))
		require.NoError(t, err)
		require.Equal(t, []string{"The page seems to hold only navigation."}, doc.Warnings, page)
	}
	_, err := htmldoc.Read([]byte("<nav></nav>"))
	require.Error(t, err)
}
