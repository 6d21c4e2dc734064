package docx

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/extract/compose"
)

func TestFormatNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, pattern string
		n               int
		want            string
	}{
		{"decimal", "", 12, "12"},
		{"decimalZero", "", 7, "07"},
		{"decimalZero", "", 12, "12"},
		{"custom", "001, 002, 003, ...", 7, "007"},
		{"lowerLetter", "", 26, "z"},
		{"lowerLetter", "", 27, "aa"},
		{"upperLetter", "", 28, "BB"},
		{"lowerLetter", "", 53, "aaa"},
		{"lowerLetter", "", 5000, "5000"},
		{"lowerRoman", "", 4, "iv"},
		{"upperRoman", "", 1994, "MCMXCIV"},
		{"upperRoman", "", 5000, "5000"},
		{"lowerRoman", "", 0, "0"},
		{"ordinal", "", 1, "1st"},
		{"ordinal", "", 11, "11th"},
		{"ordinal", "", 22, "22nd"},
		{"ordinal", "", 113, "113th"},
		{"cardinalText", "", 21, "Twenty-one"},
		{"cardinalText", "", 305, "Three hundred five"},
		{"cardinalText", "", 1000, "1000"},
		{"ordinalText", "", 1, "First"},
		{"ordinalText", "", 20, "Twentieth"},
		{"ordinalText", "", 32, "Thirty-second"},
		{"ordinalText", "", 100, "One hundredth"},
		{"decimalEnclosedCircle", "", 3, "③"},
		{"chineseCounting", "", 21, "二十一"},
		{"chineseCounting", "", 10, "十"},
		{"russianLower", "", 2, "б"},
		{"hex", "", 255, "FF"},
		{"none", "", 3, ""},
		{"a format of the future", "", 3, "3"},
		{"lowerLetter", "", -4, "-4"},
	} {
		require.Equal(t, c.want, formatNumber(c.format, c.pattern, c.n), "%s of %d", c.format, c.n)
	}
}

// marks gives the labels of all items and the numbers of headings, in order.
func marks(doc compose.Document) string {
	var out []string
	var walk func(blocks []compose.Block)
	walk = func(blocks []compose.Block) {
		for i := range blocks {
			switch b := &blocks[i]; b.Kind {
			case "item":
				out = append(out, b.Label)
			case "heading":
				out = append(out, plain(b.Words))
			default:
			}
			walk(blocks[i].Children)
		}
	}
	walk(doc.Blocks)
	return strings.Join(out, " | ")
}

func TestNumbering(t *testing.T) {
	t.Parallel()
	legal := abstractNum(0, lvl(0, "upperRoman", "Article %1", 360, "")+lvl(1, "decimalZero", "Section %1.%2", 720, "<w:isLgl/>")+lvl(2, "lowerLetter", "%3)", 1080, `<w:lvlRestart w:val="1"/>`)) + num(1, 0, "")
	multi := abstractNum(0, lvl(0, "decimal", "%1", 360, "")+lvl(1, "decimal", "%1.%2", 720, "")+lvl(2, "decimal", "%1.%2.%3", 1080, "")) +
		num(1, 0, "") + num(2, 0, `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>`) +
		num(3, 0, `<w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperLetter"/><w:lvlText w:val="%1)"/></w:lvl></w:lvlOverride>`)
	items := func(at ...int) string {
		var sb strings.Builder
		for _, n := range at {
			sb.WriteString(item(n/10, n%10, "x"))
		}
		return sb.String()
	}
	for _, c := range []struct{ name, numbering, xml, want string }{
		{"all levels in one label", multi, items(10, 11, 12, 12, 11, 12, 10, 11), "1 | 1.1 | 1.1.1 | 1.1.2 | 1.2 | 1.2.1 | 2 | 2.1"},
		{"a level that was left out shows its start", multi, items(10, 12, 11), "1 | 1.1.1 | 1.1"},
		{"other letters, legal numbers", legal, items(10, 11, 10, 11), "Article I | Section 1.01 | Article II | Section 2.01"},
		{"restart after a level further up only", legal, items(10, 11, 12, 12, 11, 12, 10, 11, 12), "Article I | Section 1.01 | a) | b) | Section 1.02 | c) | Article II | Section 2.01 | a)"},
		{"never restart", abstractNum(0, lvl(0, "decimal", "%1", 360, "")+lvl(1, "decimal", "%2", 720, `<w:lvlRestart w:val="0"/>`)) + num(1, 0, ""), items(10, 11, 11, 10, 11), "1 | 1 | 2 | 2 | 3"},
		{"start in the middle", multi, items(10, 20, 20, 10), "1 | 7 | 8 | 9"},
		{"a level in other clothes goes on counting", multi, items(10, 30, 10), "1 | B) | 3"},
		{"start where the level says", abstractNum(0, strings.Replace(lvl(0, "decimal", "%1.", 360, ""), `start w:val="1"`, `start w:val="5"`, 1)) + num(1, 0, ""), items(10, 10), "5. | 6."},
		{"a bullet has no number in a label", abstractNum(0, lvl(0, "decimal", "%1.", 360, "")+lvl(1, "bullet", "—", 720, "")+lvl(2, "decimal", "%1.%2%3.", 1080, "")) + num(1, 0, ""), items(10, 12, 12), "1. | 1.1. | 1.2."},
		{"words in a label", abstractNum(0, lvl(0, "decimal", "Step %1:", 360, "")) + num(1, 0, ""), items(10, 10), "Step 1: | Step 2:"},
		{"a sign of a symbol font", abstractNum(0, `<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:start w:val="1"/><w:lvlText w:val="&#xF061;%1"/><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr></w:lvl>`) + num(1, 0, ""), items(10), "α1"},
		{"a definition that points to a style", abstractNum(0, `<w:numStyleLink w:val="L"/>`) + abstractNum(1, `<w:styleLink w:val="L"/>`+lvl(0, "upperLetter", "%1)", 360, "")) + num(1, 0, "") + num(2, 1, ""), items(10, 10), "A) | B)"},
		{"a circle of links", abstractNum(0, `<w:numStyleLink w:val="L"/>`) + abstractNum(1, `<w:styleLink w:val="L"/><w:numStyleLink w:val="L"/>`) + num(1, 0, ""), items(10), ""},
		{"levels out of range", multi, item(1, 12, "x") + item(1, -3, "y"), "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, marks(read(t, parts{"word/document.xml": c.xml, "word/numbering.xml": c.numbering})))
		})
	}
}

func TestNumberingByStyle(t *testing.T) {
	t.Parallel()
	numbering := abstractNum(0, lvl(0, "decimal", "%1.", 360, `<w:pStyle w:val="H1"/>`)+lvl(1, "decimal", "%1.%2", 720, `<w:pStyle w:val="H2"/>`)+lvl(2, "lowerLetter", "%3)", 1080, "")) +
		num(1, 0, "") + abstractNum(5, lvl(0, "decimal", "%1)", 360, "")+lvl(1, "decimal", "%1.%2)", 720, "")) + num(9, 5, "")
	pr := func(id string) string { return `<w:pPr><w:numPr><w:numId w:val="` + id + `"/></w:numPr></w:pPr>` }
	styles := pstyle("H1", "heading 1", "", pr("1")) + pstyle("H2", "heading 2", "H1", "") +
		pstyle("Free", "Free Heading", "H2", pr("0")) + pstyle("Sub", "Sub Heading", "H2", "") +
		pstyle("Num", "List Number", "", pr("9")) +
		pstyle("Num2", "List Number 2", "Num", `<w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>`)
	doc := func(xml string) string {
		return marks(read(t, parts{"word/document.xml": xml, "word/numbering.xml": numbering, "word/styles.xml": styles}))
	}
	require.Equal(t, "1. Kafka | 1.1 Rotate | 1.2 Verify | 2. Postgres | 2.1 Restore",
		doc(styled("H1", "Kafka")+styled("H2", "Rotate")+par("", "text")+styled("H2", "Verify")+styled("H1", "Postgres")+styled("H2", "Restore")),
		"the level that names the style")
	require.Equal(t, "1. A | Foreword | 1.1 B", doc(styled("H1", "A")+styled("Free", "Foreword")+styled("H2", "B")), "a style without a number")
	require.Equal(t, "1. A | 1.1 B", doc(styled("H1", "A")+styled("Sub", "B")), "the level of the style that it is based on")
	require.Equal(t, "1. A | B | 2. C", doc(styled("H1", "A")+par(`<w:pStyle w:val="H1"/><w:numPr><w:numId w:val="0"/></w:numPr>`, "B")+styled("H1", "C")), "a paragraph without a number")
	require.Equal(t, "1) | 1.1) | 1.2) | 2)", doc(styled("Num", "a")+styled("Num2", "b")+styled("Num2", "c")+styled("Num", "d")), "the level of the style alone")
	require.Equal(t, "1. A | a) | 1.1 B", doc(styled("H1", "A")+item(1, 2, "x")+styled("H2", "B")), "an item between headings of one list")
}

// TestLabelsCount is the property behind all: what stands between items never
// changes their numbers.
func TestLabelsCount(t *testing.T) {
	t.Parallel()
	between := []string{
		"", par("", "text"), "<w:p/>", par(`<w:ind w:left="720"/>`, "more"), item(4, 0, "bullet"),
		"<w:tbl><w:tr><w:tc>" + par("", "a") + "</w:tc></w:tr><w:tr><w:tc>" + par("", "b") + "</w:tc></w:tr></w:tbl>",
		"<w:p>" + run(`<w:rFonts w:ascii="Consolas"/>`, "code") + "</w:p>", styled("Heading2", "H"),
		`<w:p><w:pPr><w:rPr><w:del/></w:rPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>`,
	}
	for a := range between {
		for b := range between {
			xml := item(1, 0, "x") + between[a] + item(1, 0, "x") + between[b] + between[a] + item(1, 0, "x")
			var got []string
			for _, m := range strings.Split(marks(read(t, parts{"word/document.xml": xml, "word/numbering.xml": simple})), " | ") {
				if m != "" && m != "H" {
					got = append(got, m)
				}
			}
			require.Equal(t, []string{"1.", "2.", "3."}, got, fmt.Sprint(a, b))
		}
	}
}
