package extract

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// decodeAs is decode for a file that names its own encoding, as web pages do,
// by a label of the WHATWG Encoding Standard. What the bytes themselves say
// comes first: a byte-order mark, zero bytes at regular places, valid UTF-8
// with letters outside ASCII. A label that is not known is ignored.
func decodeAs(name string, data []byte, label string) (text []byte, warnings []string, err error) {
	enc, canonical := charset.Lookup(label)
	of, mark := encodingOf(data)
	if enc == nil || canonical == "utf-8" || of != utf8Text || mark > 0 || enc == encoding.Replacement ||
		(utf8.Valid(data) && canonical != "iso-2022-jp") {
		return decode(name, data)
	}
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil || canonical != "gb18030" && bytes.ContainsRune(out, utf8.RuneError) { // that one can say U+FFFD
		if at := firstUndecodable(enc, data); at >= 0 {
			return nil, nil, badByte(name, data, at, canonical)
		}
	}
	return decode(name, out)
}

// firstUndecodable is the offset of the first byte that has no meaning in the
// encoding, -1 when there is none. The decoder writes U+FFFD for it, which takes
// three bytes: with room for no more, it is written alone.
func firstUndecodable(enc encoding.Encoding, data []byte) int {
	dec := enc.NewDecoder()
	var buf [utf8.UTFMax]byte
	for at := 0; at < len(data); {
		nDst, nSrc, err := dec.Transform(buf[:3], data[at:], true)
		if errors.Is(err, transform.ErrShortDst) && nDst == 0 && nSrc == 0 {
			nDst, nSrc, err = dec.Transform(buf[:], data[at:], true)
		}
		if bytes.ContainsRune(buf[:nDst], utf8.RuneError) {
			return at
		}
		if nSrc == 0 && nDst == 0 && !errors.Is(err, transform.ErrShortDst) {
			return at
		}
		at += nSrc
	}
	return -1
}
