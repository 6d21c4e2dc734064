package llm

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestJoiner(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		pieces []string
		want   []string // what each piece gives
		rest   string
	}{
		{"whole", []string{"Größe", " 5 µg"}, []string{"Größe", " 5 µg"}, ""},
		{"two bytes split", []string{"a\xc3", "\xb6b"}, []string{"a", "öb"}, ""},
		{"four bytes in four pieces", []string{"\xf0", "\x9f", "\xa9", "\xba"}, []string{"", "", "", "🩺"}, ""},
		{"pair of halves", []string{"a\xed\xa0\xbe", "\xed\xb9\xbab"}, []string{"a", "🩺b"}, ""},
		{"half without its other", []string{"\xed\xa0\xbe", "x"}, []string{"", "\uFFFDx"}, ""},
		{"second half alone", []string{"\xed\xb9\xba"}, []string{"\uFFFD"}, ""},
		{"broken byte", []string{"a\xffb"}, []string{"a\uFFFDb"}, ""},
		{"never completed", []string{"a\xc3"}, []string{"a"}, "\uFFFD"},
		{"NUL is dropped", []string{"a\x00b", "\x00\xc3", "\xb6"}, []string{"ab", "", "ö"}, ""},
		{"a real replacement character stays", []string{"\uFFFD"}, []string{"\uFFFD"}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var j joiner
			for i, p := range c.pieces {
				require.Equal(t, c.want[i], j.push([]byte(p)))
			}
			require.Equal(t, c.rest, j.rest())
		})
	}
}

func TestPieceEnd(t *testing.T) {
	t.Parallel()
	require.Equal(t, 3, pieceEnd("abc", 5))
	require.Equal(t, 5, pieceEnd("abcdef", 5))
	require.Equal(t, 4, pieceEnd("abcd🩺", 6), "not inside a character")
}

func TestTextOf(t *testing.T) {
	t.Parallel()
	cases := []struct{ raw, want string }{
		{``, ""},
		{`null`, ""},
		{`"a\n\"\\\/\b\f\r\t\u00e4"`, "a\n\"\\/\b\f\r\tä"},
		{`[{"type":"text","text":"a"},{"type":"thinking","text":"no"},{"type":"text","text":"b"}]`, "ab"},
		{`[]`, ""},
	}
	for _, c := range cases {
		got, err := textOf(json.RawMessage(c.raw))
		require.NoError(t, err)
		require.Equal(t, c.want, string(got))
	}
	for _, raw := range []string{`7`, `{"a":1}`, `[1]`, `[{"type":"text","text":7}]`} {
		_, err := textOf(json.RawMessage(raw))
		require.Error(t, err, raw)
	}
}

// Whatever encoding/json reads without loss is read the same here, and cut
// anywhere and joined again it is still the same.
func FuzzTextOf(f *testing.F) {
	for _, s := range []string{"", "a", "Größe 🩺", "\u2028<&>\"\\", "\x7f\t"} {
		f.Add(s, 1)
	}
	f.Fuzz(func(t *testing.T, s string, cut int) {
		if !utf8.ValidString(s) {
			t.Skip("no JSON string can hold it")
		}
		raw, err := json.Marshal(s)
		require.NoError(t, err)
		got, err := textOf(raw)
		require.NoError(t, err)
		require.Equal(t, s, string(got))

		cut = min(max(cut, 0), len(got))
		var j joiner
		joined := j.push(got[:cut]) + j.push(got[cut:]) + j.rest()
		require.Equal(t, strings.ReplaceAll(s, "\x00", ""), joined)
	})
}

// FuzzStream feeds a reply of any bytes: no panic, an end, and never an answer
// without a stop reason.
func FuzzStream(f *testing.F) {
	f.Add("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n", uint8(0))
	f.Add("event: error\ndata: {\"type\":\"error\"}\n\n{\"error\":1}\nerror: x\n", uint8(1))
	f.Add("{\"message\":{\"content\":\"a\"},\"done\":true}\n", uint8(2))
	f.Add("\xef\xbb\xbf {\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"\\ud83e\"}],\"stop_reason\":\"end_turn\"}", uint8(1))
	wires := []dialect{openAIWire{}, anthropicWire{}, ollamaWire{}}
	f.Fuzz(func(t *testing.T, reply string, which uint8) {
		x := newExchange(1e9, func() {})
		s := newStream(body{strings.NewReader(reply)}, wires[int(which)%len(wires)], x)
		buf := make([]byte, 512)
		var err error
		for err == nil {
			_, err = s.Read(buf)
		}
		rec := x.seen()
		require.NotEqual(t, rec.ended, rec.fault != nil, "either an end or a fault")
		if rec.ended {
			require.NotEmpty(t, rec.stop)
		}
	})
}

type body struct{ *strings.Reader }

func (body) Close() error { return nil }
