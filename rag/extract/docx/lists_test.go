package docx

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lvl is a level of a list, with its words at left twips.
func lvl(i int, format, text string, left int, more string) string {
	return fmt.Sprintf(`<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="%s"/>%s<w:lvlText w:val="%s"/><w:pPr><w:ind w:left="%d" w:hanging="360"/></w:pPr></w:lvl>`,
		i, format, more, text, left)
}

func abstractNum(id int, inner string) string {
	return fmt.Sprintf(`<w:abstractNum w:abstractNumId="%d">%s</w:abstractNum>`, id, inner)
}

func num(id, abstract int, inner string) string {
	return fmt.Sprintf(`<w:num w:numId="%d"><w:abstractNumId w:val="%d"/>%s</w:num>`, id, abstract, inner)
}

// simple is one numbered list (1), one more of the same definition (2), a
// third that starts anew (3), bullets (4).
var simple = abstractNum(0, lvl(0, "decimal", "%1.", 720, "")+lvl(1, "lowerLetter", "%2)", 1440, "")+lvl(2, "lowerRoman", "(%3)", 2160, "")) +
	abstractNum(1, `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xF0B7;"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr><w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr></w:lvl>`+
		lvl(1, "bullet", "o", 1440, "")) +
	num(1, 0, "") + num(2, 0, "") + num(3, 0, `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>`) + num(4, 1, "")

// labels gives the label and words of all items, in order, indented by depth.
func labels(t *testing.T, numbering, xml string) string {
	t.Helper()
	var out []string
	for line := range strings.Lines(tree(read(t, parts{"word/document.xml": xml, "word/numbering.xml": numbering}))) {
		out = append(out, strings.TrimRight(line, "\n"))
	}
	return strings.Join(out, "\n")
}

func TestLists(t *testing.T) {
	t.Parallel()
	mono := `<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas"/>`
	for _, c := range []struct{ name, numbering, xml, want string }{
		{"a list goes on behind text", simple, item(1, 0, "one") + item(1, 0, "two") + par("", "Between.") + item(1, 0, "three"), `
list ordered
  item "1."
    paragraph one
  item "2."
    paragraph two
paragraph Between.
list ordered
  item "3."
    paragraph three`},
		{"two instances of one definition count together", simple, item(1, 0, "one") + item(2, 0, "two") + item(1, 0, "three"), `
list ordered
  item "1."
    paragraph one
  item "2."
    paragraph two
  item "3."
    paragraph three`},
		{"an instance with a start of its own begins there once", simple, item(1, 0, "one") + par("", "New:") + item(3, 0, "first") + item(3, 0, "second") + item(1, 0, "third"), `
list ordered
  item "1."
    paragraph one
paragraph New:
list ordered
  item "1."
    paragraph first
  item "2."
    paragraph second
  item "3."
    paragraph third`},
		{"levels nest and begin anew", simple, item(1, 0, "one") + item(1, 1, "a") + item(1, 2, "i") + item(1, 2, "ii") + item(1, 1, "b") + item(1, 0, "two") + item(1, 1, "a again"), `
list ordered
  item "1."
    paragraph one
    list ordered
      item "a)"
        paragraph a
        list ordered
          item "(i)"
            paragraph i
          item "(ii)"
            paragraph ii
      item "b)"
        paragraph b
  item "2."
    paragraph two
    list ordered
      item "a)"
        paragraph a again`},
		{"text at the item's indentation is part of it", simple, item(1, 0, "one") + par(`<w:ind w:left="720"/>`, "More of one.") + item(1, 0, "two"), `
list ordered
  item "1."
    paragraph one
    paragraph More of one.
  item "2."
    paragraph two`},
		{"indented code is part of the item", simple, item(1, 0, "run") + "<w:p><w:pPr><w:ind w:left=\"720\"/></w:pPr>" + run(mono, "kubectl get") + "</w:p><w:p><w:pPr><w:ind w:left=\"720\"/></w:pPr>" + run(mono, "  pods") + "</w:p>" + item(1, 0, "look"), `
list ordered
  item "1."
    paragraph run
    code "kubectl get\n  pods"
  item "2."
    paragraph look`},
		{"code at the margin stands between", simple, item(1, 0, "run") + "<w:p>" + run(mono, "kubectl get") + "</w:p>" + item(1, 0, "look"), `
list ordered
  item "1."
    paragraph run
code "kubectl get"
list ordered
  item "2."
    paragraph look`},
		{"bullets of another list below a step", simple, item(1, 0, "one") + par(`<w:numPr><w:ilvl w:val="0"/><w:numId w:val="4"/></w:numPr><w:ind w:left="1080"/>`, "dot") + item(1, 0, "two"), `
list ordered
  item "1."
    paragraph one
    list
      item
        paragraph dot
  item "2."
    paragraph two`},
		{"bullets at the indentation of the steps stay in their place", simple, item(1, 0, "one") + item(4, 0, "dot") + item(1, 0, "two"), `
list ordered
  item "1."
    paragraph one
list
  item
    paragraph dot
list ordered
  item "2."
    paragraph two`},
		{"an empty step counts", simple, item(1, 0, "one") + item(1, 0, "") + item(1, 0, "three") + item(1, 0, ""), `
list ordered
  item "1."
    paragraph one
  item "2."
  item "3."
    paragraph three`},
		{"numId 0 takes the number away", simple, item(1, 0, "one") + item(0, 0, "plain") + item(1, 0, "two"), `
list ordered
  item "1."
    paragraph one
paragraph plain
list ordered
  item "2."
    paragraph two`},
		{"a list that is not defined has no numbers", simple, item(77, 0, "plain"), "\nparagraph plain"},
		{"a deeper level first", simple, item(1, 1, "a") + item(1, 0, "one"), `
list ordered
  item "a)"
    paragraph a
list ordered
  item "1."
    paragraph one`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, strings.TrimPrefix(c.want, "\n"), labels(t, c.numbering, c.xml))
		})
	}
}
