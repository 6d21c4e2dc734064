package docx

import (
	"passage/rag"
	"passage/rag/extract/compose"
)

// near is how far two indentations may be apart and still look the same: a
// sixteenth of an inch, in twips.
const near = 90

// openList is a list that further items may come to, with its last item.
type openList struct {
	list compose.Block // with its items but the last
	item compose.Block
	at   mark // of the last item
}

// depth is how many lists may stand inside each other. It shrinks in cells of
// cells, so that no file makes a tree of great depth.
func (f *flow) depth() int {
	switch {
	case f.nested <= 2:
		return levels
	case f.nested <= 4:
		return 3
	case f.nested <= 6:
		return 1
	}
	return 0
}

// item places an item: into the list that it continues, into a list inside of
// the last item, or into a new one.
func (f *flow) item(m mark, body []compose.Block) {
	if f.depth() == 0 {
		if len(body) > 0 && m.ordered {
			body[0].Words = prefixed(m.label, body[0].Words)
		}
		f.place(body, 0, false)
		return
	}
	item := compose.Block{Kind: rag.BlockItem, Children: body}
	if m.ordered {
		item.Label = m.label
	}
	keep := f.home(m)
	f.close(keep)
	if n := len(f.lists); n > 0 {
		if l := &f.lists[n-1]; f.continues(l, m) {
			l.list.Children = append(l.list.Children, l.item)
			l.item, l.at = item, m
			return
		}
	}
	if len(f.lists) == 0 {
		f.base = f.left
	}
	f.lists = append(f.lists, openList{
		list: compose.Block{Kind: rag.BlockList, Ordered: m.ordered}, item: item, at: m,
	})
}

// continues says that an item of mark m is the next of the list l, once home
// has closed what is below it.
func (f *flow) continues(l *openList, m mark) bool {
	if l.list.Ordered != m.ordered {
		return false
	}
	if l.at.list == m.list {
		return l.at.level == m.level
	}
	return !m.ordered && !f.deeper(l.at, m) && !f.deeper(m, l.at)
}

// deeper says that an item of another list than a's looks like a part of a.
func (f *flow) deeper(a, m mark) bool {
	if d := m.left - a.left; d > near || d < -near {
		return d > 0
	}
	return m.level > a.level
}

// home says how many of the open lists stay open before an item of mark m.
func (f *flow) home(m mark) int {
	n := len(f.lists)
	for k := n - 1; k >= 0; k-- { // the list may be open further out
		at := f.lists[k].at
		if at.list != m.list || f.lists[k].list.Ordered != m.ordered && at.level == m.level {
			continue
		}
		switch {
		case at.level == m.level:
			return k + 1
		case at.level < m.level && k+1 < f.depth():
			return k + 1
		}
	}
	for ; n > 0; n-- {
		l := &f.lists[n-1]
		if f.continues(l, m) || n < f.depth() && l.at.list != m.list && f.deeper(l.at, m) {
			return n
		}
		if l.at.list == m.list && l.at.level < m.level && n < f.depth() {
			return n
		}
	}
	return 0
}

// place puts blocks that are no items where they stand for a reader: into the
// item whose words they line up with, else behind the lists. A paragraph set
// in a style for items goes on with an item also when it has another
// indentation.
func (f *flow) place(blks []compose.Block, left int, listStyle bool) {
	if len(blks) == 0 {
		return
	}
	keep := 0
	for n := len(f.lists); n > 0 && keep == 0; n-- {
		if at := f.lists[n-1].at.left; left > f.base && at > 0 && left >= at-near {
			keep = n
		}
	}
	if keep == 0 && len(f.lists) > 0 {
		top := &f.lists[len(f.lists)-1]
		first := blks[0].Kind
		switch {
		case listStyle && left > f.base:
			keep = 1
		case len(top.item.Children) == 0 && first != rag.BlockParagraph && first != rag.BlockNote:
			keep = len(f.lists) // a number with nothing behind it but this
		}
	}
	f.close(keep)
	if keep > 0 {
		item := &f.lists[keep-1].item
		item.Children = append(item.Children, blks...)
		return
	}
	f.left = left
	f.out = append(f.out, blks...)
}

// attach puts a block directly behind what came last.
func (f *flow) attach(blk compose.Block) {
	if n := len(f.lists); n > 0 {
		item := &f.lists[n-1].item
		item.Children = append(item.Children, blk)
		return
	}
	f.out = append(f.out, blk)
}

// close ends the open lists but the outermost n.
func (f *flow) close(n int) {
	for k := len(f.lists); k > n; k-- {
		l := f.lists[k-1]
		f.lists = f.lists[:k-1]
		l.list.Children = append(l.list.Children, l.item)
		for i := len(l.list.Children); i > 0 && len(l.list.Children[i-1].Children) == 0; i-- {
			l.list.Children = l.list.Children[:i-1] // numbers with nothing behind them
		}
		if len(l.list.Children) > 0 {
			f.attach(l.list)
		}
	}
}
