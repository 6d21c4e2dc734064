package pdf

import (
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
		return fresh || hang || ended || f.hanging(l)
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
			return true, abs(d.in-l.in()) < 0.8*l.size
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

// level of an open item while lists are nested.
type openItem struct {
	draft *draft
	list  *compose.Block // the list it is in
}

// nest makes the tree: items into lists by indentation and marks, what is
// indented under an item into the item.
func (w *writer) nest(drafts []draft) []compose.Block {
	root := &compose.Block{}
	var open []openItem
	for i := range drafts {
		d := &drafts[i]
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
	return root.Children
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
	size := d.first().size
	keep := len(open)
	for keep > 0 {
		o := open[keep-1].draft
		same := abs(o.in-d.in) < 0.8*size || abs(o.text-d.text) < 0.3*size && abs(o.in-d.in) < 1.6*size
		if same {
			if d.label.after(o.label) || sameKind(o.label, d.label) {
				break
			}
			// Another mark in the same place: an outer list that goes on, or a
			// list inside this item.
			if outer := continued(open[:keep-1], d); outer >= 0 {
				keep = outer + 1
				break
			}
			if o.label.kind != labelBullet && d.label.opens() { // a) below 1., where nothing is indented
				return w.addItem(root, open[:keep], d, true)
			}
			break
		}
		if d.in > o.in {
			return w.addItem(root, open[:keep], d, true)
		}
		keep--
	}
	return w.addItem(root, open[:keep], d, false)
}

// continued finds an open item outside whose list the mark goes on.
func continued(open []openItem, d *draft) int {
	for i := len(open) - 1; i >= 0; i-- {
		if d.label.kind != labelBullet && d.label.after(open[i].draft.label) {
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
	if !inside && len(open) > 0 {
		o := open[len(open)-1]
		if o.list.Ordered == ordered && (d.label.after(o.draft.label) || sameKind(o.draft.label, d.label) && !d.label.restarts(o.draft.label)) {
			o.list.Children = append(o.list.Children, block)
			open[len(open)-1].draft = d
			return open
		}
		open = open[:len(open)-1]
	}
	into := root
	if n := len(open); n > 0 {
		items := open[n-1].list.Children
		into = &items[len(items)-1]
	}
	into.Children = append(into.Children, compose.Block{Kind: rag.BlockList, Ordered: ordered, Page: d.first().page, Children: []compose.Block{block}})
	return append(open, openItem{draft: d, list: &into.Children[len(into.Children)-1]})
}

// restarts says that a mark begins a new list of the same form.
func (b label) restarts(last label) bool {
	return b.kind != labelBullet && b.n == 1 && last.n >= 1
}
