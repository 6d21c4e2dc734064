package extract

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func utf16Bytes(order binary.AppendByteOrder, s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = order.AppendUint16(out, u)
	}
	return out
}

func utf32Bytes(order binary.AppendByteOrder, s string) []byte {
	var out []byte
	for _, r := range s {
		out = order.AppendUint32(out, uint32(r))
	}
	return out
}

// TestDecode has the encodings and characters that a text may arrive with:
// T49 (NUL in the body, a heading, the front matter) and T50 (byte-order
// marks, UTF-16, Latin-1).
func TestDecode(t *testing.T) {
	t.Parallel()
	const s = "# Höhe 🩺\n\n“2 µg” – ok\n"
	for _, c := range []struct{ name, in, want string }{
		{"UTF-8 as it is", s, s},
		{"no normalisation", "e\u0301 ﬁ Å\u00a0Ω\n", "e\u0301 ﬁ Å\u00a0Ω\n"},
		{"UTF-8 with a mark", "\ufeff" + s, s},
		{"a mark inside", "a\n\ufeff# B\n", "a\n# B\n"},
		{"UTF-16 LE with a mark", string(utf16Bytes(binary.LittleEndian, "\ufeff"+s)), s},
		{"UTF-16 BE with a mark", string(utf16Bytes(binary.BigEndian, "\ufeff"+s)), s},
		{"UTF-16 LE without", string(utf16Bytes(binary.LittleEndian, s)), s},
		{"UTF-16 BE without", string(utf16Bytes(binary.BigEndian, s)), s},
		{"UTF-32 LE with a mark", string(utf32Bytes(binary.LittleEndian, "\ufeff"+s)), s},
		{"UTF-32 BE with a mark", string(utf32Bytes(binary.BigEndian, "\ufeff"+s)), s},
		{"UTF-32 LE without", string(utf32Bytes(binary.LittleEndian, "plain text")), "plain text"},
		{"UTF-32 BE without", string(utf32Bytes(binary.BigEndian, "plain text")), "plain text"},
		{"T49: NUL", "---\ntitle: A\x00B\n---\n# C\x00D\n\ne\x00f\n", "---\ntitle: AB\n---\n# CD\n\nef\n"},
		{"control characters", "a\x1b[1mb\x7f\u0080c\x08\td", "a[1mbc\td"},
		{"line ends", "a\r\nb\rc\n\rd\u0085e\ff\vg\r", "a\nb\nc\n\nd\ne\nf\ng\n"},
		{"line separators are text", "a\u2028b", "a\u2028b"},
		{"Windows-1252", "Die H\xf6he betr\xe4gt 5\xa0\xb5g \x96 \x93gut\x94, sagt er.", "Die Höhe beträgt 5\u00a0µg – “gut”, sagt er."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, warnings, err := decode("a.md", []byte(c.in))
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
			if c.name == "Windows-1252" {
				require.Len(t, warnings, 1)
			} else {
				require.Empty(t, warnings)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, says string }{
		{"a damaged character in UTF-8", "Größe, Höhe und Übung\nsind g\xc3t\n", "byte 0xC3 at offset 32 (line 2) is not valid UTF-8"},
		{"a cut character at the end", "Größe und \xe2\x82", "byte 0xE2 at offset 12"},
		{"a byte that Windows-1252 lacks", "caf\xe9 \x81 some more words here", "byte 0x81 at offset 5"},
		{"another code page", "\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0", "byte 0xCF at offset 0"},
		{"half a unit of UTF-16", "\xff\xfea\x00b", "byte 0x62 at offset 4 is not valid UTF-16"},
		{"half a pair of UTF-16", "\xff\xfe\x3d\xd8a\x00", "byte 0x3D at offset 2 is not valid UTF-16"},
		{"a low half alone", "\xfe\xff\xdc\x00\x00a", "byte 0xDC at offset 2 is not valid UTF-16"},
		{"UTF-32 beyond Unicode", "\xff\xfe\x00\x00\x00\x00\x11\x00", "byte 0x00 at offset 4 is not valid UTF-32"},
		{"UTF-32 cut", "\x00\x00\xfe\xff\x00\x00", "byte 0x00 at offset 4 is not valid UTF-32"},
		{"a binary file", strings.Repeat("a\x01\x02\x00", 50), "byte 0x01 at offset 1 is one of"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := File(t.Context(), "x/a.txt", []byte(c.in))
			require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
			require.Contains(t, rag.ErrorMessage(err), c.says)
			require.Contains(t, rag.ErrorMessage(err), "“a.txt”")
		})
	}
}

func TestFileRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, in string
		code           rag.Code
		says           string
	}{
		{"empty", "a.md", "", rag.CodeInvalid, "is empty"},
		{"white space", "a.txt", " \n\t\u00a0\n", rag.CodeInvalid, "is empty"},
		{"only a mark", "a.md", "\ufeff\x00", rag.CodeInvalid, "is empty"},
		{"only front matter", "a.md", "---\ntitle: a\n---\n<!-- b -->\n\n---\n", rag.CodeInvalid, "only front matter"},
		{"unknown kind", "a.docm", "text", rag.CodeInvalid, "of a kind that is not read"},
		{"PDF by another name", "a.md", "%PDF-1.7\n", rag.CodeInvalid, "is a PDF file"},
		{"too large", "a.md", strings.Repeat("a", MaxBytes+1), rag.CodeTooLarge, "the limit is 20 MB"},
		{"too many lines", "a.md", "a" + strings.Repeat("\n", MaxLines+1), rag.CodeTooLarge, "more than 200000 lines"},
		{"too many blocks", "a.md", strings.Repeat("- a\n", MaxBlocks/2), rag.CodeTooLarge, "more than 400000"},
		{"too many items on a line", "a.md", strings.Repeat("- - - - a\n", MaxBlocks/8), rag.CodeTooLarge, "more than 400000"},
		{"too many items in text", "a.txt", strings.Repeat("- a\n", MaxBlocks/2), rag.CodeTooLarge, "more than 400000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, err := File(t.Context(), c.file, []byte(c.in))
			require.Equal(t, c.code, rag.ErrorCode(err))
			require.Contains(t, rag.ErrorMessage(err), c.says)
			require.Empty(t, x)
		})
	}
}

func TestSupported(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.md", `C:\b\A.MD`, "x/b.markdown", "c.txt", "README", "d.mdx", "e.HTML", "f.htm", "g.docx", "h.pdf"} {
		require.True(t, Supported(name), name)
	}
	for _, name := range []string{"a.doc", "b.zip", "Makefile", ".md/x", "a.go", ""} {
		require.False(t, Supported(name), name)
	}
}
