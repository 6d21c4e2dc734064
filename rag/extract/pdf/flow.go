package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag"
)

// draft is a block being made, before lists are nested and headings ranked.
type draft struct {
	kind  rag.BlockKind // heading, paragraph, item, code, table
	lines []line
	label label
	in    float32 // indentation of its first line, for an item of its mark
	text  float32 // indentation of its words after the mark
	level int
	table *table
	small bool // set smaller than the body, as footnotes are
}

func (d *draft) last() *line  { return &d.lines[len(d.lines)-1] }
func (d *draft) first() *line { return &d.lines[0] }

// style is what the whole document has in common.
type style struct {
	body    float32 // size of most letters
	face    face    // of most letters
	leading float32 // usual distance of lines, in sizes
	typed   bool    // all of it is monospaced: then that means nothing
	indents bool    // paragraphs begin indented
	outline *outline
}

// flow makes blocks of the lines of all pages, in the order of reading.
type flow struct {
	style
	out []draft
}

func (f *flow) add(l *line, next *line, right float32) {
	if t := l.table(); t != nil {
		f.addTable(t, l)
		return
	}
	cur := f.open()
	if cur != nil && l.first && l.size >= f.body*0.93 {
		cur = f.beforeNotes(cur, l.page)
	}
	var prev *line
	if cur != nil && len(cur.lines) > 0 {
		prev = cur.last()
	}
	if l.alone {
		f.out = append(f.out, draft{kind: rag.BlockParagraph, lines: []line{*l}, in: l.in(), text: l.in()})
		return
	}
	fresh := prev == nil || f.breaks(cur, prev, l, right)
	if f.isCode(l, cur, fresh) {
		f.addCode(l)
		return
	}
	if h := f.headingLevel(l, next, fresh, cur); h != 0 {
		if cur != nil && cur.kind == rag.BlockHeading && !fresh && f.joinsHeading(cur, l) {
			cur.lines = append(cur.lines, *l)
			return
		}
		f.out = append(f.out, draft{kind: rag.BlockHeading, lines: []line{*l}, level: h, in: l.in()})
		return
	}
	if cur != nil && cur.kind == rag.BlockHeading {
		fresh = true
	}
	if b := labelOf(l); b.kind != labelNone && f.itemBegins(b, l, next, fresh) {
		f.out = append(f.out, draft{kind: rag.BlockItem, lines: []line{*l}, label: b, in: l.in(), text: b.begins(l), small: l.size < f.body*0.93})
		return
	}
	if !fresh {
		cur.lines = append(cur.lines, *l)
		return
	}
	f.out = append(f.out, draft{kind: rag.BlockParagraph, lines: []line{*l}, in: l.in(), text: l.in(), small: l.size < f.body*0.93})
}

// open is the last block, nil at the beginning.
func (f *flow) open() *draft {
	if len(f.out) == 0 {
		return nil
	}
	return &f.out[len(f.out)-1]
}

// beforeNotes is the block before the footnotes at the end of the page before:
// a sentence goes on past them.
func (f *flow) beforeNotes(cur *draft, page int) *draft {
	i := len(f.out) - 1
	for i > 0 && f.out[i].small && f.out[i].kind == rag.BlockParagraph && f.out[i].first().page < page {
		i--
	}
	d := &f.out[i]
	if i < len(f.out)-1 && d.kind == rag.BlockParagraph && len(d.lines) > 0 && !d.last().alone {
		return d
	}
	return cur
}

// addTable adds a table, or goes on with the one at the end of the page
// before. A header that is set again there is left out.
func (f *flow) addTable(t *table, l *line) {
	if cur := f.open(); cur != nil && cur.kind == rag.BlockTable && cur.last().page < l.page && l.first &&
		len(cur.table.rows[0].cells) == len(t.rows[0].cells) && abs(cur.first().x0-l.x0) < 20 && abs(cur.first().width()-l.width()) < 20 {
		rows := t.rows
		if cur.table.rows[0].same(&rows[0]) {
			rows = rows[1:]
		} else if rows[0].header && cur.table.rows[0].header {
			f.out = append(f.out, draft{kind: rag.BlockTable, table: t, lines: []line{*l}, in: l.in(), text: l.in()})
			return
		}
		for i := range rows {
			rows[i].header = false
		}
		cur.table.rows = append(cur.table.rows, rows...)
		cur.lines = append(cur.lines, *l)
		return
	}
	f.out = append(f.out, draft{kind: rag.BlockTable, table: t, lines: []line{*l}, in: l.in(), text: l.in()})
}

func (r *row) same(o *row) bool {
	for c := range r.cells {
		if len(r.cells[c]) != len(o.cells[c]) {
			return false
		}
		for i := range r.cells[c] {
			if r.cells[c][i].text() != o.cells[c][i].text() {
				return false
			}
		}
	}
	return true
}

// isCode says that a line is set in a typewriter's type and does not go on
// with a sentence.
func (f *flow) isCode(l *line, cur *draft, fresh bool) bool {
	if f.typed || l.face&faceMono == 0 {
		return false
	}
	if cur != nil && cur.kind == rag.BlockCode {
		return true
	}
	if b := labelOf(l); b.kind != labelNone && b.kind != labelBullet && b.words < len(l.words) && l.words[b.words].mono() && !l.words[0].mono() {
		return false
	}
	return fresh || cur == nil || cur.last().ended()
}

func (f *flow) addCode(l *line) {
	cur := f.open()
	if cur != nil && cur.kind == rag.BlockCode {
		prev := cur.last()
		d := l.base - prev.base
		if prev.page != l.page || l.first || d > 0 && d < 3.5*1.3*l.size {
			cur.lines = append(cur.lines, *l)
			cur.in = min(cur.in, l.in())
			return
		}
	}
	f.out = append(f.out, draft{kind: rag.BlockCode, lines: []line{*l}, in: l.in(), text: l.in()})
}

// ended says that the line ends a sentence or a thought.
func (l *line) ended() bool {
	s := strings.TrimRight(l.words[len(l.words)-1].text, "\"”’')]»›*†‡¹²³⁴⁵⁶⁷⁸⁹⁰")
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".:!?…;。！？：؟۔।", r)
}

// goesOn says that the line begins in the middle of a sentence.
func (l *line) goesOn() bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(l.words[0].text, "\"“„(«[‘'"))
	return unicode.IsLower(r)
}

// breaks says that a new block begins between two lines.
func (f *flow) breaks(cur *draft, a, b *line, right float32) bool {
	if cur.kind == rag.BlockTable || cur.kind == rag.BlockCode || a.alone || a.table() != nil {
		return true
	}
	if !a.sized(b) {
		return true
	}
	if a.rtl != b.rtl && a.rtl {
		return a.ended()
	}
	if b.first { // of a column: the block may run over
		return f.breaksOver(cur, a, b)
	}
	if b.base-a.base > f.leading*1.28*b.size+0.5 {
		return true
	}
	if leader(a) || leader(b) {
		return true
	}
	if hyphenated(a.words[len(a.words)-1].text) && labelOf(b).kind == labelNone {
		return false
	}
	if (a.face^b.face)&faceBold != 0 && (a.short(b, right) || a.ended() || a.face&faceBold != 0 && !b.goesOn()) {
		return true
	}
	if cur.kind == rag.BlockItem || cur.kind == rag.BlockHeading {
		return cur.kind == rag.BlockItem && b.in() < min(cur.in, cur.text)-0.5*b.size || a.short(b, right) && !b.goesOn() && !f.hangs(cur, b)
	}
	if deep := b.in() - f.margin(cur); deep > 0.8*b.size && !centred(a, b) && (len(cur.lines) > 1 || !b.goesOn()) {
		return a.ended() || a.short(b, right)
	}
	return a.short(b, right) && (!b.goesOn() || a.ended())
}

// hangs says that a line stands under the words of an item.
func (f *flow) hangs(cur *draft, b *line) bool {
	return cur.kind == rag.BlockItem && cur.text > cur.in+0.5*b.size && abs(b.in()-cur.text) < 0.5*b.size && !cur.last().ended()
}

// margin is the left edge of a block's lines but the first.
func (f *flow) margin(d *draft) float32 {
	if len(d.lines) > 1 {
		return d.lines[len(d.lines)-1].in()
	}
	return d.lines[0].in()
}

func centred(a, b *line) bool {
	return abs(a.x0-b.x0) > a.size && abs((a.x0+a.x1)-(b.x0+b.x1)) < 2
}

// short says that a line ends though the first word of the next would still
// have had room on it. Where no sentence ends there must be much room.
func (l *line) short(next *line, right float32) bool {
	room := right - l.x1
	if l.rtl {
		room = l.x0 - next.left
	} else if l.ended() {
		room = max(room, min(l.right, next.right)-l.x1)
	}
	need := next.words[0].x1 - next.words[0].x0 + 0.8*l.size
	if !l.ended() {
		need = max(need, 0.15*(right-l.x0))
	}
	return room > need
}

// leader says that a line ends in a row of dots and a page number.
func leader(l *line) bool {
	n := len(l.words)
	if n < 2 {
		return false
	}
	if _, ok := pageNumber(l.words[n-1].text); !ok {
		return false
	}
	before := l.words[n-2].text
	return strings.HasSuffix(before, "....") || n > 4 && before == "." && l.words[n-3].text == "."
}

// breaksOver is breaks for a line at the top of a column or page.
func (f *flow) breaksOver(cur *draft, a, b *line) bool {
	if (a.face^b.face)&faceBold != 0 && a.face&faceBold != 0 {
		return true
	}
	switch {
	case b.goesOn():
		return a.ended() && !strings.HasSuffix(a.words[len(a.words)-1].text, ";")
	case hyphenated(a.words[len(a.words)-1].text):
		return false
	case a.ended():
		// A full line may end with a sentence in the middle of a paragraph;
		// only where paragraphs begin indented does the next page tell.
		return !(f.indents && a.right-a.x1 < a.size && b.in() < 0.5*b.size && cur.kind == rag.BlockParagraph)
	}
	return a.right-a.x1 > 0.3*(a.right-a.left)
}
