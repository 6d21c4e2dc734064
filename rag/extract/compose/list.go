package compose

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/extract/counted"
)

func itoa(n int) string { return strconv.Itoa(n) }

// maxDigits of a number in a marker, CommonMark section 5.2.
const maxDigits = 9

// markerOf is the marker that an item with this label is written with, "" for
// a bullet; false when a list cannot have the label. A number without a sign
// behind it gets a full stop. Whether markers that CommonMark does not know
// count, is for settleRuns to say.
func markerOf(label string) (marker string, ok bool) {
	label = strings.TrimSpace(label)
	if digits(label) == len(label) && label != "" {
		label += "."
	}
	if _, ok := number(label); ok {
		return label, true
	}
	if m, ok := counted.Read([]byte(label)); ok && m.Len == len(label) {
		return label, true
	}
	switch label {
	case "", "-", "+", "*", "•", "◦", "‣", "▪", "●", "○", "■", "–", "·":
		return "", true
	}
	return "", false
}

// digits is how many digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(rune(s[n])) {
		n++
	}
	return n
}

// number is the number of a marker "3." or "3)".
func number(marker string) (n int, ok bool) {
	d := digits(marker)
	if d == 0 || d > maxDigits || d+1 != len(marker) || (marker[d] != '.' && marker[d] != ')') {
		return 0, false
	}
	n, err := strconv.Atoi(marker[:d])
	return n, err == nil
}

// family names the markers that would be read as one list: bullets by their
// sign, numbers by the sign behind; "" for those that are one list only when
// they count on.
func family(marker string, bullet byte) string {
	if marker == "" {
		return string(bullet)
	}
	if _, ok := number(marker); !ok {
		return ""
	}
	return "1" + marker[len(marker)-1:]
}

// countsOn says that items go on where a list ended.
func countsOn(list *Block, items []Block) bool {
	last, next := list.Children[len(list.Children)-1].Label, items[0].Label
	a, numbered := number(last)
	b, follows := number(next)
	if numbered && follows {
		return b == a+1 && family(last, '-') == family(next, '-')
	}
	m, ok := counted.Read([]byte(last))
	if numbered || follows || !ok {
		return false
	}
	_, ok = after(&m, next)
	return ok
}

// tight says that the blocks of an item need no blank line between them: its
// words, and a list that can be told from them.
func tight(blocks []Block) bool {
	switch len(blocks) {
	case 0, 1:
		return true
	case 2:
		return blocks[0].Kind == rag.BlockParagraph && blocks[1].Kind == rag.BlockList && interrupts(&blocks[1])
	}
	return false
}

// interrupts says that a list is one also on the line after a paragraph: it
// begins with words behind a bullet or the number 1 (CommonMark section 5.3).
func interrupts(list *Block) bool {
	first := &list.Children[0]
	if len(first.Children) == 0 || first.Children[0].Kind != rag.BlockParagraph {
		return false
	}
	return first.Label == "" || first.Label == "1." || first.Label == "1)"
}

// list writes a list and gives the family of its last marker. There is a
// blank line between items only when one of them holds several blocks.
func (w *writer) list(list *Block, bullet byte) string {
	w.startPage(list)
	loose := false
	for i := range list.Children {
		loose = loose || !tight(list.Children[i].Children)
	}
	last := ""
	for i := range list.Children {
		it := &list.Children[i]
		if i > 0 && loose && len(list.Children[i-1].Children) > 0 { // an empty item may not be followed by a blank line
			w.blank()
		}
		marker := it.Label
		if marker == "" {
			marker = string(bullet)
		}
		w.startPage(it)
		if len(it.Children) == 0 {
			w.line(marker)
		} else {
			w.within(marker+" ", utf8.RuneCountInString(marker)+1, func() { w.blocks(it.Children, !loose) })
		}
		last = family(it.Label, bullet)
	}
	return last
}
