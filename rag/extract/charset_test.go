package extract

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"

	"passage/rag"
)

func encoded(t *testing.T, enc encoding.Encoding, s string) []byte {
	t.Helper()
	b, err := enc.NewEncoder().Bytes([]byte(s))
	require.NoError(t, err)
	return b
}

func TestDecodeAsDeclared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, label string
		in          []byte
		want        string
	}{
		{"Cyrillic", "windows-1251", encoded(t, charmap.Windows1251, "Привет, мир\r\n"), "Привет, мир\n"},
		{"Latin-1 is read as Windows-1252", "ISO-8859-1", []byte("\x80 5 \xb5g"), "€ 5 µg"},
		{"Japanese", "Shift_JIS", encoded(t, japanese.ShiftJIS, "手順です。"), "手順です。"},
		{"Japanese in seven bits", "iso-2022-jp", encoded(t, japanese.ISO2022JP, "手順です。"), "手順です。"},
		{"Chinese", "gb2312", encoded(t, simplifiedchinese.GBK, "先停止服务。"), "先停止服务。"},
		{"UTF-8 in spite of the label", "windows-1251", []byte("Größe"), "Größe"},
		{"a mark in spite of the label", "windows-1251", []byte("\ufeffab"), "ab"},
		{"UTF-16 in spite of the label", "utf-8", []byte("\xff\xfea\x00b\x00"), "ab"},
		{"an unknown label", "x-foo", []byte("Gr\xf6\xdfe und Menge"), "Größe und Menge"},
		{"no label", "", []byte("plain"), "plain"},
		{"a label that stands for nothing safe", "iso-2022-kr", []byte("plain"), "plain"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, _, err := decodeAs("a.html", c.in, c.label)
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

func TestDecodeAsNamesTheBadByte(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		label, in, says string
	}{
		{"shift_jis", "abc\x8f\xff d", "byte 0x8F at offset 3 is not valid shift_jis"},
		{"euc-jp", "\xbc\xea\xbd\xe7 \xff", "byte 0xFF at offset 5 is not valid euc-jp"},
		{"windows-1253", "caf\xd2 \xff", "byte 0xD2 at offset 3 is not valid windows-1253"},
	} {
		_, _, err := decodeAs("a.html", []byte(c.in), c.label)
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), c.label)
		require.Contains(t, rag.ErrorMessage(err), c.says)
	}
}

func FuzzDecodeAs(f *testing.F) {
	f.Add("shift_jis", []byte("\x8e\xe8\x8f\x87"))
	f.Add("gb18030", []byte("\x84\x31\xa4\x37"))
	f.Add("windows-1251", []byte("\xcf\xf0"))
	f.Add("big5", []byte("\x88\x62a"))
	f.Fuzz(func(t *testing.T, label string, data []byte) {
		text, _, err := decodeAs("a.html", data, label)
		if err != nil {
			require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
			return
		}
		again, removed, _ := clean(text)
		require.Zero(t, removed)
		require.Equal(t, string(text), string(again))
	})
}
