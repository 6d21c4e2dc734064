package extract

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// legacy decodes Windows-1252, of which Latin-1 is a part as far as text
// goes. It refuses, naming the byte at bad, what is more likely a damaged
// UTF-8 file or text in another code page: the letters of a Western language
// outside ASCII are few, and three seldom stand side by side.
func legacy(name string, data []byte, bad int) ([]byte, error) {
	var (
		words int // bytes that are not white space
		high  int // of them outside ASCII, without those of whole UTF-8 characters
		inRun int // of these in runs of three and more
		whole int // whole UTF-8 characters
		run   int
	)
	for i := 0; i < len(data); i++ {
		c := data[i]
		if c > ' ' {
			words++
		}
		if c < utf8.RuneSelf {
			run = 0
			continue
		}
		if _, n := utf8.DecodeRune(data[i:]); n > 1 {
			whole++
			words += n - 1
			i += n - 1
			run = 0
			continue
		}
		high++
		run++
		switch {
		case run == 3:
			inRun += 3
		case run > 3:
			inRun++
		}
	}
	if whole*4 > high || high*5 > words*2 || inRun*10 > high*3 {
		return nil, badByte(name, data, bad, "UTF-8")
	}
	out := make([]byte, 0, len(data)+len(data)/8)
	for i, c := range data {
		r := charmap.Windows1252.DecodeByte(c)
		if c >= 0x80 && (r == utf8.RuneError || r < 0xA0) { // not assigned
			return nil, badByte(name, data, i, "UTF-8")
		}
		out = utf8.AppendRune(out, r)
	}
	return out, nil
}
