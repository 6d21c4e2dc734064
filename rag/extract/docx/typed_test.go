package docx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTypedNumbers(t *testing.T) {
	t.Parallel()
	p := func(texts ...string) string {
		var out strings.Builder
		for _, s := range texts {
			out.WriteString(par("", s))
		}
		return out.String()
	}
	for _, c := range []struct{ name, xml, want string }{
		{"numbers that count", p("1. Stop it.", "2.\tLook.", "3.  Start it."), `
list ordered
  item "1."
    paragraph Stop it.
  item "2."
    paragraph Look.
  item "3."
    paragraph Start it.`},
		{"over several runs, with something between", "<w:p>" + run("<w:b/>", "1") + run("", ") a") + "</w:p>" + p("text", "2) b"), `
list ordered
  item "1)"
    paragraph a
paragraph text
list ordered
  item "2)"
    paragraph b`},
		{"letters below numbers", p("1. one", "a) x", "b) y", "2. two"), `
list ordered
  item "1."
    paragraph one
    list ordered
      item "a)"
        paragraph x
      item "b)"
        paragraph y
  item "2."
    paragraph two`},
		{"a number 1 begins another list", p("1. a", "2. b", "1. c", "2. d", "3. e"), `
list ordered
  item "1."
    paragraph a
  item "2."
    paragraph b
list ordered
  item "1."
    paragraph c
  item "2."
    paragraph d
  item "3."
    paragraph e`},
		{"letters begin anew below each number", p("1. one", "a) x", "b) y", "2. two", "a) z", "b) w"), `
list ordered
  item "1."
    paragraph one
    list ordered
      item "a)"
        paragraph x
      item "b)"
        paragraph y
  item "2."
    paragraph two
    list ordered
      item "a)"
        paragraph z
      item "b)"
        paragraph w`},
		{"a number alone is a word", p("1. only", "text"), "\nparagraph 1. only\nparagraph text"},
		{"numbers that do not count", p("5. five", "9. nine"), "\nparagraph 5. five\nparagraph 9. nine"},
		{"doses are no numbers of a list", p("1.5 mg", "2.5 mg"), "\nparagraph 1.5 mg\nparagraph 2.5 mg"},
		{"years are none", p("2023. It was so.", "2024. It is so."), "\nparagraph 2023. It was so.\nparagraph 2024. It is so."},
		{"bold lines are headings of their author", "<w:p>" + run("<w:b/>", "1. Scope") + "</w:p>" + p("text") + "<w:p>" + run("<w:b/>", "2. Terms") + "</w:p>", "\nparagraph **1. Scope**\nparagraph text\nparagraph **2. Terms**"},
		{"not across a heading", p("1. a") + styled("Heading1", "H") + p("2. b"), "\nparagraph 1. a\nheading1 H\nparagraph 2. b"},
		{"bullets", p("• a", "•\tb", "•c"), "\nlist\n  item\n    paragraph a\n  item\n    paragraph b\nparagraph •c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, strings.TrimPrefix(c.want, "\n")+"\n", tree(body(t, c.xml)))
		})
	}
}
