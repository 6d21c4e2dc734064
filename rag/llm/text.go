package llm

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// joiner puts text together that arrives in pieces cut anywhere: inside a
// UTF-8 sequence, or between the two halves of a UTF-16 pair. What it gives out
// is valid UTF-8 without NUL, which Postgres cannot store.
type joiner struct {
	pending []byte // the beginning of a character
}

// push takes the next piece and gives all characters that are complete.
func (j *joiner) push(piece []byte) string {
	if len(j.pending) == 0 && utf8.Valid(piece) {
		return strings.ReplaceAll(string(piece), "\x00", "")
	}
	buf := slices.Concat(j.pending, piece)
	j.pending = nil
	var out strings.Builder
	for len(buf) > 0 {
		r, size := decode(buf)
		if size == 0 {
			j.pending = buf
			break
		}
		if r != 0 {
			out.WriteRune(r)
		}
		buf = buf[size:]
	}
	return out.String()
}

// rest gives what was begun and never completed, as U+FFFD.
func (j *joiner) rest() string {
	rest := strings.ToValidUTF8(string(j.pending), "\uFFFD")
	j.pending = nil
	return rest
}

// decode reads one character; size 0 means that more bytes are needed. A
// surrogate half is three bytes here, as it would be in UTF-8 if that were
// allowed (the encoding known as WTF-8).
func decode(b []byte) (r rune, size int) {
	if high := half(b); utf16.IsSurrogate(high) {
		if high >= 0xDC00 {
			return utf8.RuneError, 3
		}
		if len(b) < 6 && (len(b) == 3 || b[3] == 0xED) {
			return 0, 0
		}
		if r := utf16.DecodeRune(high, half(b[3:])); r != utf8.RuneError {
			return r, 6
		}
		return utf8.RuneError, 3
	}
	if !utf8.FullRune(b) {
		return 0, 0
	}
	return utf8.DecodeRune(b)
}

// half reads a three-byte sequence without the check that forbids surrogates;
// 0 when there is none.
func half(b []byte) rune {
	if len(b) < 3 || b[0] != 0xED || b[1]&0xC0 != 0x80 || b[2]&0xC0 != 0x80 {
		return 0
	}
	return rune(b[0]&0x0F)<<12 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F)
}

// pieceEnd gives the length of a first piece of at most limit bytes that ends
// between two characters.
func pieceEnd(text string, limit int) int {
	if len(text) <= limit {
		return len(text)
	}
	n := limit
	for n > limit-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

var errNoText = errors.New("the content is no text")

// textOf reads the content of an event: a JSON string, null, or a list of parts
// of which those of type "text" count. The bytes are what the server meant,
// even where they are only a part of a character; encoding/json would put
// U+FFFD in its place.
func textOf(raw json.RawMessage) ([]byte, error) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil, nil
	case raw[0] == '"':
		return unquote(raw[1 : len(raw)-1]), nil
	case raw[0] != '[':
		return nil, errNoText
	}
	var parts []struct {
		Type string          `json:"type"`
		Text json.RawMessage `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, errNoText
	}
	var out []byte
	for _, p := range parts {
		if p.Type != "text" {
			continue
		}
		t, err := textOf(p.Text)
		if err != nil {
			return nil, err
		}
		out = append(out, t...)
	}
	return out, nil
}

// unquote undoes the escapes of a JSON string (RFC 8259, section 7) that is
// known to be well formed.
func unquote(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			out = appendUnit(out, s[i+1:i+5])
			i += 4
		default: // a quote or a slash
			out = append(out, s[i])
		}
	}
	return out
}

// appendUnit writes a UTF-16 unit given as four hexadecimal digits. A half of
// a pair is written as it stands; the joiner puts the two together.
func appendUnit(out, hex []byte) []byte {
	u, err := strconv.ParseUint(string(hex), 16, 16)
	if err != nil {
		return utf8.AppendRune(out, utf8.RuneError)
	}
	r := rune(u)
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(out, r)
	}
	return append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
}
