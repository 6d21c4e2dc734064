package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/render"
)

// T65: a citation works whatever its number.
func TestEveryKnownCitationIsALink(t *testing.T) {
	t.Parallel()
	var cites []render.Cite
	var text strings.Builder
	for n := 1; n <= 120; n++ {
		cites = append(cites, render.Cite{Number: n, Href: fmt.Sprintf("#s-7-%d", n), Label: fmt.Sprintf("Source %d", n)})
		fmt.Fprintf(&text, "Sentence %d [%d].\n", n, n)
	}
	links := all(parse(t, render.New().Answer(text.String(), cites)), "a")
	require.Len(t, links, 120)
	for i, a := range links {
		require.Equal(t, fmt.Sprintf("[%d]", i+1), words(a))
		require.Equal(t, fmt.Sprintf("#s-7-%d", i+1), attr(a, "href"))
		require.Equal(t, fmt.Sprintf("Source %d", i+1), attr(a, "aria-label"))
	}
}

func TestCitations(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		source, text string
		links        []string
	}{
		"one":                          {"Do it [1].", "Do it [1].", []string{"#s-9-1"}},
		"side by side":                 {"Do it [1][3].", "Do it [1][3].", []string{"#s-9-1", "#s-9-3"}},
		"several in one bracket":       {"Do it [1, 3].", "Do it [1] [3].", []string{"#s-9-1", "#s-9-3"}},
		"unknown number":               {"Do it [2].", "Do it [2].", nil},
		"known and unknown":            {"Do it [2, 3].", "Do it [2] [3].", []string{"#s-9-3"}},
		"in code":                      {"`a[1]`", "a[1]", nil},
		"in a fence":                   {"```\na[1]\n```", "a[1]", nil},
		"with an address behind":       {"See [1](https://evil.example).", "See [1](https://evil.example).", []string{"#s-9-1", "https://evil.example"}},
		"with a definition behind":     {"Do it [1].\n\n[1]: https://evil.example", "Do it [1]. [1]: https://evil.example", []string{"#s-9-1", "#s-9-1", "https://evil.example"}},
		"inside a link":                {"[see [1]](https://ok.example)", "see [1]", []string{"https://ok.example"}},
		"still being written":          {"Do it [1", "Do it [1", nil},
		"in a table":                   {"| a |\n|---|\n| x [3] |", "a x [3]", []string{"#s-9-3"}},
		"number of an unordered array": {"x[12345]", "x[12345]", nil},
	}
	r := render.New()
	cites := []render.Cite{{Number: 1, Href: "#s-9-1"}, {Number: 3, Href: "#s-9-3"}}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := parse(t, r.Answer(c.source, cites))
			require.Equal(t, c.text, words(doc))
			require.Equal(t, append([]string{}, c.links...), values(all(doc, "a"), "href"))
		})
	}
}

// T70, for the renderer's part: tables and code keep their lines while they grow.
func TestHalfWrittenAnswers(t *testing.T) {
	t.Parallel()
	r := render.New()
	fence := parse(t, r.Answer("Run:\n\n```sh\nkubectl drain \"$NODE\"\n  --force", nil))
	require.Equal(t, []string{`kubectl drain "$NODE" --force`}, texts(all(fence, "pre")))
	require.Equal(t, []string{"language-sh"}, values(all(fence, "code"), "class"))

	table := parse(t, r.Answer("| Drug | Dose |\n|---|---:|\n| A | 5 mg |\n| B", nil))
	require.Equal(t, []string{"Drug", "Dose"}, texts(all(table, "th")))
	require.Equal(t, []string{"A", "5 mg", "B", ""}, texts(all(table, "td")))

	require.NotPanics(t, func() { r.Answer("caf\xc3", nil) })
	require.Equal(t, render.HTML(""), r.Answer("", nil))
}

// T78: numbers and nested code stand as written.
func TestStepNumbersStandAsWritten(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		source string
		want   []string
	}{
		"starts at four":       {"4. Drain\n   ```sh\n   cmd\n   ```\n5. Restart\n", []string{"4", "5"}},
		"with a gap":           {"1. a\n2. b\n5. c\n", []string{"1", "2", "5"}},
		"written all the same": {"1. a\n1. b\n1. c\n", []string{"1", "2", "3"}},
		"twice the same":       {"3. a\n3. b\n", []string{"3", "4"}},
		"brackets":             {"7) a\n8) b\n", []string{"7", "8"}},
		"indented":             {"- x\n\n  2. a\n  3. b\n", []string{"", "2", "3"}},
	}
	r := render.New()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, h := range map[string]render.HTML{"answer": r.Answer(c.source, nil), "document": r.Source(c.source, render.Markdown, render.View{}).HTML} {
				require.Equal(t, c.want, values(all(parse(t, h), "li"), "value"), kind)
			}
		})
	}
	doc := parse(t, r.Answer(cases["starts at four"].source, nil))
	require.Equal(t, []string{"cmd"}, texts(all(doc, "pre")))
}

func TestDocumentsGetAnchors(t *testing.T) {
	t.Parallel()
	text := "---\ntitle: Kafka\n---\n# Kafka & co\n\n## Rotate\n\nSee [below](#rotate-1) and [nowhere](#none).\n\n## Rotate\n\n## Größe *wählen*\n"
	page := render.New().Source(text, render.Markdown, render.View{Anchors: true, Top: 2})
	require.Equal(t, []render.Heading{
		{ID: "h-kafka--co", Level: 1, Text: "Kafka & co", Start: strings.Index(text, "# Kafka")},
		{ID: "h-rotate", Level: 2, Text: "Rotate", Start: strings.Index(text, "## Rotate")},
		{ID: "h-rotate-1", Level: 2, Text: "Rotate", Start: strings.LastIndex(text, "## Rotate")},
		{ID: "h-größe-wählen", Level: 2, Text: "Größe wählen", Start: strings.Index(text, "## Größe")},
	}, page.Headings)
	doc := parse(t, page.HTML)
	require.Equal(t, []string{"h-rotate", "h-rotate-1", "h-größe-wählen"}, values(all(doc, "h3"), "id"))
	require.Equal(t, []string{"#h-rotate-1"}, values(all(doc, "a"), "href"), "a link to a heading that is not there is text")
	require.NotContains(t, words(doc), "title: Kafka")
}

func TestFrontMatter(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		text string
		end  int
	}{
		"none":              {"# Title\n", 0},
		"usual":             {"---\na: b\n---\nText", 13},
		"ends with dots":    {"---\na: b\n...\nText", 13},
		"never closed":      {"---\na: b\nText", 0},
		"not at the start":  {"\n---\na: b\n---\n", 0},
		"nothing behind it": {"---\na: b\n---", 12},
		"a line of hyphens": {"---\n", 0},
		"TOML":              {"+++\na = 1\n+++\nText", 14},
		"TOML has no dots":  {"+++\na = 1\n...\nText", 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, rag.Span{Start: 0, End: c.end}, render.FrontMatter(c.text))
		})
	}
}

// T14: text shows in its own direction.
func TestBlocksTakeTheDirectionOfTheirText(t *testing.T) {
	t.Parallel()
	doc := parse(t, render.New().Source("هل يعطى omeprazole؟\n\n- عنصر\n\n| a |\n|---|\n| ب |\n\n```\nx\n```\n", render.Markdown, render.View{}).HTML)
	for _, tag := range []string{"p", "li", "th", "td"} {
		require.Equal(t, []string{"auto"}, values(all(doc, tag), "dir"), tag)
	}
	require.Equal(t, []string{"ltr"}, values(all(doc, "pre"), "dir"))
}

func TestFormats(t *testing.T) {
	t.Parallel()
	require.Equal(t, render.Plain, render.FormatOf("notes/Alarm.TXT"))
	require.Equal(t, render.Markdown, render.FormatOf("runbooks/kafka.md"))
	require.Equal(t, render.Markdown, render.FormatOf("https://wiki.example/page"))
	require.Equal(t, render.Plain, render.FormatOf("https://wiki.example/page.txt?raw=1"))
	require.Equal(t, render.Plain, render.FormatOf("notes/README"))

	text := "Restart *now*:\n  # not a heading\n\n<b>second</b> block\n"
	doc := parse(t, render.New().Source(text, render.Plain, render.View{Marks: []rag.Span{span(t, text, "not a")}}).HTML)
	require.Equal(t, []string{"Restart *now*: # not a heading", "<b>second</b> block"}, texts(all(doc, "p")))
	require.Equal(t, []string{"not a"}, texts(all(doc, "mark")))
}

func TestHeadingsStandBelowWhatSurroundsThem(t *testing.T) {
	t.Parallel()
	r := render.New()
	tags := func(h render.HTML) string {
		var found []string
		for _, n := range all(parse(t, h), "") {
			if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data != "hr" {
				found = append(found, n.Data)
			}
		}
		return strings.Join(found, " ")
	}
	require.Equal(t, "h3 h4", tags(r.Answer("## a\n\n### b\n", nil)))
	require.Equal(t, "h3", tags(r.Answer("###### a\n", nil)))
	text := "# a\n\n## b\n\n### c\n\n#### d\n"
	require.Equal(t, "h1 h2 h3 h4", tags(r.Source(text, render.Markdown, render.View{}).HTML))
	require.Equal(t, "h5 h6", tags(r.Source(text, render.Markdown, render.View{Top: 5, Clip: span(t, text, "## b\n\n### c\n")}).HTML))
	require.Equal(t, "h5 h6 h6 h6", tags(r.Source(text, render.Markdown, render.View{Top: 5}).HTML))
}

func TestLineBreakBehindAMark(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"**a**\nb":                  "a b",
		"`a`  \nb":                  "a b",
		"[a](http://b.c)\\\n*d*\ne": "a d e",
	} {
		doc := parse(t, render.New().Source(in, render.Markdown, render.View{}).HTML)
		require.Equal(t, want, words(doc), "%q", in)
		require.Equal(t, strings.Contains(in, "\\") || strings.Contains(in, "  "), len(all(doc, "br")) == 1, "%q", in)
	}
}

func TestAlertsShowTheirKind(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"> [!WARNING]\n> Do not.":        "<strong>Warning</strong><br>\nDo not.",
		"> [!tab]\n>\n> **Linux**":       "<strong>Tab</strong></p>",
		"> [!note]- Title\n> Words.":     "<strong>Note</strong> Title<br>\nWords.",
		"> text [!note]":                 "text [!note]",
		"[!note]":                        "[!note]",
		"> a\n>\n> [!note]":              "[!note]",
		"> [!a<b]":                       "[!a&lt;b]",
		"> [!note](https://a.example/b)": ">!note</a>",
	} {
		html := string(render.New().Source(in, render.Markdown, render.View{}).HTML)
		require.Contains(t, html, want, "%q", in)
	}
}
