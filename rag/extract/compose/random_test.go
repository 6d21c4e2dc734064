package compose_test

import (
	"math/rand/v2"
	"strings"

	"passage/rag"
	"passage/rag/extract/compose"
)

// signs are what words are made of that could be read as markup, alone or
// together with what stands beside them.
var signs = []string{
	"*", "**", "***", "_", "__", "`", "``", "```", "[", "]", "(", ")", "](", "](b)", "![", "!", "[^1]", "[^1]:", "[x] y", "[a]: b",
	"<b>", "</b>", "<br>", "<cluster-name>", "<my_name>", "<a b>", "<p>", "<!-- c -->", "<div", "<", ">", "<=", "<https://a.b>", "<?x?>",
	"&amp;", "&", "&lt", ";", "&#42;", "~", "~~", "~~~", "\\", "\\*", "\\\\", "#", "##", "#a", "1.", "1)", "12.", "10 mg", "-", "--", "---",
	"+", "+++", "|", "||", "\\|", ":::", ":::note", ":-:", "|-|", "!!! note", "??? tip", "===", "=== \"t\"", "[!NOTE]", "**Warning**",
	"{#a}", "{: .b}", "}", "C #", "https://a.b/_c_d*", "http://x.y/a_b?c=d&copy;", "snake_case", "__init__", "2 * 3", "5*3", "a. b",
	": a", ":", "import a from 'b'", "import 'c'", "{/* d */}", "é", "“q”", "語", "«a»", "…", "·", "5", "x", "word", "Words", "\u00a0", "\u3000", "\u2028", "\ufeff", "\x00", "\x1b", "\xff", "\t", "👩‍⚕️", "م",
}

// generator makes documents that can be written as they are: none of their
// blocks is empty, too deep, or has a label that no list can have.
type generator struct {
	*rand.Rand
	page int
}

func (g *generator) one(from ...string) string { return pick(g, from...) }

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

func (g *generator) text() string {
	var b strings.Builder
	for range 1 + g.IntN(5) {
		if g.IntN(3) > 0 {
			b.WriteString(g.one(" ", " ", " ", "", "", "  ", "\n"))
		}
		if g.IntN(3) == 0 {
			b.WriteString(g.one("word", "the", "Restart", "it."))
		} else {
			b.WriteString(g.one(signs...))
		}
	}
	return b.String()
}

func (g *generator) words() []compose.Inline {
	out := make([]compose.Inline, 0, 4)
	for range 1 + g.IntN(4) {
		in := compose.Inline{Text: g.text(), Style: compose.Style(g.IntN(16)) * compose.Style(g.IntN(2))}
		switch g.IntN(12) {
		case 0:
			in.Href = g.one("https://a.b/c d(e", "http://x.y/?a=b&amp;c", "#top", "../a.md", "javascript:x", "mailto:a@b.c")
		case 1:
			in.Href, in.Image = "i.png", true
		case 2:
			g.page++
			in.Page = g.page
		}
		out = append(out, in)
	}
	return append(out, compose.Inline{Text: g.one(" end", "z", "(e)", " *")})
}

func (g *generator) paragraph() compose.Block {
	return compose.Block{Kind: rag.BlockParagraph, Words: g.words()}
}

func (g *generator) list(depth int) compose.Block {
	list := compose.Block{Kind: rag.BlockList, Ordered: g.IntN(2) == 0}
	label, counted := g.labels()
	n := 0
	for range 2 + g.IntN(3) {
		it := compose.Block{Kind: rag.BlockItem}
		if list.Ordered {
			n++
			it.Label = label(n)
		}
		if !list.Ordered || counted || g.IntN(4) > 0 {
			it.Children = append(it.Children, g.paragraph())
		}
		for g.IntN(3) == 0 {
			if list.Ordered && counted { // a heading would end the list
				it.Children = append(it.Children, pick(g, g.paragraph, g.code, g.table)())
				continue
			}
			it.Children = append(it.Children, g.block(depth+1))
		}
		list.Children = append(list.Children, it)
	}
	last := &list.Children[len(list.Children)-1]
	last.Children = append(last.Children, g.paragraph())
	return list
}

// labels is a way of counting, and whether CommonMark does not know it.
func (g *generator) labels() (label func(n int) string, counted bool) {
	from, sign := g.IntN(3)*g.IntN(60), g.one(".", ")")
	switch g.IntN(6) {
	case 0:
		return func(n int) string { return string(rune('a'+n-1)) + sign }, true
	case 1:
		return func(n int) string { return "(" + []string{"", "i", "ii", "iii", "iv", "v"}[n] + ")" }, true
	case 2:
		return func(n int) string { return "900." + itoa(n) + sign }, true
	case 3:
		return func(n int) string { return "Step " + itoa(n) + ":" }, true
	}
	return func(n int) string { return itoa(from+n) + sign }, false
}

func (g *generator) table() compose.Block {
	table := compose.Block{Kind: rag.BlockTable}
	for i := range 1 + g.IntN(3) {
		row := compose.Block{Kind: rag.BlockRow, Header: i == 0}
		for range 1 + g.IntN(3) {
			row.Cells = append(row.Cells, g.words())
		}
		table.Children = append(table.Children, row)
	}
	return table
}

func (g *generator) code() compose.Block {
	lines := []string{"first"}
	for range g.IntN(4) {
		lines = append(lines, g.one("", "  indented", "\ttab", "```", "~~~", "# no heading", "- a", ":::note", ":::", "> b", "````` x", "\\", "a  "))
	}
	return compose.Block{Kind: rag.BlockCode, Label: g.one("", "sh", "c++"), Code: strings.Join(append(lines, "last"), "\n")}
}

func (g *generator) block(depth int) compose.Block {
	if depth > 4 {
		return g.paragraph()
	}
	switch g.IntN(9) {
	case 0:
		return compose.Block{Kind: rag.BlockHeading, Level: 1 + g.IntN(6), Words: g.words()}
	case 1, 2:
		return g.list(depth)
	case 3:
		return g.table()
	case 4:
		return g.code()
	case 5:
		return compose.Block{Kind: rag.BlockQuote, Children: append(g.blocks(depth+1), g.paragraph())}
	case 6:
		label := g.one("note", "warning", "danger", "info", "tab", "footnote")
		return compose.Block{Kind: rag.BlockNote, Label: label, Children: append(g.blocks(depth+1), g.paragraph())}
	case 7:
		return compose.Block{Kind: rag.BlockBreak}
	}
	return g.paragraph()
}

func (g *generator) blocks(depth int) []compose.Block {
	var out []compose.Block
	for range 1 + g.IntN(4) {
		b := g.block(depth)
		if g.IntN(4) == 0 {
			g.page += g.IntN(3)
			b.Page = g.page
		}
		out = append(out, b)
	}
	return out
}

// random gives the same document for the same seed.
func random(seed uint64) compose.Document {
	g := &generator{Rand: newRand(seed)}
	return compose.Document{Blocks: g.blocks(0)}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) }
