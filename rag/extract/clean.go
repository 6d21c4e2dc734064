package extract

// What clean does with a byte of UTF-8.
const (
	keep = iota
	drop
	newline  // is written as a line end
	carriage // a line end, together with the LF that may follow
	leadC2   // may begin U+0080–U+009F
	leadEF   // may begin U+FEFF
)

// byteAction is the table behind clean: C0 controls and DEL are dropped,
// except that tab and LF stay and vertical tab and form feed, which end a
// line, become LF.
var byteAction = func() (t [256]uint8) {
	for c := range 0x20 {
		t[c] = drop
	}
	t[0x7F] = drop
	t['\t'], t['\n'] = keep, keep
	t['\v'], t['\f'] = newline, newline
	t['\r'] = carriage
	t[0xC2], t[0xEF] = leadC2, leadEF
	return t
}()

// clean removes what must not be in a stored text: control characters and
// byte-order marks, which files that were joined have inside as well. CR LF,
// CR, vertical tab, form feed and NEL become LF. There is no Unicode
// normalisation. It gives src itself when it is clean, and else how many
// characters it dropped and the offset of the first.
func clean(src []byte) (text []byte, dropped, first int) {
	i := dirty(src, 0)
	if i == len(src) {
		return src, 0, -1
	}
	first = -1
	text = make([]byte, 0, len(src))
	from := 0
	for i < len(src) {
		text = append(text, src[from:i]...)
		size := 1
		line := false
		switch byteAction[src[i]] {
		case newline:
			line = true
		case carriage:
			line = true
			if i+1 < len(src) && src[i+1] == '\n' {
				size = 2
			}
		case leadC2:
			size = 2
			line = src[i+1] == 0x85 // NEL
		case leadEF:
			size = 3
		}
		if line {
			text = append(text, '\n')
		} else {
			if first < 0 {
				first = i
			}
			dropped++
		}
		from = i + size
		i = dirty(src, from)
	}
	return append(text, src[from:]...), dropped, first
}

// dirty is the offset of the next character that clean acts on, len(src) when
// there is none. src is valid UTF-8.
func dirty(src []byte, i int) int {
	for ; i < len(src); i++ {
		switch byteAction[src[i]] {
		case keep:
		case leadC2:
			if src[i+1] < 0xA0 {
				return i
			}
		case leadEF:
			if src[i+1] == 0xBB && src[i+2] == 0xBF {
				return i
			}
		default:
			return i
		}
	}
	return len(src)
}
