package docx

import "strings"

// counter counts the paragraphs of lists in the order of the text. What is
// counted belongs to the definition of a list, so that its instances go on
// with each other's numbers, whatever stands between.
type counter struct {
	st    *styles
	num   *numbering
	state map[int]*count // by abstractNumId
	begun map[[2]int]bool
}

type count struct {
	value [levels]int
	used  [levels]bool
}

func newCounter(st *styles, num *numbering) *counter {
	return &counter{st: st, num: num, state: map[int]*count{}, begun: map[[2]int]bool{}}
}

// mark is the place of a paragraph in a list.
type mark struct {
	list    int    // of which definition
	level   int    // from 0
	label   string // as a reader sees it, "" for a bullet
	ordered bool
	shown   bool // false when the level shows nothing at all
	left    int  // indentation of the words
}

// next counts a paragraph. ok is false when it belongs to no list.
func (c *counter) next(p *para) (m mark, ok bool) {
	ref := p.props.num.over(p.style.para.num)
	if !ref.hasID || ref.id == 0 {
		return mark{}, false
	}
	l, ok := c.num.list(ref.id, c.st)
	if !ok {
		return mark{}, false
	}
	at := p.props.num.level
	if !p.props.num.hasLevel {
		at = 0
		if n, ok := l.levelOf(p.style); ok {
			at = n
		}
	}
	at = min(max(at, 0), levels-1)
	m = mark{list: l.abstract, level: at}
	lv := l.at(at)
	m.left = p.indent(lv)
	c.count(l, at)
	m.label, m.ordered, m.shown = c.label(l, at)
	return m, true
}

// indent is where the words of an item begin: its own indentation, that of
// its style when the style put it into the list, else that of the level.
func (p *para) indent(lv level) int {
	switch {
	case p.props.hasLeft:
		return p.props.left
	case lv.hasLeft && (p.props.num.hasID || !p.style.para.hasLeft):
		return lv.left
	}
	return p.style.para.left
}

// count moves a level on by one, and lets the levels below begin anew
// (17.9.10). An instance with a start of its own begins at it when it is first
// seen, and goes on from there (17.9.26).
func (c *counter) count(l list, at int) {
	s := c.state[l.abstract]
	if s == nil {
		s = &count{}
		c.state[l.abstract] = s
	}
	if o := l.overrides[at]; o.hasStart && !c.begun[[2]int{l.id, at}] {
		c.begun[[2]int{l.id, at}] = true
		s.used[at] = false
	}
	if s.used[at] {
		s.value[at]++
	} else {
		s.value[at], s.used[at] = l.at(at).start, true
	}
	for below := at + 1; below < levels; below++ {
		after := l.at(below).restart
		if after < 0 || after > below {
			after = below
		}
		if at < after {
			s.used[below] = false
		}
	}
}

// label fills the text of a level with the numbers of the levels that it
// names (17.9.11). A level that was not used yet shows its start.
func (c *counter) label(l list, at int) (label string, ordered, shown bool) {
	lv := l.at(at)
	if lv.bullet() {
		return "", false, true
	}
	s := c.state[l.abstract]
	var sb strings.Builder
	text := lv.text
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+1 >= len(text) || text[i+1] < '1' || text[i+1] > '9' {
			sb.WriteByte(text[i])
			continue
		}
		i++
		k := int(text[i] - '1')
		if k > at { // a deeper level has no number here
			continue
		}
		of := l.at(k)
		n := of.start
		if s.used[k] {
			n = s.value[k]
		}
		switch of.format {
		case "none", "bullet", "decimalZero": // "Section 1.01" stays in legal numbering
		default:
			if lv.legal {
				of.format = "decimal"
			}
		}
		sb.WriteString(formatNumber(of.format, of.pattern, n))
	}
	label = cleanLabel(symbols(sb.String(), lv.font))
	return label, true, label != ""
}

// cleanLabel makes one short line of a label.
func cleanLabel(s string) string {
	s = strings.Join(strings.Fields(clean(s)), " ")
	if len(s) > 200 {
		return strings.ToValidUTF8(s[:200], "")
	}
	return s
}
