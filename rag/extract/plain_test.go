package extract

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPlainForms has the forms of plain text, each with the tree that it must
// give. The first line of each is no title: it ends like a sentence.
func TestPlainForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"paragraphs", "a b.\nc d.\n\n  e f.\n", `
paragraph "a b.\nc d."
paragraph "e f."`},
		{"lines that nobody wrapped", strings.Repeat("word ", 50) + "end.\nNext.\n", `
paragraph "` + strings.Repeat("word ", 50) + `end."
paragraph "Next."`},
		{"underlined headings", "a.\n\nBig\n===\n\nSmall\n-----\ntext.\n\nSmaller\n~~~~~~~\n\n===\nOver\n===\n", `
title "Big"
paragraph "a."
heading1 "Big\n===" {"Big"}
heading2 "Small\n-----" {"Small"}
paragraph "text."
heading3 "Smaller\n~~~~~~~" {"Smaller"}
heading1 "===\nOver\n===" {"Over"}`},
		{"a rule is no underline", "a.\n\nshort\n-----------------------------------------------\nb.\n\nc.\n---\nd.\n", `
paragraph "a."
paragraph "short"
break "-----------------------------------------------"
paragraph "b."
heading2 "c.\n---" {"c."}
paragraph "d."`},
		{"title", "Restart the pump\n\nText.\n", `
title "Restart the pump"
heading1 "Restart the pump"
paragraph "Text."`},
		{"numbered headings", "a.\n\n1. Safety\n\nb.\n\n1.1 Power supply\n\nc.\n\n2.3 mg were given.\n\n3.1.4 of it\n", `
paragraph "a."
heading2 "1. Safety"
paragraph "b."
heading3 "1.1 Power supply"
paragraph "c."
paragraph "2.3 mg were given."
paragraph "3.1.4 of it"`},
		{"numbered lines that are steps", "a.\n\n1. Stop it\n\nb.\n\n2. Start it\n", `
paragraph "a."
list level=1 start=1
  item "1."
    paragraph "Stop it"
paragraph "b."
list level=1 start=2
  item "2."
    paragraph "Start it"`},
		{"capitals", "a.\n\nBEFORE YOU START:\nb.\n\nERR-4012\n\nWARNING\nHot.\n\nTWO LINES OF\nCAPITAL LETTERS\n", `
paragraph "a."
heading2 "BEFORE YOU START:" {"BEFORE YOU START"}
paragraph "b."
paragraph "ERR-4012"
paragraph "WARNING\nHot."
paragraph "TWO LINES OF\nCAPITAL LETTERS"`},
		{"chapters", "a.\n\nChapter 2: The Pump\n\nb.\n\nAppendix A\n\nPart of it is lost\n\nc.\n", `
paragraph "a."
heading2 "Chapter 2: The Pump"
paragraph "b."
heading2 "Appendix A"
paragraph "Part of it is lost"
paragraph "c."`},
		{"numbers with full stops", "Do:\n1. a\n2. b\n   more\nlazy\n3. c\n", `
paragraph "Do:"
list level=1 start=1
  item "1."
    paragraph "a"
  item "2."
    paragraph "b\n   more\nlazy"
  item "3."
    paragraph "c"`},
		{"brackets", "a.\n\n1) b\n2) c\n\n(1) d\n(2) e\n", `
paragraph "a."
list level=1 start=1
  item "1)"
    paragraph "b"
  item "2)"
    paragraph "c"
list level=1 start=1
  item "(1)"
    paragraph "d"
  item "(2)"
    paragraph "e"`},
		{"all ones and flush right", "a.\n\n1. b\n1. c\n1. d\n\n 9) e\n10) f\n", `
paragraph "a."
list level=1 start=1
  item "1."
    paragraph "b"
  item "1."
    paragraph "c"
  item "1."
    paragraph "d"
list level=1 start=9
  item "9)"
    paragraph "e"
  item "10)"
    paragraph "f"`},
		{"letters and Roman numbers", "a.\n\n1. b\n   a. c\n   b. d\n     i) e\n     ii) f\n   c. g\n2. h\n", `
paragraph "a."
list level=1 start=1
  item "1."
    paragraph "b"
    list level=2 start=1
      item "a."
        paragraph "c"
      item "b."
        paragraph "d"
        list level=3 start=1
          item "i)"
            paragraph "e"
          item "ii)"
            paragraph "f"
      item "c."
        paragraph "g"
  item "2."
    paragraph "h"`},
		{"Roman numbers beyond four", "a.\n\niv) no\n\ni) b\nii) c\niii) d\niv) e\nv) f\nvi) g\n", `
paragraph "a."
paragraph "iv) no"
list level=1 start=1
  item "i)"
    paragraph "b"
  item "ii)"
    paragraph "c"
  item "iii)"
    paragraph "d"
  item "iv)"
    paragraph "e"
  item "v)"
    paragraph "f"
  item "vi)"
    paragraph "g"`},
		{"numbers of two parts", "a.\n1.1 b\n1.2 c\n     1.2.1 d\n     1.2.2 e\n\n2.a) f\n2.b) g\n", `
paragraph "a."
list level=1 start=1
  item "1.1"
    paragraph "b"
  item "1.2"
    paragraph "c"
    list level=2 start=1
      item "1.2.1"
        paragraph "d"
      item "1.2.2"
        paragraph "e"
list level=1 start=1
  item "2.a)"
    paragraph "f"
  item "2.b)"
    paragraph "g"`},
		{"steps of other languages", "a.\n\nSchritt 1: b\nSchritt 2: c\n\nÉtape 1 : d\nÉtape 2 : e\n", `
paragraph "a."
list level=1 start=1
  item "Schritt 1:"
    paragraph "b"
  item "Schritt 2:"
    paragraph "c"
  item "Étape 1 :"
    paragraph "d"
  item "Étape 2 :"
    paragraph "e"`},
		{"boxes to tick", "a:\n[ ] b\n[x] c\n\n[1] d\n", `
paragraph "a:"
list level=1
  item "[ ]"
    paragraph "b"
  item "[x]"
    paragraph "c"
paragraph "[1] d"`},
		{"a letter for a bullet", "a.\n\no b\no c\n\no d alone.\n", `
paragraph "a."
list level=1
  item "o"
    paragraph "b"
  item "o"
    paragraph "c"
  item "o"
    paragraph "d alone."`},
		{"usual names", "a.\n\nVerification\n\nLook.\n\nVoraussetzungen:\n- b\n\nMonday\n\nc.\n\nWarning\n\nd.\n\nSummary\nof it.\n\nNotes\n", `
paragraph "a."
heading2 "Verification"
paragraph "Look."
heading2 "Voraussetzungen:" {"Voraussetzungen"}
list level=1
  item "-"
    paragraph "b"
paragraph "Monday"
paragraph "c."
paragraph "Warning"
paragraph "d."
paragraph "Summary\nof it."
paragraph "Notes"`},
		{"a usual name below a heading", "a.\n\nPump\n----\n\nSteps:\n1. b\n2. c\n\nRollback\n\nd.\n", `
paragraph "a."
heading2 "Pump\n----" {"Pump"}
heading3 "Steps:" {"Steps"}
list level=1 start=1
  item "1."
    paragraph "b"
  item "2."
    paragraph "c"
heading3 "Rollback"
paragraph "d."`},
		{"signs around", "*** ALARM ***\na.\n\n=== Checks ===\nb.\n\n--- c\n", `
title "ALARM"
heading1 "*** ALARM ***" {"ALARM"}
paragraph "a."
heading2 "=== Checks ===" {"Checks"}
paragraph "b."
paragraph "--- c"`},
		{"commands below words", "a.\n\n1. Scale\n       kubectl scale --replicas=3\n2. Look:\n\n     # id\n\n     It must be root.\n3. End\n   $ exit\n", `
paragraph "a."
list level=1 start=1
  item "1."
    paragraph "Scale"
    code "       kubectl scale --replicas=3"
  item "2."
    paragraph "Look:"
    code "     # id"
    paragraph "It must be root."
  item "3."
    paragraph "End"
    code "   $ exit"`},
		{"an initial is no item", "A. Smith wrote it in\n2019. It was\n5. of May.\n\nC. Jones too.\n", `
paragraph "A. Smith wrote it in\n2019. It was\n5. of May."
paragraph "C. Jones too."`},
		{"steps", "Do this.\nStep 1: Stop it.\nWait.\n\n  ok\n\nSTEP 2 - Start it.\nStep 3\n  Check.\nStep 4 is not one.\n", `
paragraph "Do this."
list level=1 start=1
  item "Step 1:"
    paragraph "Stop it.\nWait."
    paragraph "ok"
  item "STEP 2 -"
    paragraph "Start it."
  item "Step 3"
    paragraph "Check.\nStep 4 is not one."`},
		{"bullets", "a:\n- b\n- c\n\n• d\n  • e\n• f\n\n* g\n\n  h\n", `
paragraph "a:"
list level=1
  item "-"
    paragraph "b"
  item "-"
    paragraph "c"
list level=1
  item "•"
    paragraph "d"
    list level=2
      item "•"
        paragraph "e"
  item "•"
    paragraph "f"
list level=1
  item "*"
    paragraph "g"
    paragraph "h"`},
		{"a dash in a paragraph", "It was\n- as he said - cold.\n\n-5 degrees\n", `
paragraph "It was\n- as he said - cold."
paragraph "-5 degrees"`},
		{"commands", "Run:\n    sudo reboot\nand wait.\n\n1. Drain:\n\n     kubectl drain $NODE --force\n     kubectl get pods\n\n2. Then\n\n$ ls -l\n$ date\n", `
paragraph "Run:"
code "    sudo reboot"
paragraph "and wait."
list level=1 start=1
  item "1."
    paragraph "Drain:"
    code "     kubectl drain $NODE --force\n     kubectl get pods"
  item "2."
    paragraph "Then"
code "$ ls -l\n$ date"`},
		{"indented prose", "a.\n\n    The pump was stopped, and nobody\n    started it again.\n", `
paragraph "a."
paragraph "The pump was stopped, and nobody\n    started it again."`},
		{"fences", "a.\n\n```sh\n# CAPS\n\nb\n```\nc.\n```\nd\n\n", `
paragraph "a."
code "sh" "` + "```sh\\n# CAPS\\n\\nb\\n```" + `" {"# CAPS\n\nb"}
paragraph "c."
code "` + "```\\nd" + `" {"d"}
warning: The code fence opened in line 9 is never closed; what follows is read as code.`},
		{"rules", "a.\n\n* * *\n----\n\nb.\n", `
paragraph "a."
break "* * *"
break "----"
paragraph "b."`},
		{"Markdown is only text here", "a.\n\n# b\n\n> c\n\n| d |\n|---|\n", `
paragraph "a."
paragraph "# b"
paragraph "> c"
paragraph "| d |\n|---|"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, strings.TrimPrefix(c.want, "\n")+"\n", dump(read(t, "a.txt", c.in)))
		})
	}
}

// TestPlainLineEnds is T29 for plain text.
func TestPlainLineEnds(t *testing.T) {
	t.Parallel()
	lf := "Title\n\nA\n===\n\n1. b\n\n2. c\n"
	want := read(t, "a.txt", lf)
	require.Equal(t, PlainID, want.Extractor)
	for _, end := range []string{"\r\n", "\r"} {
		require.Equal(t, want, read(t, "a.txt", "\ufeff"+strings.ReplaceAll(lf, "\n", end)))
	}
}

// TestTimeIsLinear gives both readers what makes a careless one look at the
// same text again and again. A fast machine needs milliseconds for each.
func TestTimeIsLinear(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		"> ", "- ", "\t", "*", "[", "[^1]: ", "[a]: b\n", ":::a\n", ":::a\n::::\n", "!!! a\n", "!!! a\n    ", "```\n", "~~~a\n",
		"|a|\n", "|-|\n", "|-|\n\n", "a\n-\n", "<!-- ", "<a ", "<div>\n", "*\n", "1. a\n", "2. a\n\n", "  - a\n", "a. a\n", "b. a\n\n", "===\n",
		"===\na\n", "Step 1: a\n", "(1) a\n", "    a\n\n", "$ a\n", "1.1 A\n\n", "A:\n    a-b -c\n", "AAAA BBBB\n", "    - a\n 1. b\n", "a\\",
		"a) a\n", "a) a\n\n", "(i) a\n", "(i) (a) ", "1.1 a\n", "a)\nb)\n", "a) a\nb) b\n",
	} {
		in := []byte("x.\n\n" + strings.Repeat(piece, 40_000/len(piece)))
		for _, name := range []string{"a.md", "a.txt"} {
			start := time.Now()
			_, err := File(t.Context(), name, in)
			require.NoError(t, err)
			require.Less(t, time.Since(start), 10*time.Second, "%s with %q", name, piece)
		}
	}
}
