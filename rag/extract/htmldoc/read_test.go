package htmldoc_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/rag"
	"passage/rag/extract/compose"
	"passage/rag/extract/htmldoc"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// write reads a page and writes it as text.
func write(t *testing.T, page string) string {
	t.Helper()
	doc, err := htmldoc.Read([]byte(page))
	require.NoError(t, err)
	text, _ := compose.Write(doc)
	return text
}

// TestPages reads whole pages as Confluence, MkDocs, Docusaurus, Sphinx,
// MediaWiki and authors by hand make them.
func TestPages(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "pages", "*.html"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			page, err := os.ReadFile(filepath.Clean(path))
			require.NoError(t, err)
			doc, err := htmldoc.Read(page)
			require.NoError(t, err)
			text, _ := compose.Write(doc)
			head := []string{"title: " + doc.Title}
			for _, key := range []string{"author", "canonical", "date", "description"} {
				if v := doc.Meta[key]; v != "" {
					head = append(head, key+": "+v)
				}
			}
			got := strings.Join(head, "\n") + "\n\n" + text
			golden := strings.TrimSuffix(path, ".html") + ".md"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
			}
			want, err := os.ReadFile(filepath.Clean(golden))
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// TestBlocks reads pieces of a page.
func TestBlocks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"white space", "<p> a\n <b> b </b>\tc</p>", "a **b** c"},
		{"words between blocks", "a<p>b</p>c<div>d</div>e", "a\n\nb\n\nc\n\nd\n\ne"},
		{"unclosed elements", "<p>a<p>b<ul><li>c<li>d", "a\n\nb\n\n- c\n- d"},
		{"a block inside a style", "<b>a<p>b</p></b>", "**a**\n\n**b**"},
		{"headings", "<h1>a <b>b</b></h1><h3>c<br>d</h3><div role=heading aria-level=4>e</div>", "# a b\n\n### c d\n\n#### e"},
		{"dropped", "<script>x</script><style>x</style><noscript>x</noscript><template>x</template><nav>x</nav><p hidden>x</p><p style='display: none'>x</p><button>x</button><select><option>x</select><textarea>x</textarea>a", "a"},
		{"hidden behind a click", "<div hidden class=tab-panel>a</div><div style='display:none' class='expand-content'>b</div><details><summary>c</summary>d</details>", "a\n\nb\n\n**c**\n\nd"},
		{"icons", "<i class=icon aria-hidden=true>warning</i><span aria-hidden=true>×</span><p aria-hidden=true>a long text</p>", "a long text"},
		{"header and footer of the page", "<header><a href=/>Home</a></header><p>a</p><footer>f</footer>", "a"},
		{"header and footer of an article", "<article><header><h1>t</h1></header>a<footer>f</footer></article><p>b and more words than the article has, by far</p>", "# t\n\na\n\nf\n\nb and more words than the article has, by far"},
		{"a heading that is a link to itself", "<h2><a class=header href='#a'>a</a></h2><h2><a class=header-anchor href='#b'><span>b</span></a></h2><h2>c<a class=hash-link href='#c'>&#x200b;</a><a href='#c'>#</a></h2>", "## a\n\n## b\n\n## c"},
		{"buttons that unfold", "<h3><button class=accordion-button>a?</button></h3><div class=accordion-body>b</div><button>Copy</button>", "### a?\n\nb"},
		{"cells and items with names of menus", "<table><tr><th class=header><a href=x>a</a><th>b<tr><td class=nav><a href=y>c</a><td>d</table>", "| [a](x) | b |\n| --- | --- |\n| [c](y) | d |"},
		{"a page of links", "<nav><ul><li><a href=a>a</a><li><a href=b>b</a></ul></nav>", "- [a](a)\n- [b](b)"},
		{"a header that is a part", "<header><h2>a</h2><p>b</header><p>c", "## a\n\nb\n\nc"},
		{"main", "<div>menu</div><main><p>the words of the page</p></main>", "the words of the page"},
		{"a main that holds little", "<main>x</main><p>all the words of the page stand here</p>", "x\n\nall the words of the page stand here"},
		{"two articles", "<article>a</article><article>b</article>", "a\n\nb"},
		{"powers and indices", "10<sup>9</sup> m<sup>2</sup> s<sup>-1</sup> x<sup>n</sup> Na<sup>+</sup> 1<sup>st</sup> H<sub>2</sub>O <sup>a</sup>", "10^9 m^2 s^-1 x^n Na+ 1st H2O a"},
		{"marks of footnotes", "a<sup><a href='#f1'>1</a></sup> b<sup><a href='#f2'>[2]</a></sup>", "a\\[[1](#f1)] b[\\[2\\]](#f2)"},
		{"invisible characters", "5&nbsp;mg co&shy;op re&#x200b;start", "5 mg coop restart"},
		{"entities", "&lt;host&gt; &amp;amp; &copy; &#8364;", "\\<host> \\&amp; © €"},
		{"images", "<img src=a.png alt='a b'> <img src=c.png> <img src='data:x' alt=d> <img class=emoticon src=e.png alt='(tick)'>", "![a b](a.png) d (tick)"},
		{"links", "<a href='/x y'>a</a> <a name=b></a><a href='javascript:x'>c</a>", "[a](/x%20y) c"},
		{"links of a page that says where it is", "<base href='https://a.example/b/'><a href='../c'>d</a> <a href='#e'>f</a>", "[d](https://a.example/c) [f](#e)"},
		{"a definition list", "<dl><dt>a<dd>b<dd>c</dl>", "**a**\n\nb\n\nc"},
		{"code in lines", "<p><code>a<br>b</code></p><code>c</code>", "```\na\nb\n```\n\n`c`"},
		{"code with blocks inside", "<pre><div>a</div><div>  b</div></pre>", "```\na\n  b\n```"},
		{"language", "<pre class='brush: sql; x'>a</pre><div class=sourceCode><pre class='sourceCode bash'>b</pre></div><pre><code data-lang=go>c</code></pre>", "```sql\na\n```\n\n```bash\nb\n```\n\n```go\nc\n```"},
		{"two breaks", "a<br>b<br> <br>c", "a  \nb\n\nc"},
		{"words between items", "<ol>x<li>a</li>y<pre>z</pre><li>b</li></ol>", "x\n\n1. a\n\n   y\n\n   ```\n   z\n   ```\n\n2. b"},
		{"a list right inside a list", "<ul><li>a</li><ol><li>b</li></ol></ul>", "- a\n  1. b"},
		{"a list that goes on", "<ol><li>a</ol><pre>x</pre><ol start=2><li>b</ol>", "1. a\n\n   ```\n   x\n   ```\n\n2. b"},
		{"a list that does not go on", "<ol><li>a</ol><h2>x</h2><ol start=2><li>b</ol>", "1. a\n\n## x\n\n2. b"},
		{"labels", "<ol type=a><li>a<li>b</ol><ol style='list-style-type: lower-roman'><li>c<li>d</ol><ol start=7><li>e<li value=9>f<li>g</ol>", "a. a\nb. b\n\ni. c\nii. d\n\n7. e\n9. f\n10. g"},
		{"tasks", "<ul><li><input type=checkbox checked>a<li><label><input type=checkbox>b</label></ul>", "- [x] a\n- [ ] b"},
		{"typed numbers", "<p>1. a<p>2.&nbsp;<b>b</b><pre>x</pre><p>3. c<p>5. d", "1. a\n\n2. **b**\n\n   ```\n   x\n   ```\n\n3. c\n\n5\\. d"},
		{"a typed number 1 begins another list", "<p>1. a<p>2. b<p>1. c<p>2. d<p>3. e", "1. a\n2. b\n\n***\n\n1. c\n2. d\n3. e"},
		{"a typed number 1 behind words begins another list", "<p>1. a<p>2. b<p>x<p>1. c<p>2. d<p>3. e", "1. a\n2. b\n\nx\n\n1. c\n2. d\n3. e"},
		{"numbers typed into items", "<ul style='list-style: none'><li>1) a<li>2) b</ul>", "1) a\n2) b"},
		{"typed lines", "Do:<br>1) a<br>more<br>2) b<p>• c<br>• d", "Do:\n\n1) a  \n   more\n2) b\n\n- c\n- d"},
		{"numbers that do not count", "<p>1. a<p>3. b<p><b>1. c</b><p>x<p><b>2. d</b><p>1. e<h2>f</h2><p>2. g", "1\\. a\n\n3\\. b\n\n**1. c**\n\nx\n\n**2. d**\n\n1\\. e\n\n## f\n\n2\\. g"},
		{"notes", "<div class='alert alert-danger'>a</div><div class=warning><h3 class=title>Warning</h3>b</div><div class='markdown-alert markdown-alert-tip'><p class=markdown-alert-title>Tip</p>c</div>", "> **Danger**\n>\n> a\n\n> **Warning**\n>\n> b\n\n> **Tip**\n>\n> c"},
		{"a table without a header", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "| | |\n| --- | --- |\n| a | b |\n| c | d |"},
		{"a table of layout", "<table role=presentation><tr><td><p>a<td><ul><li>b</ul></table>", "a\n\n- b"},
		{"a table that is one cell", "<table><tr><td><h2>a</h2><p>b</table>", "## a\n\nb"},
		{"a table with blocks", "<table><tr><th>Step<th>Do<tr><td>1<td><pre>x</pre><tr><td>2<td>y</table>", "**Step:** 1\n\n**1 – Do**\n\n```\nx\n```\n\n**Step:** 2\n\n**2 – Do:** y"},
		{"short lists in cells", "<table><tr><td>Aspirin<td><ul><li>300 mg<li>then 75 mg</ul><tr><td>Disk<td><ol><li>Stop it<li>Start it</ol></table>", "| | |\n| --- | --- |\n| Aspirin | • 300 mg<br>• then 75 mg |\n| Disk | 1. Stop it<br>2. Start it |"},
		{"a table with blocks and without a header", "<table><tr><td>Aspirin<td><pre>x</pre><td>p.o.<tr><td rowspan=2>Heparin<td>5000 U<tr><td>s.c.<tr><td>alone</table>", "**Aspirin**\n\n```\nx\n```\n\n**Aspirin:** p.o.\n\n**Heparin:** 5000 U\n\n**Heparin:** s.c.\n\nalone"},
		{"spans", "<table><tr><th>a<th colspan=2>b<tr><td rowspan=2>c<td>d<td>e<tr><td colspan=2>f</table>", "| a | b | b |\n| --- | --- | --- |\n| c | d | e |\n| c | f | f |"},
		{"math", "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></semantics></math>", "`x^2`"},
		{"a drawing", "<svg><title>t</title><g><text>a</text><text>b</text></g></svg>", "a b"},
		{"words of a label with sounds", "<ruby>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>", "字(じ)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, strings.TrimSuffix(write(t, c.in), "\n"))
		})
	}
}

func TestDeclared(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"<meta charset=iso-8859-2>":                                                         "iso-8859-2",
		"\xEF\xBB\xBF<!-- c --><html><head><META CHARSET='Shift_JIS'>":                      "Shift_JIS",
		"<meta http-equiv=Content-Type content='text/html; charset = \"windows-1251\"; x'>": "windows-1251",
		"<meta name=x content='charset=a'><meta charset=b>":                                 "b",
		"<?xml version=\"1.0\" encoding='EUC-JP'?><html>":                                   "EUC-JP",
		"<meta charset=utf-16le>":                                                           "utf-8",
		"<script>'<meta charset=a>'</script><title><meta charset=b></title>":                "",
		"<body><meta charset=a>":                                                            "",
		"":                                                                                  "",
		strings.Repeat(" ", 9000) + "<meta charset=a>":                                      "",
	} {
		require.Equal(t, want, htmldoc.Declared([]byte(in)), in[:min(len(in), 60)])
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in, code, says string
	}{
		"no words":  {"<html><body><script>x</script><div id=root></div>", string(rag.CodeInvalid), "holds no text"},
		"nothing":   {"", string(rag.CodeInvalid), "holds no text"},
		"too deep":  {strings.Repeat("<ul><li>", 600) + "a", string(rag.CodeInvalid), "nested more than"},
		"too large": {strings.Repeat("<b>", 1_000_001), string(rag.CodeTooLarge), "more than 1000000 elements"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := htmldoc.Read([]byte(c.in))
			require.Equal(t, c.code, string(rag.ErrorCode(err)))
			require.ErrorContains(t, err, c.says)
		})
	}
}

// TestHostilePages has pages that make a careless reader slow or large.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"nested elements":    strings.Repeat("<div><span>", 8_000) + "a",
		"open formatting":    strings.Repeat("<font color=a><b><i x=1>", 200) + strings.Repeat("<p>a", 4_000),
		"differing fonts":    func() string { return fonts(400) + strings.Repeat("<p>a", 4_000) }(),
		"spans":              "<table>" + strings.Repeat("<tr><td rowspan=1000 colspan=1000>"+strings.Repeat("word ", 50), 200),
		"wide rows":          "<table><tr><td colspan=1000 rowspan=0>a" + strings.Repeat("<tr>", 10_000),
		"sidebars":           strings.Repeat("<div class=toc><aside>", 140) + strings.Repeat("a ", 50_000),
		"tabs":               strings.Repeat("<div class=tab-pane>a</div>", 5_000),
		"headers":            strings.Repeat("<header>a</header>", 10_000) + "b",
		"sups":               strings.Repeat("x<sup>", 200) + strings.Repeat("a", 30_000),
		"an attribute":       "<p class='" + strings.Repeat("a ", 200_000) + "'>a",
		"unclosed comment":   "a<!--" + strings.Repeat("-", 500_000),
		"many blocks":        strings.Repeat("<p>a", 8_000),
		"many items":         strings.Repeat("<li>a", 8_000),
		"many small lists":   strings.Repeat("<ol start=2><li>a</ol>", 5_000),
		"line breaks":        strings.Repeat("a<br>", 8_000),
		"inline elements":    "<p>" + strings.Repeat("<b>a</b>", 8_000),
		"unclosed links":     strings.Repeat("<a href=x>a", 10_000),
		"nested tables":      strings.Repeat("<table><tr><td>", 120) + "a",
		"definitions":        strings.Repeat("<dt>a<dd>b", 10_000),
		"a very long word":   strings.Repeat("a", 1<<19),
		"misnested elements": strings.Repeat("<b><p></b></p>", 8_000) + "a",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			doc, err := htmldoc.Read([]byte(page))
			if err != nil {
				require.NotEmpty(t, rag.ErrorCode(err))
			}
			text, _ := compose.Write(doc)
			require.Less(t, time.Since(start), 30*time.Second)
			require.Less(t, len(text), 20*len(page)+1000)
		})
	}
}

// fonts opens elements of formatting that all differ.
func fonts(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<font size=" + strings.Repeat("1", i%50) + " color=" + strings.Repeat("2", i/50) + ">")
	}
	return b.String()
}

// around names, by tag, class or id, what of a page is not read.
var around = map[string][]string{
	"confluence": {"title", "main-header", "page-metadata", "toc-macro", "pageSection", "footer"},
	"docusaurus": {"title", "skipToContent_fXgn", "nav", "aside", "theme-doc-footer", "footer", "button", "tabs"},
	"dose":       {"title", "logo", "nav", "aside", "footer", "thead", "heads"}, // heads of columns move
	"lists":      {"title"},
	"mkdocs":     {"title", "style", "script", "md-skip", "md-header", "md-sidebar", "headerlink", "linenos", "tabbed-labels", "md-footer", "footnote-backref"},
	"sphinx":     {"title", "related", "headerlink", "contents", "linenos", "sphinxsidebar", "footer"},
	"wiki":       {"title", "firstHeading", "siteSub", "mw-jump-link", "toc", "mw-editsection", "math", "printfooter", "catlinks", "mw-navigation", "footer"},
}

// TestWordsStay says that the text of a page holds all its words, in order.
func TestWordsStay(t *testing.T) {
	t.Parallel()
	for name, without := range around {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := os.ReadFile(filepath.Join("testdata", "pages", name+".html"))
			require.NoError(t, err)
			root, err := html.Parse(strings.NewReader(string(page)))
			require.NoError(t, err)
			var want strings.Builder
			var walk func(n *html.Node)
			walk = func(n *html.Node) {
				if n.Type == html.TextNode {
					want.WriteString(n.Data)
				}
				names := []string{n.Data}
				for _, a := range n.Attr {
					if a.Key == "class" || a.Key == "id" {
						names = append(names, strings.Fields(a.Val)...)
					}
				}
				for _, w := range without {
					if n.Type == html.ElementNode && slices.Contains(names, w) {
						return
					}
				}
				for c := range n.ChildNodes() {
					walk(c)
				}
			}
			walk(root)
			require.Empty(t, missing(letters(want.String()), letters(write(t, string(page)))))
		})
	}
}

// letters are the letters and digits of s.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// missing is what of the characters of want does not stand in got, in order.
func missing(want, got string) string {
	rest := []rune(strings.Join(strings.Fields(want), ""))
	for _, r := range got {
		if len(rest) > 0 && rest[0] == r {
			rest = rest[1:]
		}
	}
	return string(rest)
}
