package docx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tc is a cell with properties and blocks, or with words.
func tc(props, inner string) string {
	if !strings.HasPrefix(inner, "<") {
		inner = par("", inner)
	}
	return "<w:tc><w:tcPr>" + props + "</w:tcPr>" + inner + "</w:tc>"
}

func tr(props string, cells ...string) string {
	return "<w:tr><w:trPr>" + props + "</w:trPr>" + strings.Join(cells, "") + "</w:tr>"
}

func tbl(props string, rows ...string) string {
	return "<w:tbl><w:tblPr>" + props + "</w:tblPr>" + strings.Join(rows, "") + "</w:tbl>"
}

// words are cells of plain words.
func words(texts ...string) (out []string) {
	for _, t := range texts {
		out = append(out, tc("", t))
	}
	return out
}

func TestTables(t *testing.T) {
	t.Parallel()
	head, look := "<w:tblHeader/>", `<w:tblLook w:val="04A0"/>`
	mono := `<w:rFonts w:ascii="Consolas"/>`
	bold := func(s string) string { return tc("", "<w:p>"+run("<w:b/>", s)+"</w:p>") }
	codeCell := tc("", "<w:p>"+run(mono, "a")+"</w:p><w:p>"+run(mono, "  b")+"</w:p>")
	for _, c := range []struct{ name, xml, want string }{
		{"a header that says so", tbl("", tr(head, words("Drug", "Dose")...), tr("", words("A", "5 mg")...)), `
table
  row header | Drug | Dose
  row | A | 5 mg`},
		{"a header by the look", tbl(look, tr("", words("Drug", "Dose")...), tr("", words("A", "5 mg")...)), `
table
  row header | Drug | Dose
  row | A | 5 mg`},
		{"a header by bold words", tbl("", tr("", bold("Drug"), bold("Dose")), tr("", words("A", "5 mg")...)), `
table
  row header | Drug | Dose
  row | A | 5 mg`},
		{"no header", tbl("", tr("", words("A", "1")...), tr("", words("B", "2")...)), `
table
  row | A | 1
  row | B | 2`},
		{"bold first cells name the rows", tbl(look, tr("", bold("Owner"), tc("", "Ada")), tr("", bold("Version"), tc("", "3"))), `
table
  row | **Owner** | Ada
  row | **Version** | 3`},
		{"merged cells stand in every row and column", tbl("", tr(head, words("Drug", "Age", "mg", "Max")...),
			tr("", tc(`<w:vMerge w:val="restart"/>`, "A"), tc("", "&lt; 12"), tc(`<w:gridSpan w:val="2"/>`, "ask")),
			tr("", tc(`<w:vMerge/>`, "<w:p/>"), tc("", "> 12"), tc("", "5"), tc("", "10"))), `
table
  row header | Drug | Age | mg | Max
  row | A | < 12 | ask | ask
  row | A | > 12 | 5 | 10`},
		{"two rows of header", tbl("", tr(head, tc(`<w:vMerge w:val="restart"/>`, "Age"), tc(`<w:gridSpan w:val="2"/>`, "Dose")),
			tr(head, tc("<w:vMerge/>", "<w:p/>"), tc("", "mg"), tc("", "Max")), tr("", words("3", "5", "10")...)), `
table
  row header | Age | Dose – mg | Dose – Max
  row | 3 | 5 | 10`},
		{"columns left out in front", tbl("", tr(head, words("a", "b")...), tr(`<w:gridBefore w:val="1"/>`, tc("", "c"))), `
table
  row header | a | b
  row |  | c`},
		{"paragraphs in a cell", tbl("", tr(head, words("a", "b")...), tr("", tc("", par("", "x")+par("", "y")), tc("", "z"))), `
table
  row header | a | b
  row | x⏎y | z`},
		{"numbers in the first column count", tbl("", tr("", tc("", item(1, 0, "")), tc("", "Stop")), tr("", tc("", item(1, 0, "")), tc("", "Start"))), `
table
  row | 1. | Stop
  row | 2. | Start`},
		{"a command is no code block", tbl(look, tr("", words("Command", "Does")...), tr("", tc("", "<w:p>"+run(mono, "ls")+"</w:p>"), tc("", "lists"))), `
table
  row header | Command | Does
  row | ` + "`ls`" + ` | lists`},
		{"a short list in a cell stays lines of its row", tbl("", tr("", words("Drug", "Dose")...),
			tr("", tc("", "Aspirin"), tc("", item(4, 0, "300 mg")+item(4, 0, "then 75 mg"))), tr("", words("Heparin", "5000 U")...)), `
table
  row | Drug | Dose
  row | Aspirin | • 300 mg⏎• then 75 mg
  row | Heparin | 5000 U`},
		{"a short list of steps keeps its numbers in its row", tbl("", tr(head, words("Alarm", "Do")...),
			tr("", tc("", "Disk"), tc("", item(1, 0, "Stop it")+item(1, 0, "Start it")))), `
table
  row header | Alarm | Do
  row | Disk | 1. Stop it⏎2. Start it`},
		{"a long list without heads: the first cell leads its row", tbl("", tr("", words("Drug", "Dose")...),
			tr("", tc("", "Aspirin"), tc("", strings.Repeat(item(4, 0, "300 mg"), 9))), tr("", words("Heparin", "5000 U", "s.c.")...)), `
paragraph **Drug****: **Dose
paragraph **Aspirin**
list` + strings.Repeat("\n  item\n    paragraph 300 mg", 9) + `
paragraph **Heparin****: **5000 U
paragraph **Heparin****: **s.c.`},
		{"code without heads: a merged first cell leads all its rows", tbl("",
			tr("", tc(`<w:vMerge w:val="restart"/>`, "Heparin"), codeCell), tr("", tc("<w:vMerge/>", "<w:p/>"), tc("", "5000 U"))), `
paragraph **Heparin**
code "a\n  b"
paragraph **Heparin****: **5000 U`},
		{"lists and code in cells: row by row", tbl(look, tr("", words("Step", "Do")...),
			tr("", tc("", "1"), tc("", item(4, 0, "a")+item(4, 0, "b"))), tr("", tc("", "2"), codeCell)), `
paragraph **Step****: **1
paragraph **1**** – ****Do**
list
  item
    paragraph a
  item
    paragraph b
paragraph **Step****: **2
paragraph **2**** – ****Do**
code "a\n  b"`},
		{"a table in a cell", tbl("", tr(head, words("a", "b")...), tr("", tc("", "x"), tc("", tbl("", tr("", words("1", "2")...), tr("", words("3", "4")...))+"<w:p/>"))), `
paragraph **a****: **x
paragraph **x**** – ****b**
table
  row | 1 | 2
  row | 3 | 4`},
		{"what a cell says in two ways is read once", tbl("", tr("", words("a", "b")...), tr("", tc("", "<mc:AlternateContent><mc:Choice>"+par("", "x")+"</mc:Choice><mc:Fallback>"+par("", "x")+"</mc:Fallback></mc:AlternateContent>"), tc("", "y"))), `
table
  row | a | b
  row | x | y`},
		{"one cell is a frame around its blocks", tbl("", tr("", codeCell)) + par("", "x"), `
code "a\n  b"
paragraph x`},
		{"one cell that warns", tbl("", tr("", tc(`<w:shd w:fill="FFCC00"/>`, par("", "Warning: never both.")+par("", "Ask.")))), `
note "warning"
  paragraph Warning: never both.
  paragraph Ask.`},
		{"a sign and a warning side by side", tbl("", tr("", words("CAUTION", "Hot surface.")...)), `
note "caution"
  paragraph CAUTION
  paragraph Hot surface.`},
		{"one row of a few words stays a row", tbl("", tr("", words("Version", "3")...)), `
table
  row | Version | 3`},
		{"text side by side is text", tbl("", tr("", words("Short", strings.Repeat("Long. ", 30))...)), `
paragraph Short
paragraph ` + strings.TrimSpace(strings.Repeat("Long. ", 30))},
		{"a table between steps", item(1, 0, "one") + tbl("", tr(head, words("a", "b")...), tr("", words("c", "d")...)) + item(1, 0, "two"), `
list ordered
  item "1."
    paragraph one
table
  row header | a | b
  row | c | d
list ordered
  item "2."
    paragraph two`},
		{"a table at the indentation of a step", item(1, 0, "one") + tbl(`<w:tblInd w:w="720" w:type="dxa"/>`, tr(head, words("a", "b")...), tr("", words("c", "d")...)) + item(1, 0, "two"), `
list ordered
  item "1."
    paragraph one
    table
      row header | a | b
      row | c | d
  item "2."
    paragraph two`},
		{"a deleted row", tbl("", tr("", words("a", "b")...), tr("<w:del/>", words("x", "y")...), tr("", words("c", "d")...)), `
table
  row | a | b
  row | c | d`},
		{"a table without words", tbl("", tr("", tc("", "<w:p/>"))) + par("", "x"), `
paragraph x`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := tree(read(t, parts{"word/document.xml": c.xml, "word/numbering.xml": simple}))
			require.Equal(t, strings.TrimPrefix(c.want, "\n")+"\n", got)
		})
	}
}
