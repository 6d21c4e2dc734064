package extract

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"passage/rag"
)

// randomLines are what a random document is made of: every form that opens,
// closes or continues a block, which a fuzzer that changes bytes seldom finds
// together.
var randomLines = []string{
	"", "", "", "text", "text.", "more words", "a > b", "|", "| a | b |", "|---|---|", "a | b", ":-:", "---", "===", "***", "- - -",
	"# Title", "## Two ##", "#", "### {#id}", "#no", "1. one", "2. two", "1) one", "3. three", "0. zero", "10. ten",
	"1.", "-", "- a", "* b", "+ c", "- [ ] task", "1. [x] done", "-\ttab", "1.\ttab", "```", "```sh", "````", "~~~", "~~~ py",
	"> quote", ">", "> > deep", "> - item", "> ```", "> [!NOTE]", "> [!tip] Title", "> **Warning**", "[!NOTE]",
	"!!! note", "!!! warning \"T\"", "??? tip", "=== \"Tab\"", ":::note", "::: tip Title", ":::", "::::", ":::: {.x}",
	"[^1]: note", "[^1]:", "[a]: http://b", "[a]: b \"t\"", "\"title\"", "[a]:", "<!-- c -->", "<!-- open", "-->", "<div>", "</div>",
	"<h2>H</h2>", "<script>", "</script>", "<b>x</b>", "a. alpha", "b. beta", "a) alpha", "b) beta", "(i) one", "(ii) two", "1.1 one", "1.2 two", "1.a) x", "1.b) y", "a)", "b)", ": def", ":   def", "import a from 'b'", "import {", "} from \"b\"", "export const a = {", "{/* c */}", "[a", "b]:", "Step 1: go", "Step 2: on", "• bullet", "2.3 Heading",
	"CAPS LINE", "Lead:", "    indented", "\ttabbed", "  \t mixed", "    $ cmd --flag", "é ü 語", "\u00a0", "\u2028",
}

// randomDocument gives the same document for the same seed.
func randomDocument(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	indents := []string{"", "", "", "", " ", "  ", "   ", "    ", "     ", "      ", "\t", "> ", ">", "  > ", "> > ", "- ", "1. ", " \t"}
	var sb strings.Builder
	for range 1 + r.IntN(14) {
		sb.WriteString(indents[r.IntN(len(indents))])
		if r.IntN(6) == 0 {
			sb.WriteString(indents[r.IntN(len(indents))])
		}
		sb.WriteString(randomLines[r.IntN(len(randomLines))])
		if r.IntN(10) == 0 {
			sb.WriteString("  ")
		}
		sb.WriteByte('\n')
	}
	s := sb.String()
	if r.IntN(4) == 0 {
		s = strings.TrimRight(s, "\n")
	}
	return s
}

// TestRandomDocuments puts forms together at random, always the same ones;
// PASSAGE_RANDOM asks for more of them.
func TestRandomDocuments(t *testing.T) {
	t.Parallel()
	n := 5_000
	if more, err := strconv.Atoi(os.Getenv("PASSAGE_RANDOM")); err == nil {
		n = more
	}
	for i := range n {
		s := randomDocument(uint64(i))
		blocks, b := parseBlocks([]byte(s), s, true)
		bad := faults(rag.Extraction{Text: s, Blocks: blocks})
		if b.strays > 0 {
			bad = append(bad, "words outside all blocks")
		}
		if x, err := File(t.Context(), "a.txt", []byte(s)); err == nil {
			bad = append(bad, faults(x)...)
		}
		if len(bad) > 0 {
			t.Fatalf("document %d: %q\n%s\n%s", i, s, strings.Join(bad, "\n"), dump(rag.Extraction{Text: s, Blocks: blocks}))
		}
	}
}
