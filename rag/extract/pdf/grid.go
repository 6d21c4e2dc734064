package pdf

import (
	"cmp"
	"slices"
)

// A table with drawn lines says itself where its cells are. Lines that touch
// make a net; a net with at least two columns and two rows is a table.

const (
	touch     = 3.0 // points by which lines of one net may miss each other
	maxRules  = 3000
	longCell  = 600 // letters in a cell on average: not a table but a layout
	maxGridXY = 400 // columns or rows
)

// table is rows of cells, each cell lines of words.
type table struct {
	rows []row
	page int
}

type row struct {
	cells  [][]line
	header bool
}

// grids takes the ruled tables of a page out of its words and puts each back
// as one.
func (p *page) grids() {
	if len(p.rules) < 4 || len(p.rules) > maxRules {
		return
	}
	for _, net := range nets(p.rules) {
		g, ok := newGrid(net)
		if !ok {
			continue
		}
		t, area, rest := g.fill(p.words, p.number)
		if t == nil {
			continue
		}
		rest = append(rest, word{
			x0: area.x0, x1: area.x1, base: area.y1, size: area.height(), runs: []run{{}}, table: t, area: area,
		})
		p.words = rest
	}
}

// nets divides lines into those that touch, directly or through others.
func nets(rules []rule) [][]rule {
	parent := make([]int, len(rules))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	order := make([]int, len(rules))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(rules[a].x0, rules[b].x0) })
	for i, a := range order {
		for _, b := range order[i+1:] {
			if rules[b].x0 > rules[a].x1+touch {
				break
			}
			if rules[b].y0 <= rules[a].y1+touch && rules[a].y0 <= rules[b].y1+touch {
				parent[root(b)] = root(a)
			}
		}
	}
	groups := map[int][]rule{}
	var keys []int
	for i := range rules {
		r := root(i)
		if groups[r] == nil {
			keys = append(keys, r)
		}
		groups[r] = append(groups[r], rules[i])
	}
	out := make([][]rule, 0, len(keys))
	for _, k := range keys {
		out = append(out, groups[k])
	}
	return out
}

// grid is where the lines of a net stand.
type grid struct {
	xs, ys []float32
	stands [][]bool // by column line and row: the line is drawn there
	lies   [][]bool // by row line and column
}

func newGrid(rules []rule) (grid, bool) {
	var g grid
	for _, r := range rules {
		if r.upright {
			g.xs = append(g.xs, (r.x0+r.x1)/2)
		} else {
			g.ys = append(g.ys, (r.y0+r.y1)/2)
		}
	}
	g.xs, g.ys = distinct(g.xs), distinct(g.ys)
	// Left and right of some tables are open: the lying lines end them.
	for _, r := range rules {
		if !r.upright && len(g.xs) > 0 {
			if r.x0 < g.xs[0]-10 {
				g.xs = append([]float32{r.x0}, g.xs...)
			}
			if r.x1 > g.xs[len(g.xs)-1]+10 {
				g.xs = append(g.xs, r.x1)
			}
		}
	}
	if len(g.xs) < 3 || len(g.ys) < 3 || len(g.xs) > maxGridXY || len(g.ys) > maxGridXY {
		return g, false
	}
	g.draw(rules)
	return g, true
}

// draw notes which sides of which cells are drawn.
func (g *grid) draw(rules []rule) {
	g.stands = make([][]bool, len(g.xs))
	for i := range g.stands {
		g.stands[i] = make([]bool, len(g.ys)-1)
	}
	g.lies = make([][]bool, len(g.ys))
	for i := range g.lies {
		g.lies[i] = make([]bool, len(g.xs)-1)
	}
	for _, r := range rules {
		if r.upright {
			mark(g.stands, g.xs, (r.x0+r.x1)/2, g.ys, r.y0, r.y1)
		} else {
			mark(g.lies, g.ys, (r.y0+r.y1)/2, g.xs, r.x0, r.x1)
		}
	}
}

// mark notes a line at place, over the cells whose middle it passes.
func mark(drawn [][]bool, places []float32, place float32, cells []float32, from, to float32) {
	for i, at := range places {
		if abs(at-place) > touch {
			continue
		}
		for j := range len(cells) - 1 {
			if mid := (cells[j] + cells[j+1]) / 2; from-touch <= mid && mid <= to+touch {
				drawn[i][j] = true
			}
		}
	}
}

// distinct sorts and takes places nearer than a thick line's width for one.
func distinct(v []float32) []float32 {
	slices.Sort(v)
	out := v[:0]
	for _, x := range v {
		if len(out) == 0 || x-out[len(out)-1] > touch {
			out = append(out, x)
		}
	}
	return out
}

// fill puts the words into the cells. It gives nil when the net is no table.
func (g *grid) fill(ws []word, number int) (*table, box, []word) {
	area := box{g.xs[0], g.ys[0], g.xs[len(g.xs)-1], g.ys[len(g.ys)-1]}
	cols, rows := len(g.xs)-1, len(g.ys)-1
	cells := make([][]word, cols*rows)
	var rest []word
	letters, filled, inside := 0, 0, 0
	for i := range ws {
		w := ws[i]
		x, y := (w.x0+w.x1)/2, (w.top()+w.bottom())/2
		if w.table != nil || x < area.x0 || x > area.x1 || y < area.y0 || y > area.y1 {
			rest = append(rest, w)
			continue
		}
		c, r := g.cell(slot(g.xs, x), slot(g.ys, y))
		if cells[r*cols+c] == nil {
			filled++
		}
		cells[r*cols+c] = append(cells[r*cols+c], w)
		letters += len(w.text)
		inside++
	}
	if inside == 0 || filled < 3 || letters/filled > longCell {
		return nil, box{}, nil
	}
	g.repeat(cells)
	t := &table{page: number}
	used := make([]bool, cols)
	for i := range cells {
		used[i%cols] = used[i%cols] || cells[i] != nil
	}
	for r := range rows {
		out := row{}
		some := false
		for c := range cols {
			if !used[c] {
				continue
			}
			var ls []line
			if cell := cells[r*cols+c]; cell != nil {
				ls = lines(cell, number)
				some = true
			}
			out.cells = append(out.cells, ls)
		}
		if some {
			t.rows = append(t.rows, out)
		}
	}
	if len(t.rows) < 2 || len(t.rows[0].cells) < 2 {
		return nil, box{}, nil
	}
	t.head()
	return t, area, rest
}

// repeat sets what stands in a merged cell of the first column in each of its
// rows: a dose must not stand in a row without its drug.
func (g *grid) repeat(cells [][]word) {
	cols := len(g.xs) - 1
	for r := 1; r < len(g.ys)-1; r++ {
		if !g.lies[r][0] && cells[r*cols] == nil {
			cells[r*cols] = slices.Clone(cells[(r-1)*cols])
		}
	}
}

// cell follows merged cells back to their first: where no line divides two
// cells they are one.
func (g *grid) cell(c, r int) (col, row int) {
	for c > 0 && !g.stands[c][r] {
		c--
	}
	for r > 0 && !g.lies[r][c] {
		r--
	}
	return c, r
}

func slot(v []float32, x float32) int {
	i, _ := slices.BinarySearch(v, x)
	return min(max(i-1, 0), len(v)-2)
}

// head marks the first row as the header when its words are bold and those
// below are not.
func (t *table) head() {
	if len(t.rows) > 1 && t.rows[0].bold() && !t.rows[1].bold() {
		t.rows[0].header = true
	}
}

func (r *row) bold() bool {
	some := false
	for _, c := range r.cells {
		for i := range c {
			if c[i].face&faceBold == 0 {
				return false
			}
			some = true
		}
	}
	return some
}
