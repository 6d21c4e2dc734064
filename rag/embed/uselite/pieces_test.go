package uselite

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"passage/rag/embed/uselite/weights"
)

// testTokenizer is a tokenizer alone, with the vocabulary it was made from.
func testTokenizer(tb testing.TB) (*tokenizer, []weights.Entry) {
	tb.Helper()
	file, err := weights.Parse(packed)
	require.NoError(tb, err)
	return newTokenizer(file.Vocabulary), file.Vocabulary
}

func TestPieceSpans(t *testing.T) {
	t.Parallel()
	tok, _ := testTokenizer(t)
	cases := map[string]struct {
		text string
		want []string // the bytes of each piece, in order
	}{
		"nothing":                  {"", nil},
		"white space alone":        {" \t\r\n\u00a0\u3000", nil},
		"one word":                 {"the", []string{"the"}},
		"words keep their space":   {"the system", []string{"the", " system"}},
		"runs of white space":      {" the \t\n system\r\n", []string{" the", " \t\n system\r\n"}},
		"no-break space":           {"the\u00a0system", []string{"the", "\u00a0system"}},
		"word in parts":            {"certificates", []string{"certificate", "s"}},
		"unknown characters (T15)": {"on 🩺🚀 on", []string{"on", " ", "🩺🚀", " on"}},
		"one unknown (T18)":        {"🚀", []string{"", "🚀"}},
		"ligature is one piece":    {"ﬁle", []string{"ﬁle"}},
		"composed from two":        {"e\u0301", []string{"", "e\u0301"}},
		"no sign is cut (T15)":     {"Übergröße", []string{"", "Ü", "berg", "r", "ö", "ß", "e"}},
		"one character, more pieces": {
			"½", []string{"½", "", ""}, // "1⁄2"
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range tok.pieces(c.text) {
				got = append(got, p.In(c.text))
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestWhiteSpaceDoesNotChangePieces(t *testing.T) {
	t.Parallel()
	tok, _ := testTokenizer(t)
	ids := func(text string) []int {
		var out []int
		for _, p := range tok.pieces(text) {
			out = append(out, p.ID)
		}
		return out
	}
	want := ids("Restart the service.")
	for _, text := range []string{
		"  Restart the service. ", "Restart\tthe\nservice.", "Restart the\r\n\r\n  service.",
		"Restart\u2003the\u00a0service.\u200b", "\ufeffRestart the service.\x00",
	} {
		require.Equal(t, want, ids(text), "%q", text)
	}
}

// FuzzPieces checks what callers rely on when they cut a text at its pieces:
// the spans cover the text, in order, between characters, and the pieces say
// what the text says.
func FuzzPieces(f *testing.F) {
	for _, g := range readGolden(f) {
		f.Add(g.Text)
	}
	for _, text := range []string{
		"\xff\xfe broken \xf0\x9f", "e\u0301\u0302\u0303", "\u1112\u1161\u11ab", "ﷺ", "¨ ¨", strings.Repeat("\u0301", 70),
		strings.Repeat("a", 2000), "\u00ad\u200d\u2060", "\r\n\r", "x\u0300 \u0300y",
	} {
		f.Add(text)
	}
	tok, vocabulary := testTokenizer(f)
	f.Fuzz(func(t *testing.T, text string) {
		pieces := tok.pieces(text)
		end, known := 0, true
		var said strings.Builder
		for i, p := range pieces {
			require.Equal(t, end, p.Start, "piece %d starts where the one before ends", i)
			require.GreaterOrEqual(t, p.End, p.Start)
			require.Less(t, p.ID, len(vocabulary))
			end = p.End
			if utf8.ValidString(text) {
				require.True(t, utf8.ValidString(p.In(text)), "piece %d cuts a character", i)
			}
			if p.ID == unknown {
				known = false
				require.False(t, i > 0 && pieces[i-1].ID == unknown, "two unknown pieces stand side by side")
			}
			said.WriteString(vocabulary[p.ID].Piece)
		}
		if len(pieces) > 0 {
			require.Equal(t, len(text), end, "the last piece ends with the text")
		} else {
			require.Empty(t, normalize(text).runes)
		}
		if known {
			require.Equal(t, string(normalize(text).runes), said.String())
		}
	})
}
