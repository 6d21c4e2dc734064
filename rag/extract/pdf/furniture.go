package pdf

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Running heads and feet stand on the first or last lines of a page, at the
// same height on many pages, with the same words except for the page's
// number. They are taken out from the edge inwards: a line inside one that
// stays, stays too.

const (
	edgeLines = 3    // looked at above and below
	edgePart  = 0.16 // of the page's height
	sameLine  = 4.0  // points by which the height may differ from page to page
)

// edgeLine is a line near the edge of a page.
type edgeLine struct {
	words []int // into page.words
	text  string
	key   string // text without numbers that count the pages
	y     float32
	size  float32
	count int // page number found in it minus the page's own
	paged bool
	apart bool // it does not stand as lines of the body do
	gone  bool
}

// furniture takes running heads and feet out of all pages. When ctx ends it
// gives back the cause.
func furniture(ctx context.Context, pages []page, body float32) error {
	space := clearSpace(pages, body)
	for _, top := range []bool{true, false} {
		edges := make([][]edgeLine, len(pages))
		for i := range pages {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			edges[i] = pages[i].edge(top, body, space)
		}
		for depth := range edgeLines {
			if !dropLevel(edges, depth, body) {
				break
			}
		}
		for i := range pages {
			gone := map[int]bool{}
			for _, e := range apart(edges[i]) {
				for _, w := range e.words {
					gone[w] = true
				}
			}
			pages[i].remove(gone)
		}
	}
	stamps(pages)
	return nil
}

func (p *page) remove(gone map[int]bool) {
	if len(gone) == 0 {
		return
	}
	kept := p.words[:0]
	for i, w := range p.words {
		if !gone[i] {
			kept = append(kept, w)
		}
	}
	p.words = kept
}

// edge gives the outermost lines of a page, the outermost first.
func (p *page) edge(top bool, body, space float32) []edgeLine {
	limit := p.height * edgePart
	order := make([]int, len(p.words))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		c := cmp.Compare(p.words[a].base, p.words[b].base)
		if !top {
			c = -c
		}
		return c
	})
	var out []edgeLine
	near := 0 // lines that may be furniture; those behind tell how the body is set
	for _, i := range order {
		w := &p.words[i]
		if n := len(out); n > 0 && abs(out[n-1].y-w.base) < 0.4*max(out[n-1].size, w.size) {
			out[n-1].words = append(out[n-1].words, i)
			out[n-1].size = max(out[n-1].size, w.size)
			continue
		}
		if len(out) == edgeLines+bodyLines {
			break
		}
		if near == len(out) && near < edgeLines && (top && w.base < limit || !top && w.base > p.height-limit) {
			near++
		}
		out = append(out, edgeLine{words: []int{i}, y: w.base, size: w.size})
	}
	frames := p.frames()
	for i := range out[:near] {
		out[i].read(p)
		out[i].apart = standsApart(out[i:], body, space) && !(i+1 < len(out) && frames.hold(out[i].y, out[i+1].y))
	}
	return out[:near]
}

// read takes the line's words from left to right and finds the page's number.
func (e *edgeLine) read(p *page) {
	slices.SortStableFunc(e.words, func(a, b int) int { return cmp.Compare(p.words[a].x0, p.words[b].x0) })
	words := make([]string, len(e.words))
	for i, w := range e.words {
		words[i] = p.words[w].text
	}
	e.text = strings.Join(words, " ")
	first, last := 0, len(words)-1
	for first < last && strings.Trim(words[first], "-–—|·•") == "" {
		first++
	}
	for last > first && strings.Trim(words[last], "-–—|·•") == "" {
		last--
	}
	for i, w := range words {
		n, ok := pageNumber(w)
		if !ok {
			continue
		}
		ends := i == first || i == last
		if !e.paged && (ends || i > 0 && pageWord(words[i-1])) {
			e.count, e.paged = n-p.number, true
			words[i] = "#"
		}
	}
	e.key = strings.ToLower(strings.Join(words, " "))
}

// pageNumber reads "17", "- 17 -", "17/40", "xvii".
func pageNumber(s string) (int, bool) {
	s = strings.Trim(s, "-–—|[]().,")
	if i := strings.IndexByte(s, '/'); i > 0 {
		s = s[:i]
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 0 && n < 100000 {
		return n, true
	}
	if s != "" && len(s) < 8 && strings.Trim(s, "ivxlc") == "" {
		return roman(s)
	}
	return 0, false
}

func pageWord(s string) bool {
	switch strings.TrimRight(strings.ToLower(s), ".:|") {
	case "page", "p", "pg", "seite", "s", "página", "pagina", "strana", "sida", "side", "sivu", "стр", "страница", "第":
		return true
	}
	return false
}

// dropLevel marks the lines at one depth that repeat. It says whether any was.
func dropLevel(edges [][]edgeLine, depth int, body float32) bool {
	type sight struct {
		pages  int
		places []edgeLine
		counts map[int]int
	}
	seen := map[string]*sight{}
	at := func(i int) *edgeLine {
		if depth >= len(edges[i]) || depth > 0 && !edges[i][depth-1].gone {
			return nil
		}
		return &edges[i][depth]
	}
	pages := 0
	for i := range edges {
		if len(edges[i]) > 0 {
			pages++
		}
		e := at(i)
		if e == nil {
			continue
		}
		s := seen[e.key]
		if s == nil {
			s = &sight{counts: map[int]int{}}
			seen[e.key] = s
		}
		s.pages++
		s.places = append(s.places, edgeLine{y: e.y, size: e.size})
		if e.paged {
			s.counts[e.count]++
		}
	}
	numbered := numberedHeight(edges, at, pages)
	some := false
	for i := range edges {
		e := at(i)
		if e == nil || e.opens() {
			continue
		}
		s := seen[e.key]
		near := 0
		for _, o := range s.places {
			if abs(o.y-e.y) <= sameLine && abs(o.size-e.size) < 0.15*e.size {
				near++
			}
		}
		many := near >= 3 || near >= 2 && near*2 >= pages
		switch {
		case e.paged && many && s.counts[e.count]*2 >= near && s.counts[e.count] > 1:
			e.gone = true
		case !e.paged && many && (e.size <= body*1.3 || near*2 >= pages):
			e.gone = true
		case e.paged && e.size <= body*1.15 && numbered(e):
			e.gone = true // a section's title that changes, beside a number that counts
		}
		some = some || e.gone
	}
	return dropPlaces(edges, at) || some
}

// dropPlaces marks what stands exactly where most pages have a running head:
// the title of a chapter that is only a page or two long, or one for left
// pages and one for right ones.
func dropPlaces(edges [][]edgeLine, at func(int) *edgeLine) bool {
	type place struct{ y, size int }
	places := map[place]int{}
	near := func(e *edgeLine) place { return place{int(e.y + 0.5), int(e.size*4 + 0.5)} }
	for i := range edges {
		if e := at(i); e != nil && e.gone {
			places[near(e)]++
		}
	}
	some := false
	for i := range edges {
		e := at(i)
		if e == nil || e.gone || e.opens() {
			continue
		}
		p := near(e)
		n := 0
		for d := -1; d <= 1; d++ {
			n += places[place{p.y + d, p.size}]
		}
		if n >= 2 && n*2 >= len(edges) {
			e.gone, some = true, true
		}
	}
	return some
}

// numberedHeight gives a test for lines with a page number that counts on, at
// a height where most pages have one.
func numberedHeight(edges [][]edgeLine, at func(int) *edgeLine, pages int) func(*edgeLine) bool {
	type place struct{ y, count int }
	places := map[place]int{}
	for i := range edges {
		if e := at(i); e != nil && e.paged {
			places[place{int(e.y / sameLine), e.count}]++
		}
	}
	return func(e *edgeLine) bool {
		n := 0
		for d := -1; d <= 1; d++ {
			n += places[place{int(e.y/sameLine) + d, e.count}]
		}
		return n >= 3 && n*10 >= pages*6
	}
}

// opens says that a line begins a step or an item. Such a line may count like
// a page's number without being one.
func (e *edgeLine) opens() bool {
	first, _, _ := strings.Cut(e.text, " ")
	if stepWord(first) || bullet(first) && (len(e.words) > 3 || !e.paged) {
		return true
	}
	return len(first) < len(e.text) && strings.ContainsAny(first, ".)") && strings.IndexFunc(first, unicode.IsDigit) >= 0 &&
		strings.Trim(first, "0123456789.)(") == ""
}
