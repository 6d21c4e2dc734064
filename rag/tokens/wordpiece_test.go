package tokens_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/tokens"
)

// openWordPiece reads the small vocabulary of the tests.
func openWordPiece(tb testing.TB, fold bool) tokens.Tokenizer {
	tb.Helper()
	file, err := os.ReadFile("testdata/vocab.txt")
	require.NoError(tb, err)
	tok, err := tokens.WordPiece(file, fold)
	require.NoError(tb, err)
	return tok
}

func wordPiece(tb testing.TB) tokens.Tokenizer {
	tb.Helper()
	return openWordPiece(tb, true)
}

type golden struct {
	Text           string
	Uncased, Cased []int
}

// readGolden gives lines and their ids as the tokenizers library of Hugging Face
// finds them with the same vocabulary.
func readGolden(tb testing.TB) []golden {
	tb.Helper()
	file, err := os.ReadFile("testdata/wordpiece.json")
	require.NoError(tb, err)
	var all []golden
	require.NoError(tb, json.Unmarshal(file, &all))
	return all
}

func TestWordPieceIsExact(t *testing.T) {
	t.Parallel()
	uncased, cased := openWordPiece(t, true), openWordPiece(t, false)
	for _, g := range readGolden(t) {
		require.Equal(t, g.Uncased, append([]int{}, tokens.IDs(uncased, g.Text)...), "%q", g.Text)
		require.Equal(t, g.Cased, append([]int{}, tokens.IDs(cased, g.Text)...), "%q", g.Text)
		requireEnds(t, uncased, g.Text)
		requireEnds(t, cased, g.Text)
		if !strings.Contains(g.Text, strings.Repeat("y", 101)) && len(g.Text) != 120 {
			require.Equal(t, len(g.Uncased), uncased.Count(g.Text), "%q", g.Text)
		}
	}
}

// The text of the ends is that of the source, though it was folded to be looked
// up.
func TestWordPieceEnds(t *testing.T) {
	t.Parallel()
	tok := wordPiece(t)
	for name, c := range map[string]struct {
		text string
		n    int
		want []string
	}{
		"nothing":                        {"", 0, []string{}},
		"white space alone":              {" \n", 0, []string{" \n"}},
		"words and signs":                {" The broker's ", 4, []string{" The", " broker", "'", "s "}},
		"pieces":                         {"restarting", 2, []string{"restart", "ing"}},
		"accents stay with letters":      {"CAFÉ cafe\u0301s", 3, []string{"CAFÉ", " cafe\u0301", "s"}},
		"joiners stay, too":              {"the\u200b the\u00ad!", 3, []string{"the\u200b", " the\u00ad", "!"}},
		"dropped ones after a space":     {"the \u200bthe", 2, []string{"the", " \u200bthe"}},
		"T13 Chinese":                    {"重启服务器", 5, []string{"重", "启", "服", "务", "器"}},
		"T15 unknown words are one":      {"жёж 🛠🛠", 2, []string{"жёж", " 🛠🛠"}},
		"T15 a syllable is three pieces": {"한the", 6, []string{"한", "t", "h", "e"}},
		"T18":                            {"🚀", 1, []string{"🚀"}},
		"T17 a long word is cut":         {strings.Repeat("é", 101), 101, strings.Split(strings.Repeat("é ", 100)+"é", " ")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.n, tok.Count(c.text))
			got, from := []string{}, 0
			for _, end := range tok.Ends(c.text) {
				got = append(got, c.text[from:end])
				from = end
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestWordPieceNames(t *testing.T) {
	t.Parallel()
	open := func(vocabulary string, fold bool) string {
		tok, err := tokens.WordPiece([]byte(vocabulary), fold)
		require.NoError(t, err)
		return tok.Name()
	}
	name := open("[UNK]\na\nb\n", true)
	require.Regexp(t, "^wordpiece-[0-9a-f]{8}$", name)
	require.Equal(t, name, open("[UNK]\r\na\r\nb", true), "line ends do not count")
	require.NotEqual(t, name, open("[UNK]\nb\na\n", true))
	require.Regexp(t, "^wordpiece-cased-[0-9a-f]{8}$", open("[UNK]\na\nb\n", false))
}

func TestWordPieceRefusesOtherFiles(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"empty": "", "another file": "{\n\"a\": 1\n}\n", "not a text": "[UNK]\n\xff\xfe\n", "one long line": strings.Repeat("x", 10_000),
	} {
		_, err := tokens.WordPiece([]byte(file), true)
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), name)
	}
}

func TestWordPieceTakesLinearTime(t *testing.T) {
	t.Parallel()
	tok := wordPiece(t)
	require.Equal(t, 600_000, tok.Count(strings.Repeat("QmFzZTY0IHdp", 50_000)))
	require.Len(t, tok.Ends(strings.Repeat("restart"+strings.Repeat("\u0301", 50), 5_000)+" "), 5_000*7)
}

func FuzzWordPiece(f *testing.F) {
	for _, g := range readGolden(f) {
		f.Add(g.Text)
	}
	uncased, cased := openWordPiece(f, true), openWordPiece(f, false)
	f.Fuzz(func(t *testing.T, text string) {
		requireEnds(t, uncased, text)
		requireEnds(t, cased, text)
	})
}
