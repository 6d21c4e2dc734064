package counted

import (
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Priority is where the parser stands among goldmark's: behind the lists of
// CommonMark.
const Priority = 450

// Parser is the block parser. It makes a List with Items; it keeps nothing
// between runs.
type Parser struct{}

// triggers are the bytes that a marker can begin with.
var triggers = func() []byte {
	out := []byte{'(', 0xC3}
	for c := byte('0'); c <= 'z'; c++ {
		if isDigit(c) || isLetter(c) {
			out = append(out, c)
		}
	}
	return out
}()

// Trigger implements goldmark's parser.BlockParser.
func (Parser) Trigger() []byte { return triggers }

// Looks says that the line at the reader may begin an item, without asking
// whether it counts. It is for those who wrap the parser.
func Looks(r text.Reader, pc parser.Context) bool {
	line, _ := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || pos >= len(line) {
		return false
	}
	_, ok := Read(line[pos:])
	return ok
}

var stateKey = parser.NewContextKey()

// state holds the markers of the text that is being parsed.
type state struct{ found []found }

// lookUp finds the marker at the words of the reader's line. The text is
// scanned when a line first looks like an item; most texts have none.
func lookUp(line []byte, pos int, seg text.Segment, r text.Reader, pc parser.Context) (*state, *found) {
	if _, ok := Read(line[pos:]); !ok {
		return nil, nil
	}
	st, ok := pc.Get(stateKey).(*state)
	if !ok {
		st = &state{found: scan(r.Source())}
		pc.Set(stateKey, st)
	}
	return st, markerAt(st.found, seg.Start+pos-seg.Padding)
}

// Open implements goldmark's parser.BlockParser.
func (Parser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || pos >= len(line) {
		return nil, parser.NoChildren
	}
	st, f := lookUp(line, pos, seg, r, pc)
	if f == nil {
		return nil, parser.NoChildren
	}
	if list, ok := parent.(*List); ok {
		if list.style != f.marker.style {
			return nil, parser.NoChildren
		}
		return openItem(list, f, r)
	}
	if f.before >= 0 && !st.found[f.before].opened {
		return nil, parser.NoChildren
	}
	if last := pc.LastOpenedBlock().Node; ast.IsParagraph(last) {
		if !f.marker.words || last.Parent() == parent && !f.interrupts(r.Source(), seg.Start) {
			return nil, parser.NoChildren
		}
	}
	return &List{IsTight: true, Start: f.marker.Number, style: f.marker.style}, parser.HasChildren
}

// interrupts says that a list may begin in the middle of a paragraph: with its
// first item, be it the 2.1 that follows 1.3, and when prose has such markers
// too only below a colon or when the second item is near.
func (f *found) interrupts(src []byte, line int) bool {
	if f.before >= 0 {
		return f.marker.Number == 1
	}
	if !f.marker.style.doubtful() || f.soon {
		return true
	}
	for line > 0 && (isBlank(src[line-1]) || src[line-1] == '>') {
		line--
	}
	return line > 0 && src[line-1] == ':'
}

func openItem(list *List, f *found, r text.Reader) (ast.Node, parser.State) {
	line, _ := r.PeekLine()
	indent, pos := util.IndentWidth(line, r.LineOffset())
	f.opened = true
	end := pos + f.marker.Len
	width := utf8.RuneCount(line[pos:end])
	item := &Item{
		Label:  text.NewSegment(f.at, f.at+f.marker.Len),
		Number: f.marker.Number,
		indent: indent, offset: indent + width + 1,
	}
	if list.ChildCount() == 0 {
		list.indent = indent
	}
	if !f.marker.words {
		return item, parser.NoChildren
	}
	gap, blanks := util.IndentWidth(line[end:], r.LineOffset()+indent+width)
	if gap <= 4 {
		item.offset += gap - 1
	}
	r.Advance(end + blanks)
	return item, parser.HasChildren
}

// Continue implements goldmark's parser.BlockParser.
func (Parser) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	line, seg := r.PeekLine()
	indent, pos := util.IndentWidth(line, r.LineOffset())
	blank := pos >= len(line) || line[pos] == '\n'
	switch n := n.(type) {
	case *List:
		item, _ := n.LastChild().(*Item)
		if item != nil && (blank || item.holds(indent) || n.next(line, indent, pos, seg, r, pc)) {
			return parser.Continue | parser.HasChildren
		}
	case *Item:
		list, _ := n.Parent().(*List)
		switch {
		case blank:
			r.AdvanceToEOL()
			return parser.Continue | parser.HasChildren
		case list == nil || !n.holds(indent) || list.next(line, indent, pos, seg, r, pc):
			return parser.Close
		}
		strip := n.strip(line, indent, pos, ast.IsParagraph(pc.LastOpenedBlock().Node))
		if strip > 0 {
			at, padding := util.IndentPosition(line, r.LineOffset(), strip)
			r.AdvanceAndSetPadding(at, padding)
		}
		return parser.Continue | parser.HasChildren
	}
	return parser.Close
}

// next says that the line begins the list's next item.
func (l *List) next(line []byte, indent, pos int, seg text.Segment, r text.Reader, pc parser.Context) bool {
	if indent > l.indent+1 || indent < l.indent-1 || indent > 3 {
		return false
	}
	_, f := lookUp(line, pos, seg, r, pc)
	return f != nil && f.before >= 0 && f.marker.style == l.style
}

// CanInterruptParagraph implements goldmark's parser.BlockParser.
func (Parser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements goldmark's parser.BlockParser.
func (Parser) CanAcceptIndentedLine() bool { return false }

// Close implements goldmark's parser.BlockParser. It tells tight lists from
// loose ones as CommonMark does, section 5.3.
func (Parser) Close(n ast.Node, _ text.Reader, _ parser.Context) {
	list, ok := n.(*List)
	if !ok {
		return
	}
	for item := list.FirstChild(); item != nil && list.IsTight; item = item.NextSibling() {
		list.IsTight = item == list.FirstChild() || !item.HasBlankPreviousLines()
		for c := item.FirstChild(); c != nil && list.IsTight; c = c.NextSibling() {
			list.IsTight = c == item.FirstChild() || !c.HasBlankPreviousLines()
		}
	}
	if !list.IsTight {
		return
	}
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		for c := item.FirstChild(); c != nil; {
			p, ok := c.(*ast.Paragraph)
			c = c.NextSibling()
			if ok {
				words := ast.NewTextBlock()
				words.SetLines(p.Lines())
				item.ReplaceChild(item, p, words)
			}
		}
	}
}
