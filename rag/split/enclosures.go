package split

import (
	"unicode"
	"unicode/utf8"
)

// enclosure is a bracket or quotation mark that stands open. No sentence ends
// inside one that is closed soon: "(see Fig. 3. There …)" is one piece.
type enclosure struct {
	end     int  // of the opening sign
	closing rune // the sign that closes it
	close   int  // where that stands; 0 not searched for, -1 not found
}

// enclosed is how far, in bytes, a closing sign may be from its opening one. In
// a longer quotation sentences end as they do outside.
const enclosed = 500

// closingOf gives the sign that closes an opening one, 0 for other runes.
func closingOf(r rune) rune {
	switch r {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '“':
		return '”'
	case '„':
		return '“'
	case '‘':
		return '’'
	case '«':
		return '»'
	case '‹':
		return '›'
	case '「':
		return '」'
	case '『':
		return '』'
	case '（':
		return '）'
	case '《':
		return '》'
	case '【':
		return '】'
	case '〈':
		return '〉'
	}
	return 0
}

// isCloser says that the rune may stand between a stop and the white space
// after it. Marks of emphasis and code count, so that "**Done.** Next" is two.
func isCloser(r rune) bool {
	switch r {
	case ')', ']', '}', '"', '\'', '”', '’', '“', '»', '›', '」', '』', '）', '》', '】', '〉', '*', '_', '`', '~':
		return true
	}
	return false
}

// push notes an opening sign. What is nested deeper than eight signs needs no
// note: the outer ones already keep the piece together.
func (b *breaker) push(i, n int, r rune) {
	if b.depth == len(b.open) {
		return
	}
	closing := closingOf(r)
	switch {
	case r == '»':
		closing = '«'
	case closing == 0:
		closing = r
	}
	b.open[b.depth] = enclosure{end: i + n, closing: closing}
	b.depth++
}

// pop closes the innermost sign that r closes, and all that stand open in it.
func (b *breaker) pop(r rune) {
	for d := b.depth - 1; d >= 0; d-- {
		if b.open[d].closing == r || r == '”' && b.open[d].closing == '“' {
			b.depth = d
			return
		}
	}
}

// quote handles the two ASCII quotation marks, which open and close alike.
func (b *breaker) quote(i int) int {
	before, after := b.around(i)
	c := rune(b.text[i])
	opens := !isWord(before) && before != '.' && before != ',' && !unicode.IsSpace(after) && after != 0 && (c != '\'' || !unicode.IsDigit(after)) // '90s
	closes := before != 0 && !unicode.IsSpace(before) && (!isWord(after) || attaches(after))
	switch {
	case closes && b.holds(c):
		if c == '"' && b.brokenOff(i, i+1) {
			return i + 1
		}
		b.pop(c)
	case opens:
		b.push(i, 1, c)
	}
	return i + 1
}

// brokenOff cuts after speech that ends in a dash: `"I was--" He stopped.`
func (b *breaker) brokenOff(i, end int) bool {
	if last, _ := b.around(i); last != '-' && last != '—' {
		return false
	}
	next := b.skipSpace(end)
	if r, _ := utf8.DecodeRuneInString(b.text[next:]); next == end || !unicode.IsUpper(r) {
		return false
	}
	b.cut(end)
	return true
}

func (b *breaker) holds(closing rune) bool {
	for _, e := range b.open[:b.depth] {
		if e.closing == closing {
			return true
		}
	}
	return false
}

// around gives the runes before and after the one byte at i, 0 at the ends.
func (b *breaker) around(i int) (before, after rune) {
	if i > b.from {
		before, _ = utf8.DecodeLastRuneInString(b.text[b.from:i])
	}
	if i+1 < len(b.text) {
		after, _ = utf8.DecodeRuneInString(b.text[i+1:])
	}
	return before, after
}

// inside says that an enclosure open at this place is closed after end, and not
// far away.
func (b *breaker) inside(end int) bool {
	for d := range b.open[:b.depth] {
		e := &b.open[d]
		if e.close == 0 {
			e.close = b.findClose(*e)
		}
		if e.close >= end {
			return true
		}
	}
	return false
}

// findClose searches the sign that closes e, over nested pairs of its kind.
func (b *breaker) findClose(e enclosure) int {
	limit := min(len(b.text), e.end+enclosed)
	level := 0
	for i := e.end; i < limit; {
		r, n := rune(b.text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(b.text[i:])
		}
		if r == '”' && e.closing == '“' { // Polish, Hungarian and Romanian close „ so
			r = '“'
		}
		switch r {
		case e.closing:
			if (r == '\'' || r == '’' || r == '"') && b.apostrophe(i, n) {
				break
			}
			if level == 0 {
				return i
			}
			level--
		case '(', '[', '{', '「', '（':
			if closingOf(r) == e.closing {
				level++
			}
		case '\n':
			if breaks(b.text[i:b.skipSpace(i)]) > 1 {
				return -1
			}
		}
		i += n
	}
	return -1
}

// apostrophe says that the mark of n bytes at i stands before a word or after
// white space, and so closes nothing.
func (b *breaker) apostrophe(i, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(b.text[b.from:i])
	after, _ := utf8.DecodeRuneInString(b.text[i+n:])
	return unicode.IsSpace(before) || (i+n < len(b.text) && isWord(after) && !attaches(after))
}

// attaches says that the rune is of a script that sets particles, or all words,
// next to a closing sign.
func attaches(r rune) bool { return unicode.Is(unicode.Hangul, r) || isIdeographic(r) }

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// isWordByte says that the byte is part of a word, or of a rune that may be.
func isWordByte(c byte) bool { return c >= utf8.RuneSelf || isWord(rune(c)) }
