package pdf

import (
	"context"
	"strings"

	"passage/rag"
	"passage/rag/extract/compose"
)

// itemBegins says that a mark at the beginning of a line is that of an item,
// and not a number that the end of a line happened to push there.
func (f *flow) itemBegins(b label, l, next *line, fresh bool) bool {
	if l.dot {
		return true
	}
	hang := b.words < len(l.words) && next != nil && !next.first && next.base > l.base &&
		next.base-l.base < f.leading*1.5*l.size && next.x0-l.x0 > 0.6*l.size && abs(next.x0-l.words[b.words].x0) < 0.6*l.size
	follows, at := f.follows(b, l)
	cur := f.open()
	ended := cur != nil && len(cur.lines) > 0 && cur.last().ended()
	if b.kind == labelBullet {
		doubtful := strings.ContainsAny(b.form, dashes+"·o")
		return fresh || hang || !doubtful || follows && at || ended
	}
	if follows && at {
		return fresh || hang || ended || f.hanging(l) || f.inList(l)
	}
	if f.within(b, l, next) {
		return true
	}
	if !fresh && !hang && (!ended || !b.opens()) {
		return false
	}
	if follows || b.opens() || hang {
		return true
	}
	// A list may begin at 3; a sentence may begin with a number too.
	return next != nil && labelOf(next).after(b)
}

// follows says that the mark goes on a list whose last items are still near,
// and whether it stands below the mark before.
func (f *flow) follows(b label, l *line) (follows, at bool) {
	for i, seen := len(f.out)-1, 0; i >= max(0, len(f.out)-200) && seen < 24; i-- {
		d := &f.out[i]
		if d.kind == rag.BlockHeading {
			break
		}
		if d.kind != rag.BlockItem {
			continue
		}
		seen++
		if b.after(d.label) {
			in, text := abs(d.in-l.in()), abs(d.text-b.begins(l))
			return true, in < 0.8*l.size || in < 1.6*l.size && text < 0.3*l.size
		}
	}
	return false, false
}

// hanging says that the line stands left of where the words of the open item
// do: only a new mark goes there.
func (f *flow) hanging(l *line) bool {
	d := f.open()
	return d != nil && d.kind == rag.BlockItem && d.text > d.in+0.5*l.size && len(d.lines) > 1 && d.last().in() > d.in+0.5*l.size
}

// inList says that a line at the column of an open list, with the list's next
// mark, stands behind an item or right of the marks: there it begins an item
// however short the lines are. Only where the words of the open item have gone
// on below its mark may a number be one of the sentence.
func (f *flow) inList(l *line) bool {
	d := f.open()
	if d == nil || d.kind != rag.BlockItem {
		return d != nil && d.kind == rag.BlockParagraph && l.in() < d.in-0.5*l.size
	}
	flush := len(d.lines) > 1 && abs(d.last().in()-d.in) < 0.3*l.size && abs(l.in()-d.in) < 0.3*l.size
	return !flush || d.last().short(l, l.right)
}

// within says that a mark opens a list inside the open item: right of its
// words, below them when the next line goes on that list, or in one column of
// marks when its words are set off as those of the item are.
func (f *flow) within(b label, l, next *line) bool {
	d := f.open()
	if d == nil || d.kind != rag.BlockItem || b.kind == labelBullet || !b.opens() {
		return false
	}
	if over := d.last().page != l.page; !over && l.in() < d.in+0.5*l.size {
		set := b.words < len(l.words) && l.words[b.words].x0-l.words[b.words-1].x1 > 0.8*l.size
		return set && l.in() > d.in-0.5*l.size && abs(b.begins(l)-d.text) < 0.3*l.size
	} else if !over && l.in() > d.text+0.5*l.size && l.in() > d.last().in()+0.5*l.size {
		return true
	}
	if next == nil { // of the page: "A." may be the end of a name, "a)" is not
		return strings.ContainsAny(b.form, "a)")
	}
	return !next.first && labelOf(next).after(b) && abs(next.x0-l.x0) < 0.8*l.size
}

// begins is how far the words after the mark are indented.
func (b label) begins(l *line) float32 {
	if b.words < len(l.words) {
		return l.words[b.words].x0 - l.left
	}
	return l.in()
}

// maxNested is how many lists stand one in the other at most. What would be
// deeper goes on beside the deepest.
const maxNested = 10

// openItem is the last item of a list to which items may still come.
type openItem struct {
	draft *draft
	begun label          // of the list's first item
	list  *compose.Block // the list it is in
}

// nest makes the tree: items into lists by indentation and marks, what is
// indented under an item into the item. When ctx ends it gives back the cause.
func (w *writer) nest(ctx context.Context, drafts []draft) ([]compose.Block, error) {
	root := &compose.Block{}
	var open []openItem
	for i := range drafts {
		d := &drafts[i]
		if (i == 0 || d.first().page != drafts[i-1].first().page) && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if d.kind != rag.BlockItem {
			open = below(open, d)
			into := root
			if n := len(open); n > 0 {
				items := open[n-1].list.Children
				into = &items[len(items)-1]
			}
			into.Children = append(into.Children, w.block(d))
			continue
		}
		open = w.item(root, open, d)
	}
	return root.Children, nil
}

// below closes the items that a block is not part of.
func below(open []openItem, d *draft) []openItem {
	if d.kind == rag.BlockHeading || d.kind == rag.BlockParagraph && d.first().alone {
		return nil
	}
	size := d.first().size
	if d.kind == rag.BlockTable {
		size = 10
	}
	for n := len(open); n > 0; n-- {
		o := open[n-1].draft
		edge := o.text
		if o.text <= o.in+0.3*size { // no hanging: what is indented at all belongs to it
			edge = o.in + 0.8*size
		}
		if d.in >= edge-0.6*size && d.in > o.in+0.3*size && !d.small {
			return open[:n]
		}
	}
	return nil
}

// item adds an item to the list it belongs to.
func (w *writer) item(root *compose.Block, open []openItem, d *draft) []openItem {
	keep, inside := place(open, d)
	if i := returns(open, d); i >= 0 && (inside || keep == 0 || !d.label.after(open[keep-1].draft.label)) {
		keep, inside = i+1, false
	}
	if inside && keep >= maxNested {
		keep, inside = maxNested, false
	}
	return w.addItem(root, open[:keep], d, inside)
}

// place says how many of the open lists an item leaves open, and whether it
// begins a list inside the last item of these. Below the items of an open list
// it goes on that list, or begins another one beside it; inside is what stands
// further right, or has a mark of a kind that no list in its column has.
func place(open []openItem, d *draft) (keep int, inside bool) {
	n := len(open)
	for n > 0 && d.in <= open[n-1].draft.in && !open[n-1].above(d) {
		n--
	}
	if n == 0 {
		return 0, false
	}
	if !open[n-1].above(d) {
		return n, true
	}
	column := n - 1 // the outermost list in this column
	for column > 0 && open[column-1].above(d) {
		column--
	}
	if i := continued(open[column:n], d); i >= 0 {
		return column + i + 1, false
	}
	for i := n - 1; i >= column; i-- {
		if sameKind(open[i].draft.label, d.label) || sameKind(open[i].begun, d.label) {
			return i + 1, false
		}
	}
	// A list further left may go on here by its mark alone.
	if i := continued(open[:column], d); i >= 0 && d.label.kind != labelBullet {
		return i + 1, false
	}
	// a) below 1., where nothing is indented.
	return n, open[n-1].draft.label.kind != labelBullet && d.label.opens()
}

// returns finds the outer list that an item goes back to by its number, though
// it stands in no list's column: where it is left of the last item, or on
// another page, whose columns may begin elsewhere. -1 is none.
func returns(open []openItem, d *draft) int {
	n := len(open)
	if n == 0 || d.label.kind == labelBullet {
		return -1
	}
	last := open[n-1].draft
	if last.first().page == d.first().page && d.in >= last.in-0.5*d.first().size {
		return -1
	}
	return continued(open, d)
}

// above says that an item stands in the same column: by its mark, or by its
// words where marks end at one edge.
func (o *openItem) above(d *draft) bool {
	size := d.first().size
	in := abs(o.draft.in - d.in)
	return in < 0.8*size || abs(o.draft.text-d.text) < 0.3*size && in < 1.6*size
}

// continued finds the innermost open list that the mark goes on.
func continued(open []openItem, d *draft) int {
	for i := len(open) - 1; i >= 0; i-- {
		if d.label.after(open[i].draft.label) {
			return i
		}
	}
	return -1
}

func sameKind(a, b label) bool { return a.kind == b.kind && a.form == b.form }

// addItem appends an item: below the last open one, or beside it.
func (w *writer) addItem(root *compose.Block, open []openItem, d *draft, inside bool) []openItem {
	block := w.itemBlock(d)
	ordered := d.label.kind != labelBullet
	if n := len(open); !inside && n > 0 {
		o := &open[n-1]
		same := sameKind(o.draft.label, d.label) || sameKind(o.begun, d.label)
		if o.list.Ordered == ordered && (d.label.after(o.draft.label) || same && !d.label.restarts(o.draft.label)) {
			o.list.Children = append(o.list.Children, block)
			o.draft = d
			return open
		}
		open = open[:n-1]
	}
	into := root
	if n := len(open); n > 0 {
		items := open[n-1].list.Children
		into = &items[len(items)-1]
	}
	into.Children = append(into.Children, compose.Block{Kind: rag.BlockList, Ordered: ordered, Page: d.first().page, Children: []compose.Block{block}})
	return append(open, openItem{draft: d, begun: d.label, list: &into.Children[len(into.Children)-1]})
}

// restarts says that a mark begins a new list of the same form.
func (b label) restarts(last label) bool {
	return b.kind != labelBullet && b.n == 1 && last.n >= 1
}
