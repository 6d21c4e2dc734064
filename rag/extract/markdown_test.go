package extract

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// read extracts a file that must be good.
func read(t *testing.T, name, text string) rag.Extraction {
	t.Helper()
	x, err := File(t.Context(), name, []byte(text))
	require.NoError(t, err)
	require.Empty(t, faults(x))
	return x
}

// TestMarkdownForms has the forms in which procedures and the rest of a
// runbook are really written, each with the tree that it must give.
func TestMarkdownForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"all ones", "1. a\n1. b\n1. c\n", `
list level=1 start=1
  item "1."
    paragraph "a"
  item "1."
    paragraph "b"
  item "1."
    paragraph "c"`},
		{"brackets from zero", "0) a\n1) b\n", `
list level=1 start=0
  item "0)"
    paragraph "a"
  item "1)"
    paragraph "b"`},
		{"task items", "1. [ ] a\n2. [X] b\n   more\n- [x] c\n- [ ]\n", `
list level=1 start=1
  item "1."
    paragraph "a"
  item "2."
    paragraph "b\n   more"
list level=1
  item "-"
    paragraph "c"
  item "-"
    paragraph "[ ]"`},
		{"code on the marker's line", "1. ```sh\n   a\n   ```\n2.     b\n", `
list level=1 start=1
  item "1."
    code "sh" "` + "```sh\\n   a\\n   ```" + `" {"   a"}
  item "2."
    code "    b"`},
		{"code inside, less indented than the words", "10. a\n\n    ```\n    b\n    ```\n11. c\n", `
list level=1 start=10
  item "10."
    paragraph "a"
    code "` + "```\\n    b\\n    ```" + `" {"    b"}
  item "11."
    paragraph "c"`},
		{"code at column 0 between steps", "1. a\n```\nb\n```\n2. c\n", `
list level=1 start=1
  item "1."
    paragraph "a"
code "` + "```\\nb\\n```" + `" {"b"}
list level=1 start=2
  item "2."
    paragraph "c"`},
		{"bullets indented by two below a number", "1. a\n  - b\n  - c\n2. d\n", `
list level=1 start=1
  item "1."
    paragraph "a"
    list level=2
      item "-"
        paragraph "b"
      item "-"
        paragraph "c"
  item "2."
    paragraph "d"`},
		{"bullets indented by one, after a blank line", "1. a\n\n - b\n\n2. c\n", `
list level=1 start=1
  item "1."
    paragraph "a"
    list level=2
      item "-"
        paragraph "b"
  item "2."
    paragraph "c"`},
		{"numbers indented by two below a number", "1. a\n  1. b\n  2. c\n2. d\n", `
list level=1 start=1
  item "1."
    paragraph "a"
    list level=2 start=1
      item "1."
        paragraph "b"
      item "2."
        paragraph "c"
  item "2."
    paragraph "d"`},
		{"a number only out of line", "1. a\n  2. b\n3. c\n", `
list level=1 start=1
  item "1."
    paragraph "a"
  item "2."
    paragraph "b"
  item "3."
    paragraph "c"`},
		{"ragged nested bullets", "1. a\n   - b\n  - c\n2. d\n", `
list level=1 start=1
  item "1."
    paragraph "a"
    list level=2
      item "-"
        paragraph "b"
      item "-"
        paragraph "c"
  item "2."
    paragraph "d"`},
		{"nested by tab", "- a\n\t- b\n\t\t1. c\n- d\n", `
list level=1
  item "-"
    paragraph "a"
    list level=2
      item "-"
        paragraph "b"
        list level=3 start=1
          item "1."
            paragraph "c"
  item "-"
    paragraph "d"`},
		{"lists of two bullets are two lists", "- a\n* b\n", `
list level=1
  item "-"
    paragraph "a"
list level=1
  item "*"
    paragraph "b"`},
		{"item with several blocks", "1. a\n\n   b\n\n   > c\n\n   | d |\n   |---|\n   | e |\n", `
list level=1 start=1
  item "1."
    paragraph "a"
    paragraph "b"
    quote
      paragraph "c"
    table
      row header "| d |" {"d"}
      row "| e |" {"e"}`},
		{"empty items", "-\n- a\n-\n\n  b\n", `
list level=1
  item "-" "-" {""}
  item "-"
    paragraph "a"
  item "-" "-" {""}
paragraph "b"`},
		{"words below the marker", "1.\n   a\n2.\n   b\n", `
list level=1 start=1
  item "1."
    paragraph "a"
  item "2."
    paragraph "b"`},
		{"alert of GitHub", "> [!WARNING]\n> a\n>\n> - b\n", `
note "warning"
  paragraph "a"
  list level=1
    item "-"
      paragraph "b"`},
		{"callout of Obsidian with a title", "> [!tip]- Title\n> a\n> b\n", `
note "tip"
  paragraph "Title"
  paragraph "a\n> b"`},
		{"bold kind", "> **Note:**\n> a\n", `
note "note"
  paragraph "a"`},
		{"quote that is no note", "> **Nothing**\n> a\n\n> [link] b\n", `
quote
  paragraph "**Nothing**\n> a"
quote
  paragraph "[link] b"`},
		{"alert in an item", "1. a\n   > [!CAUTION]\n   > b\n2. c\n", `
list level=1 start=1
  item "1."
    paragraph "a"
    note "caution"
      paragraph "b"
  item "2."
    paragraph "c"`},
		{"admonition of MkDocs", "!!! warning inline \"The title\"\n\n    a\n\n        code\nb\n", `
note "warning"
  paragraph "The title"
  paragraph "a"
  code "        code"
paragraph "b"`},
		{"admonition that folds, in an item", "1. a\n\n    ???+ note\n        b\n2. c\n", `
list level=1 start=1
  item "1."
    paragraph "a"
    note "note"
      paragraph "b"
  item "2."
    paragraph "c"`},
		{"content tabs", "=== \"Linux\"\n    1. a\n\n=== \"Mac\"\n    b\n", `
note "tab"
  paragraph "Linux"
  list level=1 start=1
    item "1."
      paragraph "a"
note "tab"
  paragraph "Mac"
  paragraph "b"`},
		{"container of Docusaurus", ":::danger[Take care]{#x}\na\n\n- b\n:::\nc\n", `
note "danger"
  paragraph "Take care"
  paragraph "a"
  list level=1
    item "-"
      paragraph "b"
paragraph "c"`},
		{"containers inside containers", "::::info\n:::tip Title\na\n:::\n\n```\n:::\n```\n::::\n", `
note "info"
  note "tip"
    paragraph "Title"
    paragraph "a"
  code "` + "```\\n:::\\n```" + `" {":::"}`},
		{"container of Pandoc", "::: {.warning}\na\n:::\n", `
note "warning"
  paragraph "a"`},
		{"container that is never closed", ":::note\na\n\n# B\n", `
title "B"
paragraph ":::note\na"
heading1 "# B" {"B"}`},
		{"headings", "# A #\n\n## A\n##\n#no\n\nB\nb\n===\n\nC\n-\n", `
title "A"
heading1 "# A #" {"A"}
heading2 "## A" {"A"}
heading2 "##" {""}
paragraph "#no"
heading1 "B\nb\n===" {"B\nb"}
heading2 "C\n-" {"C"}`},
		{"heading with an anchor", "## A {#b}\n### C {: .d }\n## `{e}`\n", `
heading2 "## A {#b}" {"A"}
heading3 "### C {: .d }" {"C"}
heading2 "## ` + "`{e}`" + `" {"` + "`{e}`" + `"}`},
		{"heading in HTML", "<h2 align=\"center\">A <em>b</em></h2>\n\n<h2>C</h2> d\n", `
heading2 "<h2 align=\"center\">A <em>b</em></h2>" {"A <em>b</em>"}
html "<h2>C</h2> d"`},
		{"T26: a comment in code is no heading", "# A\n```sh\n# stop\n```\n~~~\n# go\n~~~\n\n    # wait\n", `
title "A"
heading1 "# A" {"A"}
code "sh" "` + "```sh\\n# stop\\n```" + `" {"# stop"}
code "~~~\n# go\n~~~" {"# go"}
code "    # wait"`},
		{"T27: code that is never closed", "a\n\n1. b\n   ```\n   c\n\nd\n```\ne\n\n# f", `
paragraph "a"
list level=1 start=1
  item "1."
    paragraph "b"
    code "` + "```\\n   c" + `" {"   c"}
paragraph "d"
code "` + "```\\ne\\n\\n# f" + `" {"e\n\n# f"}
warning: The code fence opened in line 4 is never closed; what follows is read as code.
warning: The code fence opened in line 8 is never closed; what follows is read as code.`},
		{"empty code", "```\n```\n\n> ```\n\n```\n```", `
code "` + "```\\n```" + `" {""}
quote
  code "` + "```" + `" {""}
code "` + "```\\n```" + `" {""}
warning: The code fence opened in line 4 is never closed; what follows is read as code.`},
		{"code with blank lines around", "```yaml title=\"x\"\n\n  a: 1\n\n```\n", `
code "yaml" "` + "```yaml title=\\\"x\\\"\\n\\n  a: 1\\n\\n```" + `" {"\n  a: 1\n"}`},
		{"table below text", "a\n| b | c |\n|:--|--:|\n| d \\| e |\n\nf | g\n--|--\nh\n", `
paragraph "a"
table
  row header "| b | c |" {"b | c"}
  row "| d \\| e |" {"d \\| e"}
table
  row header "f | g"
  row "h"`},
		{"no table", "a | b\n--|--|--\n\nc\n---\n", `
paragraph "a | b\n--|--|--"
heading2 "c\n---" {"c"}`},
		{"footnotes", "a[^1]\n\n[^1]: b\n    c\n\n    d\n[^e]:\n    f\n", `
paragraph "a[^1]"
note "footnote"
  paragraph "b\n    c"
  paragraph "d"
note "footnote"
  paragraph "f"`},
		{"link references", "[a]: b\n[c]: <d e> 'f'\n\"no title\"\n\n[g]: h i\n", `
meta "[a]: b\n[c]: <d e> 'f'"
paragraph "\"no title\""
paragraph "[g]: h i"`},
		{"link references over several lines", "[a]:\n  b\n  \"c\"\n[d]: e\n 'f\n g'\n[h\ni]: j\n[k]: l\n(m\n\n[n]:\n\n[o]: p\n\"q\" r\n", `
meta "[a]:\n  b\n  \"c\"\n[d]: e\n 'f\n g'\n[h\ni]: j\n[k]: l"
paragraph "(m"
paragraph "[n]:"
meta "[o]: p"
paragraph "\"q\" r"`},
		{"definitions", "a\n: b\n  c\n: d\n\n  e\n\n  - f\n\ng\nh\n\n:   i\n\nj\n:k\n\n> l\n> : m\n", `
paragraph "a"
list level=1
  item ":"
    paragraph "b\n  c"
  item ":"
    paragraph "d"
    paragraph "e"
    list level=2
      item "-"
        paragraph "f"
paragraph "g\nh"
list level=1
  item ":"
    paragraph "i"
paragraph "j\n:k"
quote
  paragraph "l"
  list level=1
    item ":"
      paragraph "m"`},
		{"no definitions", ": a\n\n# b\n: c\n\n" + strings.Repeat("word ", 30) + "\n: d\n", `
title "b"
paragraph ": a"
heading1 "# b" {"b"}
paragraph ": c"
paragraph "` + strings.Repeat("word ", 30) + `\n: d"`},
		{"imports", "import A from 'a';\nimport {\n  B\n} from \"b\"\nimport 'c'\n\nimport is a word\n\nexport const d = 1\n\n{/* e */}\n\n- import F from 'f'\n", `
meta "import A from 'a';\nimport {\n  B\n} from \"b\"\nimport 'c'"
paragraph "import is a word"
paragraph "export const d = 1"
meta "{/* e */}"
list level=1
  item "-"
    paragraph "import F from 'f'"`},
		{"comments", "<!-- a\n\nb -->\nc <!-- d -->\n\n<!-- e --> f\n", `
meta "<!-- a\n\nb -->"
paragraph "c <!-- d -->"
html "<!-- e --> f"`},
		{"comment that is never closed", "a\n\n<!-- b\n\n# c\n", `
paragraph "a"
html "<!-- b\n\n# c"
warning: The comment opened in line 3 is never closed; what follows is kept as text.`},
		{"HTML around Markdown", "<details>\n<summary>a</summary>\n\n1. b\n\n</details>\n", `
html "<details>\n<summary>a</summary>"
list level=1 start=1
  item "1."
    paragraph "b"
html "</details>"`},
		{"quote with lazy lines and a blank end", "> a\nb\n>\n\n> > c\n>\nd\n", `
quote
  paragraph "a\nb"
quote
  quote
    paragraph "c"
paragraph "d"`},
		{"breaks", "a\n\n---\n* * *\nb\n", `
paragraph "a"
break "---"
break "* * *"
paragraph "b"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, strings.TrimPrefix(c.want, "\n")+"\n", dump(read(t, "a.md", c.in)))
		})
	}
}

// TestMDX has what only a file of MDX has.
func TestMDX(t *testing.T) {
	t.Parallel()
	x := read(t, "A.MDX", "import A from 'a'\nexport const b = {\n  c: 1,\n}\n\nexport default () => 1\n\nexport the keys\n\n<A>\n\n1. d\n2. e\n\n</A>\n")
	require.Equal(t, `meta "import A from 'a'\nexport const b = {\n  c: 1,\n}"
meta "export default () => 1"
paragraph "export the keys"
html "<A>"
list level=1 start=1
  item "1."
    paragraph "d"
  item "2."
    paragraph "e"
html "</A>"
`, dump(x))
}

// TestBlockFields looks at what the trees above do not show.
func TestBlockFields(t *testing.T) {
	t.Parallel()
	x := read(t, "a.md", "3. [ ] a\n7. b\n   * c\n\n> d\n>\n")
	list := x.Blocks[0]
	require.True(t, list.Ordered)
	require.Equal(t, 3, list.Start)
	require.Equal(t, 1, list.Level)
	require.Equal(t, list.Span, list.Content)
	first, second := list.Children[0], list.Children[1]
	require.Equal(t, "3. [ ] a", first.Span.In(x.Text))
	require.Equal(t, "a", first.Content.In(x.Text))
	require.Equal(t, 3, first.Start)
	require.Equal(t, 7, second.Start)
	require.Equal(t, "b\n   * c", second.Content.In(x.Text))
	nested := second.Children[1]
	require.False(t, nested.Ordered)
	require.Equal(t, 2, nested.Level)
	require.Equal(t, 2, nested.Children[0].Level)
	require.Equal(t, "> d\n>", x.Blocks[1].Span.In(x.Text))
	require.Equal(t, MarkdownID, x.Extractor)
}

func TestFrontMatter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, title string
		meta            map[string]string
		first           rag.BlockKind
		warnings        int
	}{
		{
			"YAML", "---\nTitle: \"A: b\"\ndate: 2026-01-02\ndraft: false\nn: ~\ntags: [a, b]\nnested:\n  k: v\n---\n# Other\n", "A: b",
			map[string]string{"title": "A: b", "date": "2026-01-02", "draft": "false"},
			rag.BlockMeta, 0,
		},
		{"YAML that ends in dots", "---\ntitle: A\n...\nb\n", "A", map[string]string{"title": "A"}, rag.BlockMeta, 0},
		{"TOML", "+++\ntitle = 'A'\ndate = 2026-01-02 # d\nlist = [1]\n[x]\ny = 1\n+++\nb\n", "A", map[string]string{"title": "A", "date": "2026-01-02"}, rag.BlockMeta, 0},
		{"not YAML, but lines", "---\ntitle: A: b\nowner: me\n---\nc\n", "A: b", map[string]string{"title": "A: b", "owner": "me"}, rag.BlockMeta, 1},
		{"empty", "---\n---\n# A\n", "A", nil, rag.BlockMeta, 0},
		{"two rules around prose", "---\nJust a line.\n---\n", "", nil, rag.BlockBreak, 0},
		{"a rule that is never closed", "---\na: b\n", "", nil, rag.BlockBreak, 0},
		{"none", "# A\n\n---\na: b\n---\n", "A", nil, rag.BlockHeading, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := read(t, "a.md", c.in)
			require.Equal(t, c.title, x.Title)
			require.Equal(t, c.meta, x.Meta)
			require.Equal(t, c.first, x.Blocks[0].Kind)
			require.Len(t, x.Warnings, c.warnings)
			require.Equal(t, c.in, x.Text)
		})
	}
}

// TestLineEnds is T29: the same document with LF, CR LF and CR is the same
// text and tree, front matter too; and T50: a byte-order mark is no part of
// the first heading or of the front matter.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	lf := "---\ntitle: A\n---\n# B\n\n1. c\n   ```\n   d\n   ```\n2. e\n\nF\n===\n"
	want := read(t, "a.md", lf)
	require.Equal(t, "A", want.Title)
	for _, end := range []string{"\r\n", "\r"} {
		for _, mark := range []string{"", "\ufeff"} {
			require.Equal(t, want, read(t, "a.md", mark+strings.ReplaceAll(lf, "\n", end)))
		}
	}
	require.Equal(t, "B", read(t, "a.md", "\ufeff# B\n").Title)
}

func TestTitle(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Rotate the keys of <broker>", read(t, "a.md", "## x\n\n# Rotate the **keys** of `<broker>`\n\n# y\n").Title)
	require.Empty(t, read(t, "a.md", "## x\n\n> # quoted\n").Title)
}

// TestNoCodeIsLost is T30: code in every place where it can stand is a block
// with its own lines.
func TestNoCodeIsLost(t *testing.T) {
	t.Parallel()
	x := read(t, "a.md", "```\n1\n```\n- a\n  ```\n  2\n  ```\n  1. b\n     ~~~\n     3\n     ~~~\n\n         4\n"+
		"> ```\n> 5\n> ```\n\n!!! note\n    ```\n    6\n    ```\n\n| c |\n|---|\n```\n7\n```\n\n    8\n")
	var code []string
	var walk func([]rag.Block)
	walk = func(blocks []rag.Block) {
		for _, b := range blocks {
			if b.Kind == rag.BlockCode {
				code = append(code, strings.Trim(b.Content.In(x.Text), " >"))
			}
			walk(b.Children)
		}
	}
	walk(x.Blocks)
	require.Equal(t, []string{"1", "2", "3", "4", "5", "6", "7", "8"}, code)
}

// TestDepthLimit has a document that is nested too deep: it is read in time,
// nothing is lost, and the admin is told.
func TestDepthLimit(t *testing.T) {
	t.Parallel()
	for _, in := range []string{strings.Repeat("> ", 300) + "a\n", strings.Repeat("- ", 300) + "a\n\n\n\nb\n"} {
		x := read(t, "a.md", in)
		require.Len(t, x.Warnings, 1)
		require.Contains(t, x.Warnings[0], "line 1")
	}
}
