package compose

import (
	"bytes"
	"strings"

	"passage/rag"
)

// Write writes the blocks of a document as Markdown and gives the offset in
// it where each page begins: pages[i] for page i+1, nil when no block names a
// page. A page without words begins where the next one does. Reading the text
// gives the same blocks with the same words, except that
//
//   - white space is folded, control characters are dropped, and blocks that
//     hold no words are left out, except thematic breaks and a number
//     without words that another item follows;
//   - an item whose label is none that a list can have ("Step 1:") becomes a
//     bullet that begins with it, and one whose words begin with "[ ] " or
//     "[x] " is a task;
//   - a list that goes on counting right after another one is part of it; any
//     other two lists that would be read as one get a thematic break between;
//   - a table without a header gets an empty one;
//   - what is nested deeper than the reader goes is put beside its parent;
//   - a style or link that could not be read back leaves its words.
func Write(doc Document) (text string, pages []int) {
	w := &writer{}
	w.blocks(tidy(doc.Blocks, 1), false)
	return string(w.out), w.pages
}

// writer writes lines. Blocks inside items and quotes have a prefix on each
// of their lines.
type writer struct {
	out    []byte
	prefix []byte
	open   bool // the line has begun: the marker of an item or quote stands on it
	pages  []int
}

// begin starts a line of a block.
func (w *writer) begin() {
	if w.open {
		w.open = false
		return
	}
	w.out = append(w.out, w.prefix...)
}

func (w *writer) end() { w.out = append(w.out, '\n') }

// blank writes the line between two blocks.
func (w *writer) blank() {
	w.out = append(w.out, bytes.TrimRight(w.prefix, " ")...)
	w.end()
}

// page notes that a page, from 1, begins at an offset of the text.
func (w *writer) page(page, at int) {
	for len(w.pages) < page {
		w.pages = append(w.pages, at)
	}
}

// maxPage bounds what a page number costs.
const maxPage = 1_000_000

// startPage notes the page of a block that begins here.
func (w *writer) startPage(b *Block) {
	if b.Page > 0 && b.Page <= maxPage {
		w.page(b.Page, len(w.out))
	}
}

// blocks writes blocks with blank lines between them, or those of an item in
// a tight list without.
func (w *writer) blocks(blocks []Block, tight bool) {
	last := "" // the kind of marker of the list before
	for i := range blocks {
		b := &blocks[i]
		if i > 0 && !tight {
			w.blank()
		}
		if b.Kind != rag.BlockList {
			last = ""
			w.block(b)
			continue
		}
		bullet := byte('-')
		first := family(b.Children[0].Label, bullet)
		switch {
		case last == "" || first != last:
		case first == "-":
			bullet = '+'
		default: // numbers of the same form would count on
			w.line("***")
			w.blank()
		}
		last = w.list(b, bullet)
	}
}

func (w *writer) block(b *Block) {
	w.startPage(b)
	switch b.Kind {
	case rag.BlockHeading:
		w.begin()
		w.out = append(w.out, "######"[:min(max(b.Level, 1), 6)]...)
		w.out = append(w.out, ' ')
		w.words(b.Words, inHeading)
		w.end()
	case rag.BlockTable:
		w.table(b)
	case rag.BlockCode:
		w.code(b)
	case rag.BlockQuote:
		w.within("> ", 0, func() { w.blocks(b.Children, false) })
	case rag.BlockNote:
		w.within("> ", 0, func() {
			w.line(noteHead(b.Label))
			if len(b.Children) > 0 {
				w.blank()
				w.blocks(b.Children, false)
			}
		})
	case rag.BlockBreak:
		w.line("***")
	default:
		w.words(b.Words, inParagraph)
	}
}

// line writes a line that is ready.
func (w *writer) line(s string) {
	w.begin()
	w.out = append(w.out, s...)
	w.end()
}

// within writes blocks behind a mark: as it stands, or on the first line only
// and indented by so many columns on the others.
func (w *writer) within(mark string, indent int, write func()) {
	w.begin()
	w.out = append(w.out, mark...)
	n := len(w.prefix)
	if indent == 0 {
		w.prefix = append(w.prefix, mark...)
	} else {
		w.prefix = append(w.prefix, strings.Repeat(" ", indent)...)
	}
	w.open = true
	write()
	w.open = false
	w.prefix = w.prefix[:n]
}

// noteHead is the first line of a note: bold where the reader knows the kind
// by its name, else in the form that GitHub and Obsidian have.
func noteHead(label string) string {
	switch label {
	case "note", "tip", "important", "warning", "caution", "danger":
		return "**" + strings.ToUpper(label[:1]) + label[1:] + "**"
	}
	return "[!" + label + "]"
}

// code writes a fenced block. The fence is longer than any in the code.
func (w *writer) code(b *Block) {
	fence := strings.Repeat("`", max(3, longestRun(b.Code, '`')+1))
	w.line(fence + b.Label)
	for line := range strings.SplitSeq(b.Code, "\n") {
		if line == "" {
			w.blank()
			continue
		}
		w.line(line)
	}
	w.line(fence)
}

// longestRun is the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest, n := 0, 0
	for i := range len(s) {
		if s[i] != c {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}
