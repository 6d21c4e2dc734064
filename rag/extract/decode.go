package extract

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"passage/rag"
)

// decode makes clean UTF-8 of a file's bytes: encoding settled, byte-order
// marks and control characters gone, line ends LF. The result may share the
// array of data, and is data itself when there was nothing to do. It is never
// longer than three bytes for each byte of data.
func decode(name string, data []byte) (text []byte, warnings []string, err error) {
	text = data
	switch enc, mark := encodingOf(data); enc {
	case utf8Text:
		text = data[mark:]
		if bad := firstInvalid(text); bad >= 0 {
			text, err = legacy(name, data, mark+bad)
			if err != nil {
				return nil, nil, err
			}
			warnings = append(warnings, "The file is not in UTF-8 and was read as Windows-1252. "+
				"If accented letters look wrong, save it as UTF-8 and upload it again.")
		}
	case utf16LE, utf16BE:
		text, err = wide16(name, data, mark, enc == utf16BE)
	case utf32LE, utf32BE:
		text, err = wide32(name, data, mark, enc == utf32BE)
	}
	if err != nil {
		return nil, nil, err
	}
	cleaned, removed, first := clean(text)
	if removed >= 32 && removed*5 > len(text) {
		return nil, nil, rag.Errorf(rag.CodeInvalid,
			"%s is not a text file: the byte 0x%02X at offset %d is one of %d control characters. "+
				"Upload the text itself as UTF-8.", shown(name), text[first], first, removed)
	}
	return cleaned[:len(cleaned):len(cleaned)], warnings, nil
}

type byteOrder int

const (
	utf8Text byteOrder = iota
	utf16LE
	utf16BE
	utf32LE
	utf32BE
)

// encodingOf tells the encoding from the byte-order mark, whose length it
// gives, else from where the zero bytes stand: text in UTF-16 or UTF-32 has
// them at regular places, text in UTF-8 has hardly any.
func encodingOf(data []byte) (byteOrder, int) {
	for _, m := range []struct {
		mark string
		enc  byteOrder
	}{
		{"\xEF\xBB\xBF", utf8Text},
		{"\xFF\xFE\x00\x00", utf32LE}, // before UTF-16, whose mark it begins with
		{"\x00\x00\xFE\xFF", utf32BE},
		{"\xFF\xFE", utf16LE},
		{"\xFE\xFF", utf16BE},
	} {
		if bytes.HasPrefix(data, []byte(m.mark)) {
			return m.enc, len(m.mark)
		}
	}
	if len(data)%2 != 0 || len(data) < 4 || bytes.IndexByte(data, 0) < 0 {
		return utf8Text, 0
	}
	head := data[:min(len(data), 4096)&^3]
	var zero [4]int
	for i, c := range head {
		if c == 0 {
			zero[i&3]++
		}
	}
	quarter := max(len(head)/4, 1)
	most := func(n int) bool { return n*10 >= quarter*9 }
	some := func(n int) bool { return n*10 >= quarter*3 }
	few := func(n int) bool { return n*50 <= quarter }
	switch {
	case len(data)%4 == 0 && most(zero[1]) && most(zero[2]) && most(zero[3]) && few(zero[0]):
		return utf32LE, 0
	case len(data)%4 == 0 && most(zero[0]) && most(zero[1]) && most(zero[2]) && few(zero[3]):
		return utf32BE, 0
	case some(zero[1]) && some(zero[3]) && few(zero[0]) && few(zero[2]):
		return utf16LE, 0
	case some(zero[0]) && some(zero[2]) && few(zero[1]) && few(zero[3]):
		return utf16BE, 0
	}
	return utf8Text, 0
}

// firstInvalid is the offset of the first byte that is not UTF-8, -1 when
// there is none.
func firstInvalid(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// wide16 decodes UTF-16 behind a byte-order mark of the given length.
func wide16(name string, data []byte, mark int, big bool) ([]byte, error) {
	unit := func(i int) rune {
		if big {
			return rune(data[i])<<8 | rune(data[i+1])
		}
		return rune(data[i+1])<<8 | rune(data[i])
	}
	out := make([]byte, 0, len(data))
	for i := mark; i < len(data); i += 2 {
		if i+1 >= len(data) {
			return nil, badByte(name, data, i, "UTF-16")
		}
		r := unit(i)
		if utf16.IsSurrogate(r) {
			low := rune(utf8.RuneError)
			if i+3 < len(data) {
				low = utf16.DecodeRune(r, unit(i+2))
			}
			if low == utf8.RuneError {
				return nil, badByte(name, data, i, "UTF-16")
			}
			r = low
			i += 2
		}
		out = utf8.AppendRune(out, r)
	}
	return out, nil
}

// wide32 decodes UTF-32 behind a byte-order mark of the given length.
func wide32(name string, data []byte, mark int, big bool) ([]byte, error) {
	out := make([]byte, 0, len(data)/2)
	for i := mark; i < len(data); i += 4 {
		if i+3 >= len(data) {
			return nil, badByte(name, data, i, "UTF-32")
		}
		u := uint32(data[i]) | uint32(data[i+1])<<8 | uint32(data[i+2])<<16 | uint32(data[i+3])<<24
		if big {
			u = uint32(data[i+3]) | uint32(data[i+2])<<8 | uint32(data[i+1])<<16 | uint32(data[i])<<24
		}
		if u > utf8.MaxRune || !utf8.ValidRune(rune(u)) {
			return nil, badByte(name, data, i, "UTF-32")
		}
		out = utf8.AppendRune(out, rune(u))
	}
	return out, nil
}

// badByte is the error for a byte that has no meaning in the encoding.
func badByte(name string, data []byte, at int, enc string) error {
	where := fmt.Sprintf("byte 0x%02X at offset %d", data[at], at)
	if enc == "UTF-8" {
		where += fmt.Sprintf(" (line %d)", bytes.Count(data[:at], []byte{'\n'})+1)
	}
	return rag.Errorf(rag.CodeInvalid,
		"%s cannot be read as text: the %s is not valid %s. Save the file as UTF-8 and upload it again.",
		shown(name), where, enc)
}
