package extract

import "bytes"

// The texts here hold no white space in ASCII but space, tab and LF.
func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// lineEnd is the offset of the LF that ends the line holding at, or len(src).
func lineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}

// lineStart is the offset of the first byte of the line holding at.
func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

// nextLine is the offset of the line after the one holding at, or len(src).
func nextLine(src []byte, at int) int { return min(lineEnd(src, at)+1, len(src)) }

func trimRight(s []byte) []byte {
	for len(s) > 0 && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// trimmedEnd moves end back over white space, not beyond start.
func trimmedEnd(src []byte, start, end int) int {
	for end > start && isSpace(src[end-1]) {
		end--
	}
	return end
}

// skipBlanks moves at on over spaces and tabs, not beyond end.
func skipBlanks(src []byte, at, end int) int {
	for at < end && (src[at] == ' ' || src[at] == '\t') {
		at++
	}
	return at
}

// backBlanks moves at back over spaces and tabs, not beyond start.
func backBlanks(src []byte, at, start int) int {
	for at > start && (src[at-1] == ' ' || src[at-1] == '\t') {
		at--
	}
	return at
}
