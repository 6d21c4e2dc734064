package compose

import (
	"strings"

	"passage/rag"
	"passage/rag/extract/counted"
)

// maxRows is how many lines of an item, about, the reader looks over for the
// next marker that counts.
const maxRows = 300

// settleRuns makes bullets of the items whose markers would not be read as a
// list: markers that CommonMark does not know must count from their first on,
// at least two of them, with no heading and not too much between.
func settleRuns(items []Block) {
	for i := 0; i < len(items); {
		end := runEnd(items[i:]) + i
		if end > i+1 {
			i = end
			continue
		}
		if _, ok := number(items[i].Label); !ok && items[i].Label != "" {
			items[i].Children = labelled(items[i].Label, items[i].Children)
			items[i].Label = ""
		}
		i++
	}
}

// stepsOnly says that every item is called a step ("Step 3:"). Where such items
// do not count as a list, since a heading parts them from the first, they are
// paragraphs: "Step 3:" at the start of one is known as a step, in a bullet it is
// not.
func stepsOnly(items []Block) bool {
	for i := range items {
		m, ok := counted.Read([]byte(items[i].Label))
		if !ok || !m.IsStep() {
			return false
		}
	}
	return len(items) > 0
}

// runEnd is how many items from the first on count together, 0 when the first
// does not begin a list.
func runEnd(items []Block) int {
	m, ok := counted.Read([]byte(items[0].Label))
	if !ok {
		return 0
	}
	if roman, ok := m.Roman(); ok && roman.First() {
		m = roman
	} else if !m.First() {
		return 0
	}
	n := 1
	for n < len(items) && len(items[n-1].Children) > 0 && rows(items[n-1].Children) < maxRows {
		next, ok := after(&m, items[n].Label)
		if !ok {
			break
		}
		m = next
		n++
	}
	if len(items[n-1].Children) == 0 {
		n--
	}
	return n
}

// after reads a label as the marker that follows m.
func after(m *counted.Marker, label string) (counted.Marker, bool) {
	next, ok := counted.Read([]byte(label))
	if !ok || next.Len != len(label) {
		return next, false
	}
	if next.Style() == m.Style() && next.Follows(m) {
		return next, true
	}
	next, ok = next.Roman()
	return next, ok && next.Style() == m.Style() && next.Follows(m)
}

// rows is about how many lines blocks take; a heading, which ends all lists,
// takes more than any list can have.
func rows(blocks []Block) int {
	n := 0
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case rag.BlockHeading:
			return maxRows
		case rag.BlockCode:
			n += strings.Count(b.Code, "\n")
		default:
			for k := range b.Words {
				n += strings.Count(b.Words[k].Text, "\n")
			}
		}
		n += 4 + rows(b.Children)
		if n >= maxRows {
			return n
		}
	}
	return n
}
