package extract

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// items dumps a tree as one line: a list is [label words, label words].
func items(text string, blocks []rag.Block) string {
	var out []string
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case rag.BlockList:
			out = append(out, "["+items(text, b.Children)+"]")
		case rag.BlockItem:
			sep := ", "
			if i == 0 {
				sep = ""
			}
			out = append(out, sep+b.Label, items(text, b.Children))
		case rag.BlockQuote, rag.BlockNote:
			out = append(out, "<"+items(text, b.Children)+">")
		default:
			out = append(out, strings.Join(strings.Fields(b.Span.In(text)), " "))
		}
	}
	return strings.ReplaceAll(strings.Join(out, " "), " , ", ", ")
}

// TestCountedLists has every way of counting that CommonMark does not know.
func TestCountedLists(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"letters and a full stop", "a. x\nb. y\n", "[a. x, b. y]"},
		{"letters and a bracket", "a) x\nb) y\n", "[a) x, b) y]"},
		{"letters in brackets", "(a) x\n(b) y\n", "[(a) x, (b) y]"},
		{"capitals", "A. x\nB. y\n\nA) z\nB) q\n", "[A. x, B. y] [A) z, B) q]"},
		{"Roman numbers", "i. x\nii. y\niii. z\niv. q\nv. r\n", "[i. x, ii. y, iii. z, iv. q, v. r]"},
		{"Roman numbers in brackets", "(i) x\n(ii) y\n\niv) z\n", "[(i) x, (ii) y] iv) z"},
		{"capital Roman numbers", "I. x\nII. y\n", "[I. x, II. y]"},
		{"letters as far as i and on", "h) a\n\ng) x\n\na) 1\nb) 2\nc) 3\nd) 4\ne) 5\nf) 6\ng) 7\nh) 8\ni) 9\nj) 10\n", "h) a g) x [a) 1, b) 2, c) 3, d) 4, e) 5, f) 6, g) 7, h) 8, i) 9, j) 10]"},
		{"numbers in brackets", "(1) x\n(2) y\n", "[(1) x, (2) y]"},
		{"two numbers", "1.1 x\n1.2 y\n", "[1.1 x, 1.2 y]"},
		{"two numbers and a full stop", "1.1. x\n1.2. y\n", "[1.1. x, 1.2. y]"},
		{"three numbers and a bracket", "2.3.1) x\n2.3.2) y\n", "[2.3.1) x, 2.3.2) y]"},
		{"number and letter", "1.a) x\n1.b) y\n\n2a. z\n2b. q\n", "[1.a) x, 1.b) y] [2a. z, 2b. q]"},
		{"steps", "Step 1: x\nStep 2: y\n\nSTEP 1 – z\nSTEP 2 – q\n\nStep 0. r\nStep 1. s\n", "[Step 1: x, Step 2: y] [STEP 1 – z, STEP 2 – q] [Step 0. r, Step 1. s]"},
		{"steps in other languages", "Schritt 1: x\nSchritt 2: y\n\nÉtape 1 : x\nÉtape 2 : y\n\nPaso 1. x\nPaso 2. y\n", "[Schritt 1: x, Schritt 2: y] [Étape 1 : x, Étape 2 : y] [Paso 1. x, Paso 2. y]"},
		{"below words and a colon", "Do:\na. x\nb. y\n", "Do: [a. x, b. y]"},
		{"in the middle of a paragraph", "Do it\na) x\nb) y\n", "Do it [a) x, b) y]"},
		{"nested", "1. x\n   a. y\n      i) z\n      ii) q\n   b. r\n2. s\n", "[1. x [a. y [i) z, ii) q], b. r], 2. s]"},
		{"numbers below numbers", "1. x\n   1.1 y\n   1.2 z\n2. q\n   2.1 only\n", "[1. x [1.1 y, 1.2 z], 2. q [2.1 only]]"},
		{"numbers below numbers, not indented", "1. x\n1.1 y\n1.2 z\n2. q\n2.1 r\n2.2 s\n3. t\n", "[1. x [1.1 y, 1.2 z], 2. q [2.1 r, 2.2 s], 3. t]"},
		{"three levels, not indented", "1.1 x\n1.1.1 y\n1.1.2 z\n1.2 q\n", "[1.1 x [1.1.1 y, 1.1.2 z], 1.2 q]"},
		{"on from one number to the next", "1.1 x\n1.2 y\n2.1 z\n", "[1.1 x, 1.2 y, 2.1 z]"},
		{"words below, at the width of the marker", "(iv) no\n\n(i) x\n\n    y\n\n(ii) z\n\n     - q\n", "(iv) no [(i) x y, (ii) z [- q]]"},
		{"words below, indented by two", "Step 1: x\n\n  y\n  - z\n\nStep 2: q\n  ```\n  r\n  ```\n", "[Step 1: x y [- z], Step 2: q ``` r ```]"},
		{"code below, as Markdown has it", "Step 1: x\n\n    y -z\n\nStep 2: q\n", "[Step 1: x y -z, Step 2: q]"},
		{"code at the margin between items", "a) x\n```\ny\n```\nb) z\n", "[a) x] ``` y ``` [b) z]"},
		{"counting on after words", "(1) x\n(2) y\n\nWords.\n\n(3) z\n", "[(1) x, (2) y] Words. [(3) z]"},
		{"behind bullets and in quotes", "- a. x\n  b. y\n\n> (i) z\n> (ii) q\n", "[- [a. x, b. y]] <[(i) z, (ii) q]>"},
		{"two on a line", "(a) (i) x\n    (ii) y\n(b) z\n", "[(a) [(i) x, (ii) y], (b) z]"},
		{"no words on the line", "a)\n   x\nb)\n   y\n", "[a) x, b) y]"},
		{"tabs", "a)\tx\n\ty\nb)\tz\n", "[a) x y, b) z]"},
		{"words far behind the marker", "a)        x\nb)        y\n", "[a) x, b) y]"},
		{"a column out of line", " i) x\nii) y\n", "[i) x, ii) y]"},
		{"code behind a marker", "1. ```\n   a) no\n   ```\n\na) x\nb) y\n", "[1. ``` a) no ```] [a) x, b) y]"},
		{"anew", "a) x\nb) y\na) z\nb) q\n", "[a) x, b) y] [a) z, b) q]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := read(t, "a.md", c.in)
			require.Equal(t, c.want, items(x.Text, x.Blocks))
		})
	}
}

// TestNoCountedLists has prose that only looks like items.
func TestNoCountedLists(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"a name":                          "A. Lincoln was president.\n",
		"two names in two paragraphs":     "A. Lincoln was president.\n\nHe died.\n\nB. Franklin was not.\n",
		"two names after a heading each":  "# x\n\nA. Lincoln\n\n# y\n\nB. Franklin\n",
		"that is":                         "i.e. this\n\nI. e. that\n\ne.g. more\n",
		"a version":                       "1.1 is out.\n\nIt has bugs.\n\n1.2 is out.\n",
		"one item":                        "a) only\n",
		"no first item":                   "b) x\nc) y\n",
		"a number of a sentence":          "It took\n1.5 mg and\n1.6 mg.\n",
		"a date":                          "1.1.2024 x\n1.2.2024 y\n",
		"addresses":                       "10.0.0.1 db\n10.0.0.2 web\n",
		"steps that do not count":         "Step 1: x\n\nStep 3: y\n",
		"words of a step":                 "Step 1 is hard.\n\nStep 2 is harder.\n",
		"a word in brackets":              "(see) x\n(did) y\n",
		"no Roman numbers":                "mix) x\nvil) y\niiii) z\n",
		"in code":                         "```\na) x\nb) y\n```\n",
		"in indented code":                "    a) x\n    b) y\n",
		"at another indentation":          "a) x\n\n   b) y\n",
		"far away":                        "a) x\n" + strings.Repeat("\nwords\n", 300) + "\nb) y\n",
		"goes on in a paragraph":          "a) x\n\nand\nb) y\n",
		"a letter and a bracket in prose": "Take a\nb) and see.\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := read(t, "a.md", in)
			for _, b := range x.Blocks {
				require.NotEqual(t, rag.BlockList, b.Kind, dump(x))
			}
		})
	}
}

func TestCountedFields(t *testing.T) {
	t.Parallel()
	x := read(t, "a.md", "Step 3: x\n\nviii) y\n\ni) [ ] a\nii) b\n\n1.3 c\n\n1.1 d\n1.2 e\n1.3 f\n")
	roman, decimal := x.Blocks[2], x.Blocks[4]
	require.True(t, roman.Ordered)
	require.Equal(t, 1, roman.Start)
	require.Equal(t, 1, roman.Level)
	require.Equal(t, "ii)", roman.Children[1].Label)
	require.Equal(t, 2, roman.Children[1].Start)
	require.Equal(t, "i) [ ] a", roman.Children[0].Span.In(x.Text))
	require.Equal(t, "a", roman.Children[0].Content.In(x.Text))
	require.Equal(t, 3, decimal.Children[2].Start)
	require.Equal(t, "1.3", decimal.Children[2].Label)
}
