package split_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/embed/uselite"
	"passage/rag/extract"
	"passage/rag/split"
	"passage/rag/tokens"
)

// opened are one tokenizer of each kind.
var opened = sync.OnceValues(func() ([]tokens.Tokenizer, error) {
	vocabulary, err := os.ReadFile("../tokens/testdata/vocab.txt")
	if err != nil {
		return nil, err
	}
	var all []tokens.Tokenizer
	for _, open := range []func() (tokens.Tokenizer, error){
		tokens.CL100K, tokens.O200K,
		func() (tokens.Tokenizer, error) { return uselite.NewTokenizer() },
		func() (tokens.Tokenizer, error) { return tokens.WordPiece(vocabulary, true) },
		func() (tokens.Tokenizer, error) { return tokens.WordPiece(vocabulary, false) },
	} {
		tok, err := open()
		if err != nil {
			return nil, err
		}
		all = append(all, tok)
	}
	return all, nil
})

func tokenizers(tb testing.TB) []tokens.Tokenizer {
	tb.Helper()
	all, err := opened()
	require.NoError(tb, err)
	return all
}

func limited(tb testing.TB, tok tokens.Tokenizer, most int, name, text string) (rag.Extraction, rag.Outline) {
	tb.Helper()
	x := read(tb, name, text)
	o, err := split.Split(x, split.Options{Limit: split.Limit{Tokens: tok, Most: most}, Title: "Title"})
	require.NoError(tb, err)
	requireOutline(tb, x, o)
	return x, o
}

// T54: whatever is longer than the embedder takes is divided, and that is said.
func TestLimitDividesUnits(t *testing.T) {
	t.Parallel()
	tok := cl100k(t)
	for _, c := range []struct {
		name, text string
		want       []string // of the units after the first
		warning    string
	}{
		{
			"code between lines", "Run:\n\n```sh\nkubectl get pods -n kafka\nkubectl drain node-1 --force\n\nkubectl uncordon node-1\nkubectl get nodes -o wide\n```\n",
			[]string{"code ```sh\nkubectl get pods -n kafka\nkubectl drain node-1 --force", "code kubectl uncordon node-1\nkubectl get nodes -o wide\n```"},
			"1 code block is longer than the embedder takes at once (25 tokens) and is indexed in 2 pieces.",
		},
		{
			"prose at a clause", "Run.\n\nStop the first broker and wait until every partition is in sync, then stop the second broker and wait for the controller to elect anew\n",
			[]string{"sentence Stop the first broker and wait until every partition is in sync,", "sentence then stop the second broker and wait for the controller to elect anew"},
			"1 sentence is longer than the embedder takes at once (25 tokens) and is indexed in 2 pieces.",
		},
		{
			"an item at a sentence", "Run.\n\n- Stop the first broker and wait until it is in sync. Then stop the second broker and wait for the controller to elect.\n",
			[]string{"item - Stop the first broker and wait until it is in sync.", "item Then stop the second broker and wait for the controller to elect."},
			"1 list item is longer than the embedder takes at once (25 tokens) and is indexed in 2 pieces.",
		},
		{
			"what fits stays", "Run.\n\n```sh\nls -l\n```\n", []string{"code ```sh\nls -l\n```"}, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, o := limited(t, tok, 25, "a.md", c.text)
			require.Equal(t, c.want, texts(x, o)[1:])
			if c.warning == "" {
				require.Empty(t, o.Warnings)
				return
			}
			require.Equal(t, []string{c.warning}, o.Warnings)
			for _, u := range o.Units[1:] {
				require.Equal(t, 1, u.Paragraph, "pieces are of one paragraph")
			}
		})
	}
}

// T25: a row is divided between its cells, and each piece has the header cells
// of its own columns.
func TestLimitDividesRows(t *testing.T) {
	t.Parallel()
	text := "| drug | dose | interval | monitoring while it is given |\n|---|---|---|---|\n" +
		"| amoxicillin for children | 25 to 50 mg per kg and day | every eight hours or twelve | creatinine, potassium, liver enzymes every week |\n"
	x, o := limited(t, cl100k(t), 30, "a.md", text)
	var got []string
	for _, u := range o.Units[1:] {
		require.Equal(t, "| drug | dose | interval | monitoring while it is given |", u.Header.In(x.Text))
		got = append(got, split.EmbedText("", o.Sections[u.Section], u, x.Text))
	}
	require.Equal(t, []string{
		"drug, dose: amoxicillin for children, 25 to 50 mg per kg and day",
		"interval, monitoring while it is given: every eight hours or twelve, creatinine, potassium, liver enzymes every week",
	}, got)
	require.Equal(t, []string{"1 table row is longer than the embedder takes at once (30 tokens) and is indexed in 2 pieces."}, o.Warnings)
}

func TestPiecesOfRowsKnowTheirColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ header, before, piece, after, want string }{
		{"| a | b | c |", "", "| 1 | 2 | 3 |", "", "a, b, c: 1, 2, 3"},
		{"| a | b | c |", "", "| 1 | 2 ", "| 3 |", "a, b: 1, 2"},
		{"| a | b | c |", "| 1 ", "| 2 ", "| 3 |", "b: 2"},
		{"| a | b | c |", "| 1 | 2 ", "| 3 |", "", "c: 3"},
		{"| a | b | c |", "| 1 | 2 ", "and more", " | 3 |", "b: and more"},
		{"a | b | c", "1 ", "| 2 | 3", "", "b, c: 2, 3"},
		{"a | b | c", "", "1", " | 2 | 3", "a: 1"},
		{`| a | b |`, `| 1\|2 `, "| 3 |", "", "b: 3"},
		{"| a | b |", "| 1 | 2 ", "| 3 |", "", "3"},
		{"| a || c |", "| 1 ", "| 2 | 3", " |", "c: 2, 3"},
	} {
		text := c.header + "\n" + c.before + c.piece + c.after + "\n"
		start := len(c.header) + 1 + len(c.before)
		u := rag.Unit{Kind: rag.UnitRow, Span: rag.Span{Start: start, End: start + len(c.piece)}, Header: rag.Span{End: len(c.header)}}
		require.Equal(t, c.want, split.EmbedText("", rag.Section{}, u, text), "%q", text)
	}
}

// No embedded text is over the limit, by any tokenizer, unless title and path
// alone take half of it; pieces are of the same paragraph, nothing is lost.
func TestNothingIsOverTheLimit(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	b.WriteString("# Heading\n\n")
	words := []string{"restart", "kafka-0", "重启服务器", "Übergröße", "🩺", "https://example.com/a/b?c=d", "5 mg/kg,", "wait.", "`kubectl get`", "QmFzZTY0IHdpdGhvdXQg", "\n", "\n"}
	fill := func(n int, stop string) {
		for range n {
			w := words[rng.IntN(len(words))]
			if stop != "" && w == "\n" {
				w = stop
			}
			b.WriteString(w + " ")
		}
		b.WriteByte('\n')
	}
	for i := range 20 {
		fmt.Fprintf(&b, "\n```sh\n")
		fill(10+rng.IntN(200), "")
		b.WriteString("```\n\n- ")
		fill(rng.IntN(120), "and")
		b.WriteString("\n| a | longer name | b |\n|---|---|---|\n| ")
		fill(5+rng.IntN(150), "|")
		fmt.Fprintf(&b, "\nParagraph %d ", i)
		fill(rng.IntN(200), "so")
	}
	for _, tok := range tokenizers(t) {
		for _, most := range []int{32, 128, 512} {
			x, o := limited(t, tok, most, "a.md", b.String())
			require.Len(t, o.Warnings, 1)
			for _, u := range o.Units {
				embedded := split.EmbedText("Title", o.Sections[u.Section], u, x.Text)
				require.LessOrEqual(t, tok.Count(embedded), most, "%s %d %q", tok.Name(), most, embedded)
			}
		}
	}
}

// A title that leaves no room is not worth a piece for every word.
func TestLongTitlesDoNotShatterUnits(t *testing.T) {
	t.Parallel()
	x := read(t, "a.md", "# "+strings.Repeat("Heading words ", 60)+"\n\nOne short sentence. Another one.\n")
	o, err := split.Split(x, split.Options{Limit: split.Limit{Tokens: cl100k(t), Most: 64}, Title: strings.Repeat("title ", 50)})
	require.NoError(t, err)
	require.LessOrEqual(t, len(o.Units), 7)
}

// An embedder that takes a long text in parts gets it whole.
func TestLimitOfAnAveragingEmbedder(t *testing.T) {
	t.Parallel()
	text := "# A\n\n```\n" + strings.Repeat("ls -l\n", 50) + "```\n\n- " + strings.Repeat("wait, ", 50) + "\n"
	x := read(t, "a.md", text)
	opts := split.Options{Tokens: cl100k(t), Limit: split.Limit{Tokens: cl100k(t), Most: 64, Average: true}, Sets: []rag.UnitSet{"tokens-100-10"}}
	o, err := split.Split(x, opts)
	require.NoError(t, err)
	require.Len(t, o.UnitsOf(rag.SentenceSet), 3)
	require.Equal(t, []string{"1 code block and 1 list item are longer than the embedder takes at once (64 tokens) and are found by the mean of several parts."}, o.Warnings)
	require.Equal(t, "split/3 cl100k_base", opts.Recipe(), "no unit depends on it")
}

func TestChunksOverTheLimitAreTold(t *testing.T) {
	t.Parallel()
	x := read(t, "a.md", strings.Repeat("Restart the broker. ", 100))
	opts := split.Options{Tokens: cl100k(t), Limit: split.Limit{Tokens: cl100k(t), Most: 64}, Sets: []rag.UnitSet{"tokens-100-10", "tokens-32-0"}}
	o, err := split.Split(x, opts)
	require.NoError(t, err)
	require.Equal(t, []string{"4 chunks are longer than the embedder takes at once (64 tokens) and are found by the mean of several parts."}, o.Warnings)
}

// A recipe tells what the sentence units and sections depend on; the name of a
// set tells what its chunks depend on.
func TestRecipeNamesTheTokenizers(t *testing.T) {
	t.Parallel()
	all := tokenizers(t)
	require.Equal(t, "split/3", split.Options{}.Recipe())
	opts := split.Options{Tokens: all[0], Chunks: all[2]}
	require.Equal(t, "split/3 cl100k_base", opts.Recipe())
	require.Equal(t, "use-lite", opts.ChunkTokens())
	opts.Limit = split.Limit{Tokens: all[2], Most: 128}
	require.Equal(t, "split/3 cl100k_base use-lite<=128", opts.Recipe())

	opts.Sets = []rag.UnitSet{"tokens-20-5-use-lite"}
	o, err := split.Split(read(t, "a.md", "Words."), opts)
	require.NoError(t, err)
	require.Len(t, o.UnitsOf("tokens-20-5-use-lite"), 1)
	opts.Sets = []rag.UnitSet{"tokens-20-5"} // of cl100k_base
	_, err = split.Split(read(t, "a.md", "Words."), opts)
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
}

func FuzzLimit(f *testing.F) {
	f.Add(everything, uint16(8), uint8(130))
	f.Add("| a | b |\n|---|---|\n| "+strings.Repeat("x ", 90)+"| "+strings.Repeat("y ", 90)+"|\n", uint16(20), uint8(132))
	f.Add("```\n"+strings.Repeat("a b c\n\n", 90)+"```", uint16(10), uint8(133))
	all := tokenizers(f)
	f.Fuzz(func(t *testing.T, text string, most uint16, which uint8) {
		if len(text) > 5_000 || most == 0 {
			t.Skip()
		}
		tok := all[int(which)%len(all)]
		name := "a.txt"
		if which >= 128 {
			name = "a.md"
		}
		x, err := extract.File(t.Context(), name, []byte("a\n\n"+text))
		if err != nil {
			t.Skip()
		}
		o, err := split.Split(x, split.Options{Limit: split.Limit{Tokens: tok, Most: int(most)}})
		require.NoError(t, err)
		requireOutline(t, x, o)
	})
}
