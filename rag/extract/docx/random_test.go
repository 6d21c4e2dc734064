package docx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/extract/compose"
)

// maker writes random documents in which every word is another one.
type maker struct {
	*rand.Rand
	n     int
	stray []string // the halves of fields that stand without the other half
}

func (m *maker) word() string {
	m.n++
	return fmt.Sprintf("w%dx", m.n)
}

func (m *maker) words() string {
	var out []string
	for range 1 + m.IntN(4) {
		out = append(out, m.word())
	}
	return strings.Join(out, " ") + " "
}

func (m *maker) pick(of ...string) string { return of[m.IntN(len(of))] }

func (m *maker) inline(depth int) string {
	switch m.IntN(14) {
	case 0:
		return "<w:del><w:r><w:delText>" + m.words() + "</w:delText></w:r>" + run("", m.words()) + "</w:del>"
	case 1:
		return run("<w:vanish/>", m.words())
	case 2:
		return `<w:hyperlink w:anchor="x">` + run("", m.words()) + "</w:hyperlink>"
	case 3:
		return `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>` +
			run("", m.words()) + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`
	case 4:
		return `<w:r><w:fldChar w:fldCharType="` + m.pick(m.stray...) + `"/></w:r>` // out of balance
	case 5:
		if depth > 0 {
			return m.pick("<w:ins>", "<w:ins w:id=\"1\">") + m.inline(depth-1) + m.inline(depth-1) + "</w:ins>"
		}
	case 6:
		return "<w:r><w:br/><w:tab/></w:r>"
	}
	return run(m.pick("", "", "<w:b/>", "<w:i/>", `<w:rFonts w:ascii="Consolas"/>`, `<w:vertAlign w:val="superscript"/>`), m.words())
}

func (m *maker) paragraph(depth int) string {
	props := m.pick(
		"", "", "", `<w:pStyle w:val="Heading2"/>`, `<w:pStyle w:val="Title"/>`, `<w:pStyle w:val="ListParagraph"/>`,
		`<w:pStyle w:val="Source Code"/>`, `<w:pStyle w:val="Warning"/>`, `<w:ind w:left="720"/>`, `<w:rPr><w:del/></w:rPr>`,
		`<w:framePr w:dropCap="drop"/>`, fmt.Sprintf(`<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>`, m.IntN(3), m.IntN(6)),
		fmt.Sprintf(`<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr><w:ind w:left="%d"/>`, m.IntN(3), m.IntN(6), m.IntN(2000)),
	)
	out := []string{"<w:p><w:pPr>" + props + "</w:pPr>"}
	for range m.IntN(4) {
		out = append(out, m.inline(2))
	}
	if depth > 0 && m.IntN(8) == 0 {
		out = append(out, "<w:r><w:drawing><w:txbxContent>"+m.blocks(depth-1)+"</w:txbxContent></w:drawing></w:r>")
	}
	return strings.Join(out, "") + "</w:p>"
}

func (m *maker) blocks(depth int) string {
	var out strings.Builder
	for range 1 + m.IntN(6) {
		if depth > 0 && m.IntN(6) == 0 {
			out.WriteString(m.table(depth - 1))
			continue
		}
		out.WriteString(m.paragraph(depth))
	}
	return out.String()
}

func (m *maker) table(depth int) string {
	var rows []string
	for range 1 + m.IntN(4) {
		var cells []string
		for range 1 + m.IntN(3) {
			props := m.pick("", "", `<w:gridSpan w:val="2"/>`, `<w:vMerge w:val="restart"/>`, `<w:vMerge/>`)
			inner := par("", m.words())
			if m.IntN(3) == 0 {
				inner = m.blocks(depth)
			}
			cells = append(cells, tc(props, inner))
		}
		rows = append(rows, tr(m.pick("", "<w:tblHeader/>"), cells...))
	}
	return tbl(m.pick("", `<w:tblLook w:firstRow="1"/>`), rows...)
}

// visible collects the words of a body that a reader sees, apart from this
// package's reader.
func visible(t *testing.T, body string) []string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<x " + namespaces + ">" + body + "</x>"))
	var stack []string
	var out []string
	hidden := false
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		require.NoError(t, err)
		switch e := tok.(type) {
		case xml.StartElement:
			stack = append(stack, e.Name.Local)
			hidden = e.Name.Local != "r" && hidden || e.Name.Local == "vanish"
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if stack[len(stack)-1] == "t" && !hidden && !slices.Contains(stack, "del") {
				out = append(out, strings.Fields(string(e))...)
			}
		}
	}
}

// written collects the words of a document in order.
func written(blocks []compose.Block, out []string) []string {
	add := func(words []compose.Inline) {
		out = append(out, strings.FieldsFunc(plain(words), func(r rune) bool { return strings.ContainsRune(" \t\n^()[]:", r) })...)
	}
	for i := range blocks {
		b := &blocks[i]
		add(b.Words)
		for _, c := range b.Cells {
			add(c)
		}
		add(compose.Plain(b.Code))
		out = written(b.Children, out)
	}
	return out
}

// TestNothingIsLost: every word that is neither deleted nor hidden comes out,
// and outside of tables in the order of the text.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	for seed := range uint64(120) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 7)), stray: []string{"begin"}}
		if seed%2 == 0 {
			m.stray = []string{"separate", "end"}
		}
		xml := par("", m.words()) + m.blocks(int(seed%4))
		doc := read(t, parts{"word/document.xml": xml, "word/numbering.xml": simple})
		want, got := visible(t, xml), written(doc.Blocks, nil)
		place := map[string]int{}
		for i, w := range got {
			if _, there := place[w]; !there {
				place[w] = i
			}
		}
		last := -1
		for _, w := range want {
			at, there := place[w]
			require.True(t, there, "seed %d: %s is lost\n%s\n%s", seed, w, xml, tree(doc))
			if seed%4 == 0 {
				require.Greater(t, at, last, "seed %d: %s is out of order\n%s", seed, w, tree(doc))
				last = at
			}
		}
	}
}
