package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A line that would have had room for the next word was ended on purpose. In
// bytes: what counts as room before a word in lower case, and before others.
const (
	narrowLine = 40
	shortLine  = 60
	longLine   = 120 // nobody wraps so late: a break after so much is meant
)

// line handles the line break at i. A blank line ends a sentence always, a hard
// break of Markdown (two blanks or a backslash before it) when no lower case
// follows, any other break only in plain text and when the line looks ended.
func (b *breaker) line(i int) int {
	lineEnd, lineFrom := b.trimSpace(i), b.lineStart
	next, breaks := i, 0
	for next < len(b.text) && isBlank(b.text[next]) {
		if b.text[next] == '\n' || b.text[next] == '\r' && (next+1 >= len(b.text) || b.text[next+1] != '\n') {
			breaks++
			b.lineStart = next + 1
		}
		next++
	}
	if breaks > 1 {
		b.para, b.guess = next, 0
	}
	if next == len(b.text) || lineEnd <= b.start {
		return next
	}
	blanks := i - lineEnd
	first, _ := utf8.DecodeRuneInString(b.text[next:])
	hard := blanks >= 2 && b.text[lineEnd] == ' ' || b.text[lineEnd-1] == '\\'
	switch {
	case breaks > 1:
	case hard && !b.lines && !unicode.IsLower(first):
	case b.lines && b.lineEnds(lineFrom, lineEnd, next, blanks, first):
	default:
		return next
	}
	b.cut(i)
	b.list = marker{}
	return max(next, b.start)
}

// lineEnds says that the line [from, end) of plain text does not go on in the
// line that starts at next.
func (b *breaker) lineEnds(from, end, next, blanks int, first rune) bool {
	length := end - b.skipSpace(from)
	indent := next - b.lineStart
	lower := unicode.IsLower(first)
	f := b.follower(next)
	switch {
	case isBullet(first) || f.marker || strings.HasPrefix(b.text[next:], "- ") || strings.HasPrefix(b.text[next:], "* "):
		return true
	case blanks > 0 && indent == 0 && (lower || first == '('): // a blank before the break: it is a wrap
		return false
	case b.text[end-1] == ',' || b.text[end-1] == '(' || first == ',' || first == ')':
		return false
	}
	if r, _ := utf8.DecodeLastRuneInString(b.text[from:end]); isIdeographic(first) && strings.ContainsRune("のはをがにとでもへや的和", r) {
		return false // a particle or conjunction: the phrase goes on
	}
	if b.list.run > 1 && !lower {
		return true
	}
	room := length + 1 + b.wordLen(next)
	if lower { // a list of short lines in lower case; after a capital it is a wrap
		start, _ := utf8.DecodeRuneInString(b.text[b.start:])
		return room <= narrowLine && unicode.IsLower(start)
	}
	return room <= shortLine || indent > 0 && b.text[next-1] == '\t' || length > longLine
}

// wordLen is the length of the word at i.
func (b *breaker) wordLen(i int) int {
	end := i
	for end < len(b.text) && !isBlank(b.text[end]) && end-i < longLine {
		end++
	}
	return end - i
}

// breaks counts the line breaks in white space.
func breaks(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] == '\n' || s[i] == '\r' && (i+1 >= len(s) || s[i+1] != '\n') {
			n++
		}
	}
	return n
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
