package split

import (
	"strings"
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

// inlineMarker looks at the stop or bracket at [i, end) and says whether it ends
// the marker of a list that is written inside the paragraph. Such a list starts
// with the sentence or after a colon; every further marker starts a sentence,
// which is cut off here.
func (b *breaker) inlineMarker(i, end int) bool {
	if i == b.from || end >= len(b.text) {
		return false
	}
	m, from := b.markerBefore(i)
	if m.style == 0 {
		return false
	}
	if b.text[i] == ')' {
		m.style |= 0x80
	} else if b.text[end] == ')' {
		end++
		m.style |= 0xc0
	}
	next := b.skipSpace(end)
	starts := b.atStart(from)
	if !starts && !b.spaceBefore(from) && !strings.HasSuffix(b.text[b.from:from], "：") || next == end || next == len(b.text) {
		return false
	}
	last := b.trimSpace(from)
	if starts || m.value == 1 && (strings.HasSuffix(b.text[b.from:last], ":") || strings.HasSuffix(b.text[b.from:last], "：")) {
		m.run = b.list.run + 1
		b.list = m
		return b.text[i] != ')' // "(a)" and "see 1)" go on as brackets do
	}
	r, _ := utf8.DecodeRuneInString(b.text[next:])
	inRow := b.list.style == m.style && m.value == b.list.value+1
	again := b.list.run >= 2 && m.value == 1
	// "to 2. Then" is a number at the end of a sentence, "for 2. above" goes on.
	loose := m.style == '1' && (unicode.IsLower(r) || takesNumber(b.wordBefore(last).text))
	if !inRow && !again || loose || again && unicode.IsLower(r) {
		return false
	}
	m.run = b.list.run + 1
	b.cut(from)
	b.list = m
	return true
}

// markerBefore reads the number of up to three digits, or the lower-case letter,
// that ends at i.
func (b *breaker) markerBefore(i int) (m marker, from int) {
	c := b.text[i-1]
	from = i - 1
	switch {
	case isDigit(c):
		for from > b.from && i-from < 3 && isDigit(b.text[from-1]) {
			from--
		}
		m.style = '1'
		for _, d := range b.text[from:i] {
			m.value = 10*m.value + int(d-'0')
		}
	case 'a' <= c && c <= 'z':
		m.style, m.value = 'a', int(c-'a')+1
	}
	return m, from
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
