package docx

import (
	"strings"

	"passage/rag"
	"passage/rag/extract/compose"
)

// builder makes the tree of blocks of the flat sequence of paragraphs and
// tables.
type builder struct {
	st       *styles
	num      *numbering
	bodies   [2]map[int][]node // footnotes and endnotes by id
	contents bool              // there is a table of contents, whose title goes with it
	titles   int               // level that a title is set with: 1, or 0 for a paragraph
	nested   int               // flows inside flows
	repeated int               // bytes that merged cells repeated
	cells    int               // of tables written so far, with those that fill up rows
	most     limits
	later    *[]note // where notes wait that are referred to inside a note
}

// flow builds the blocks of one container: the body, a cell, a note.
type flow struct {
	*builder
	flat  bool // headings are set as strong paragraphs: they head no section
	plain bool // notes and quotes are taken apart already
	out   []compose.Block
	lists []openList
	base  int // indentation of the text around the lists
	left  int // of the last paragraph outside of lists

	code     []string // lines of a code block that may go on
	codeLeft int
}

// blocks builds the blocks of a container.
func (b *builder) blocks(nodes []node, flat, plain bool) []compose.Block {
	b.nested++
	defer func() { b.nested-- }()
	findTyped(nodes)
	f := &flow{builder: b, flat: flat, plain: plain}
	f.add(nodes)
	f.flushCode()
	f.close(0)
	return f.out
}

func (f *flow) add(nodes []node) {
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		if n.table != nil {
			f.flushCode()
			f.table(n.table)
			continue
		}
		role := n.para.role()
		if !f.plain && (role == roleNote || role == roleQuote) && !n.para.empty() {
			end := i + 1
			for k := end; k < len(nodes) && nodes[k].para != nil && (nodes[k].para.empty() || sameBox(n.para, nodes[k].para)); k++ {
				if !nodes[k].para.empty() {
					end = k + 1
				}
			}
			f.box(nodes[i:end])
			i = end - 1
			continue
		}
		f.para(n.para)
	}
}

func sameBox(a, b *para) bool { return a.role() == b.role() && a.style.label == b.style.label }

// box makes one note or quote of paragraphs in a style for such.
func (f *flow) box(nodes []node) {
	f.flushCode()
	first := nodes[0].para
	blk := compose.Block{Kind: rag.BlockQuote, Children: f.blocks(nodes, true, true)}
	if first.role() == roleNote {
		blk.Kind, blk.Label = rag.BlockNote, first.style.label
	}
	if len(blk.Children) > 0 {
		f.place([]compose.Block{blk}, first.leftEdge(), false)
	}
}

// leftEdge is the indentation of a paragraph.
func (p *para) leftEdge() int {
	switch {
	case p.marked:
		return p.mark.left
	case p.props.hasLeft:
		return p.props.left
	}
	return p.style.para.left
}

func (f *flow) para(p *para) {
	role := p.role()
	level, isHeading := p.heading()
	item := p.marked && p.mark.shown
	switch {
	case f.contents && (role == roleContents || role == roleContentsTitle), role == roleContents:
	case p.empty() && item && p.mark.ordered && !isHeading:
		f.flushCode()
		f.item(p.mark, nil)
	case p.empty():
		if len(f.code) > 0 && f.st.look(p.style, p.props.mark).mono {
			f.code = append(f.code, "")
		} else {
			f.flushCode()
		}
	case isHeading:
		f.heading(p, level+1)
	case role == roleTitle && f.titles == 1 && !f.flat && !p.marked:
		f.heading(p, 1)
	case !p.marked && isCode(p):
		if len(f.code) == 0 {
			f.codeLeft = p.leftEdge()
		}
		f.code = append(f.code, codeLines(p.spans)...)
	default:
		f.flushCode()
		f.text(p, item)
	}
	f.notes(p.notes)
	if len(p.after) > 0 {
		f.flushCode()
		for _, blk := range f.blocks(p.after, true, f.plain) {
			f.attach(blk)
		}
	}
}

// text places an ordinary paragraph or an item.
func (f *flow) text(p *para, item bool) {
	words := inlines(p.spans)
	label := ""
	if p.marked && !p.mark.ordered { // words where a number could be: "Note:"
		label = p.mark.label
	}
	if p.role() == roleTitle {
		words = strong(oneLine(words))
	}
	var blks []compose.Block
	for _, part := range paragraphs(prefixed(label, words)) {
		blks = append(blks, compose.Block{Kind: rag.BlockParagraph, Words: part})
	}
	if item {
		f.item(p.mark, blks)
		return
	}
	f.place(blks, p.leftEdge(), p.role() == roleList)
}

func strong(words []compose.Inline) []compose.Inline {
	for i := range words {
		if !words[i].Image {
			words[i].Style |= compose.Strong
		}
	}
	return words
}

// heading writes a heading. Its number, which Word counts, is one of its
// words.
func (f *flow) heading(p *para, level int) {
	f.flushCode()
	words := oneLine(inlines(p.spans))
	if p.marked {
		words = prefixed(p.mark.label, words)
	}
	if f.flat {
		f.place([]compose.Block{{Kind: rag.BlockParagraph, Words: strong(words)}}, p.leftEdge(), false)
		return
	}
	f.close(0)
	f.left = 0
	f.out = append(f.out, compose.Block{Kind: rag.BlockHeading, Level: min(level, 6), Words: words})
}

// isCode says that all words are set in a mono font, as authors set code, or
// that the style says so.
func isCode(p *para) bool {
	if p.role() == roleCode {
		return true
	}
	if p.role() != roleText && p.role() != roleList {
		return false
	}
	some := false
	for i := range p.spans {
		s := &p.spans[i]
		if s.picture || !s.mono && !blank(s.text) {
			return false
		}
		some = some || s.mono && !blank(s.text)
	}
	return some
}

// flushCode ends the code block that was open.
func (f *flow) flushCode() {
	lines := f.code
	f.code = nil
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) > 0 {
		f.place([]compose.Block{{Kind: rag.BlockCode, Code: strings.Join(lines, "\n")}}, f.codeLeft, false)
	}
}

// notes writes the notes that a paragraph refers to directly behind it.
func (f *flow) notes(refs []note) {
	if len(refs) == 0 {
		return
	}
	f.flushCode()
	if f.later != nil {
		*f.later = append(*f.later, refs...)
		return
	}
	for len(refs) > 0 {
		var more []note
		f.later = &more
		for _, n := range refs {
			if blk, ok := f.note(n); ok {
				f.attach(blk)
			}
		}
		f.later = nil
		refs = more
	}
}

func (f *flow) note(n note) (compose.Block, bool) {
	kind := 0
	if n.end {
		kind = 1
	}
	body := f.blocks(f.bodies[kind][n.id], true, true)
	if len(body) == 0 {
		return compose.Block{}, false
	}
	if body[0].Kind == rag.BlockParagraph {
		body[0].Words = prefixed(n.mark, body[0].Words)
	} else if n.mark != "" {
		body = append([]compose.Block{{Kind: rag.BlockParagraph, Words: compose.Plain(n.mark)}}, body...)
	}
	return compose.Block{Kind: rag.BlockNote, Label: "footnote", Children: body}, true
}
