package split

import (
	"unicode"
	"unicode/utf8"
)

// marker is the place in a list that is written inside a paragraph:
// "1. Drain the node 2. Stop the broker".
type marker struct {
	style byte // 0 none; else what is counted ('1', 'a') with the sign after it folded in
	value int
	run   int // markers of the list so far, bullets count as two
}

// inlineMarker looks at the stop or bracket at [i, end) and says where a list
// item starts when it ends the item's marker and the marker continues a list
// that the paragraph started with. The first marker of a list is only noted.
func (b *breaker) inlineMarker(i, end int) (at int, ok bool) {
	if i == b.from || end >= len(b.text) {
		return 0, false
	}
	c := b.text[i-1]
	if !isDigit(c) && (c < 'a' || c > 'z') {
		return 0, false
	}
	from := i - 1
	for from > b.from && i-from < 3 && isDigit(c) && isDigit(b.text[from-1]) {
		from--
	}
	m := marker{style: '1', value: int(c - '0')}
	if isDigit(c) {
		m.value = 0
		for _, d := range b.text[from:i] {
			m.value = 10*m.value + int(d-'0')
		}
	} else {
		m.style, m.value = 'a', int(c-'a')+1
	}
	if b.text[i] == ')' {
		m.style |= 0x80
	} else if b.text[end] == ')' {
		end++
		m.style |= 0x40 | 0x80
	}
	next := b.skipSpace(end)
	if !b.spaceBefore(from) && !b.atStart(from) || next == end || next == len(b.text) {
		return 0, false
	}
	if b.atStart(from) {
		m.run = b.list.run + 1
		b.list = m
		return 0, false
	}
	r, _ := utf8.DecodeRuneInString(b.text[next:])
	inRow := b.list.style == m.style && m.value == b.list.value+1
	again := b.list.run >= 2 && m.value == 1
	// "to 2. Then" is a number at the end of a sentence, "for 2. above" goes on.
	loose := m.style == '1' && (unicode.IsLower(r) || takesNumber(b.wordBefore(b.trimSpace(from)).text))
	if !inRow && !again || loose || again && unicode.IsLower(r) {
		return 0, false
	}
	m.run = b.list.run + 1
	b.list = m
	return from, true
}

// takesNumber says that a number belongs to the word before it.
func takesNumber(w string) bool {
	switch w {
	case "to", "of", "than", "is", "at", "by", "step", "Step", "steps", "version", "for", "in", "and", "or", "from", "with",
		"are", "was", "=", "over", "under", "about", "least", "most", "phase", "Phase", "type", "Type", "no", "only":
		return true
	}
	return false
}
