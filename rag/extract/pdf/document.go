package pdf

import (
	"cmp"
	"context"
	"math"
	"slices"

	"passage/rag/extract/compose"
)

// document makes blocks of what was loaded. When ctx ends it stops before the
// next page and gives back the cause.
func (f *file) document(ctx context.Context) (compose.Document, error) {
	doc := compose.Document{Title: f.title, Meta: f.meta, Warnings: warnings(f.pages)}
	pages := slices.DeleteFunc(slices.Clone(f.pages), func(p page) bool { return !p.readable() })
	if len(pages) == 0 {
		return compose.Document{}, noText(f.pages)
	}
	st := style{outline: f.outline}
	st.body, st.face, st.typed = usualType(pages)
	if err := furniture(ctx, pages, st.body); err != nil {
		return compose.Document{}, err
	}

	all := make([][]line, len(pages))
	for i := range pages {
		if ctx.Err() != nil {
			return compose.Document{}, context.Cause(ctx)
		}
		all[i] = pages[i].layout(st.body, st.typed)
	}
	widen(all)
	st.leading, st.indents = usualLeading(all, st.body)
	fl := &flow{style: st}
	for _, ls := range all {
		if ctx.Err() != nil {
			return compose.Document{}, context.Cause(ctx)
		}
		fl.page(ls)
	}
	fl.rank()
	w := &writer{style: st, known: vocabulary{}}
	for _, ls := range all {
		if ctx.Err() != nil {
			return compose.Document{}, context.Cause(ctx)
		}
		w.learn(ls)
	}
	var err error
	if doc.Blocks, err = w.nest(ctx, fl.out); err != nil {
		return compose.Document{}, err
	}
	if len(doc.Blocks) == 0 {
		return compose.Document{}, noText(f.pages)
	}
	return doc, nil
}

func (w *writer) learn(ls []line) {
	cut := false
	for i := range ls {
		if t := ls[i].table(); t != nil {
			for _, r := range t.rows {
				for _, c := range r.cells {
					w.learn(c)
				}
			}
			continue
		}
		w.known.learn(&ls[i], cut)
		cut = hyphenated(ls[i].words[len(ls[i].words)-1].text)
	}
}

// layout gives the lines of a page in the order of reading: the columns, then
// text that is turned.
func (p *page) layout(em float32, typed bool) []line {
	p.grids()
	var out []line
	for _, part := range columns(p.words, em, 0) {
		ls := p.column(part)
		if !typed {
			ls = aligned(ls, p.rules)
		}
		out = append(out, ls...)
	}
	for _, ws := range p.turned {
		if ls := p.column(ws); len(ls) > 0 {
			ls[0].first = false // a paragraph never runs over into turned text
			for i := range ls {
				ls[i].alone = true
			}
			out = append(out, ls...)
		}
	}
	return out
}

// column makes the lines of one column and tells each its edges.
func (p *page) column(ws []word) []line {
	if len(ws) == 0 {
		return nil
	}
	ls := lines(ws, p.number)
	left, right := ls[0].x0, ls[0].x1
	for i := range ls {
		left, right = min(left, ls[i].x0), max(right, ls[i].x1)
	}
	for i := range ls {
		ls[i].left, ls[i].right = left, right
		ls[i].dot = p.dotBefore(&ls[i])
	}
	ls[0].first = true
	return ls
}

// widen gives every column the right edge that columns with the same left
// edge have on other pages: a page with little text does not show its own.
func widen(all [][]line) {
	const step = 6
	edge := map[int]float32{}
	for _, ls := range all {
		for i := range ls {
			if l := &ls[i]; l.table() == nil && l.face&faceMono == 0 && !l.alone {
				k := int(l.left / step)
				edge[k] = max(edge[k], l.x1)
			}
		}
	}
	for _, ls := range all {
		for i := range ls {
			if r := edge[int(ls[i].left/step)]; r > ls[i].right {
				ls[i].right = r
			}
		}
	}
}

// dotBefore says that a bullet is drawn before a line.
func (p *page) dotBefore(l *line) bool {
	if l.table() != nil {
		return false
	}
	for _, d := range p.dots {
		mid := (d.y0 + d.y1) / 2
		if gap := l.x0 - d.x1; gap > 0 && gap < 2.2*l.size && mid > l.base-0.75*l.size && mid < l.base && d.height() < 0.75*l.size {
			return true
		}
	}
	return false
}

// usualType is the size and face of most letters, and whether the document is
// written in a typewriter's type as a whole.
func usualType(pages []page) (size float32, f face, typed bool) {
	type key struct {
		size float32
		face face
	}
	count := map[key]int{}
	mono, all := 0, 0
	for i := range pages {
		for j := range pages[i].words {
			w := &pages[i].words[j]
			k := key{float32(math.Round(float64(w.size)*4) / 4), w.runs[0].face}
			count[k] += len(w.text)
			all += len(w.text)
			if k.face&faceMono != 0 {
				mono += len(w.text)
			}
		}
	}
	typed = mono*10 > all*7
	best := key{size: 10}
	most := 0
	for k, n := range count {
		if k.face&faceMono != 0 && !typed {
			continue
		}
		if n > most || n == most && (k.size > best.size || k.size == best.size && k.face < best.face) {
			best, most = k, n
		}
	}
	return max(best.size, 1), best.face, typed
}

// usualLeading is the distance of lines in sizes that is met most, and
// whether paragraphs begin indented.
func usualLeading(all [][]line, body float32) (leading float32, indents bool) {
	count := map[int]int{}
	begun, flush := 0, 0
	for _, ls := range all {
		for i := 1; i < len(ls); i++ {
			a, b := &ls[i-1], &ls[i]
			if b.first || abs(a.size-body) > 0.6 || abs(b.size-body) > 0.6 || a.table() != nil || b.table() != nil {
				continue
			}
			d := (b.base - a.base) / b.size
			if d < 0.8 || d > 2.6 {
				continue
			}
			weight := 1
			if b.goesOn() { // surely inside a paragraph
				weight = 4
			}
			count[int(d*20+0.5)] += weight
			if a.ended() && !b.goesOn() && d < 1.8 {
				switch deep := b.x0 - a.x0; {
				case deep > 0.8*b.size && deep < 4*b.size && i+1 < len(ls) && ls[i+1].x0 < b.x0-0.5*b.size:
					begun++
				case abs(deep) < 0.5*b.size:
					flush++
				}
			}
		}
	}
	keys := make([]int, 0, len(count))
	for k := range count {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b int) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	if len(keys) == 0 {
		return 1.25, false
	}
	return float32(keys[0]) / 20, begun > 2 && begun >= flush
}

// page adds the lines of one page.
func (f *flow) page(ls []line) {
	for i := 0; i < len(ls); {
		// Lines at the usual distance have one right edge.
		j := i + 1
		right := ls[i].x1
		for j < len(ls) && !ls[j].first && ls[j].table() == nil && ls[i].table() == nil &&
			ls[j].sized(&ls[j-1]) && ls[j].base-ls[j-1].base < f.leading*1.28*ls[j].size+0.5 {
			right = max(right, ls[j].x1)
			j++
		}
		for k := i; k < j; k++ {
			var next *line
			if k+1 < len(ls) {
				next = &ls[k+1]
			}
			f.add(&ls[k], next, right)
		}
		i = j
	}
}
