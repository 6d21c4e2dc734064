package counted

import (
	"bytes"
	"sort"
)

// reach is how many lines an item may have before the next one.
const reach = 400

// near is how many lines an item in the middle of a paragraph may have before
// the next one, when prose has such markers.
const near = 8

// maxChains is how many lists are followed at a time.
const maxChains = 100

// found is a marker in its place.
type found struct {
	at     int // offset
	marker Marker
	before int  // index of the one that it follows, -1 when it is the first
	counts bool // it follows one or is followed
	soon   bool // its successor is near
	opened bool // the parser made an item of it
}

// scan finds the markers of a whole text and which of them count. It knows as much of
// Markdown as it needs: code between fences has no items, a heading ends all
// lists, quotes have lists of their own. It takes one pass.
func scan(src []byte) []found {
	s := scanner{src: src, chains: map[place]chain{}}
	blank := true // the line before is blank
	for at := 0; at < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			end = at + i
		}
		s.row++
		blank = s.line(at, end, blank)
		at = end + 1
	}
	return s.found
}

// markerAt finds a marker that counts by its offset, nil when there is none.
func markerAt(all []found, at int) *found {
	i := sort.Search(len(all), func(i int) bool { return all[i].at >= at })
	if i < len(all) && all[i].at == at && all[i].counts {
		return &all[i]
	}
	return nil
}

// place is where lists of one style can be: in which quote, at which column.
type place struct {
	style          Style
	quotes, column int
}

// chain is a list as far as it has come.
type chain struct {
	last int // index of its last marker in found
	row  int // of that marker
}

type scanner struct {
	src    []byte
	found  []found
	chains map[place]chain
	row    int
	prose  bool   // the line before is of a paragraph that is no item's
	fence  []byte // of the code that the line is in
}

// line reads one line and says whether it is blank.
func (s *scanner) line(at, end int, afterBlank bool) bool {
	first, quotes, column := s.indent(at, end)
	line := bytes.TrimRight(s.src[first:end], " \t\r")
	switch {
	case s.fence != nil:
		if bytes.HasPrefix(line, s.fence) && len(bytes.Trim(line, string(s.fence[:1]))) == 0 {
			s.fence = nil
		}
		return false
	case len(line) == 0:
		s.prose = false
		return true
	case isFence(line):
		s.prose = false
		s.openFence(line)
		return false
	case isHeading(line):
		s.prose = false
		clear(s.chains)
		return false
	}
	switch {
	case s.items(first, end, quotes, column):
		s.prose = false
	case afterBlank && isWord(line):
		s.prose = true
		s.interrupt(quotes, column)
	}
	return false
}

// indent passes over what stands before the words of a line.
func (s *scanner) indent(at, end int) (first, quotes, column int) {
	for at < end {
		switch s.src[at] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		case '>':
			quotes++
			column++
		default:
			return at, quotes, column
		}
		at++
	}
	return at, quotes, column
}

// items notes the markers at the start of a line: its own and those behind
// bullets and numbers. It says whether the line begins with any item. Code may
// begin behind a marker.
func (s *scanner) items(at, end, quotes, column int) bool {
	item := false
	defer func() {
		if rest := bytes.TrimRight(s.src[at:end], " \t\r"); item && isFence(rest) {
			s.openFence(rest)
		}
	}()
	for range maxParts {
		n := listMarker(s.src[at:end])
		if n == 0 {
			m, ok := Read(s.src[at:end])
			if !ok || !m.words && m.style.form == 0 || !s.note(at, quotes, column, m) {
				return item
			}
			n = m.Len
		}
		item = true
		next, more, width := s.indent(at+n, end)
		at, quotes, column = next, quotes+more, column+n+width
	}
	return item
}

// note puts a marker behind the one that it follows, or lets it begin a list.
// It gives false when it can do neither.
func (s *scanner) note(at, quotes, column int, m Marker) bool {
	readings := [2]Marker{m, m}
	n := 1
	if also, ok := m.Roman(); ok {
		readings[1], n = also, 2
	}
	for _, m := range readings[:n] {
		if s.prose && m.Number != 1 { // only a first item interrupts
			continue
		}
		for _, c := range [...]int{column, column - 1, column + 1} {
			p := place{m.style, quotes, c}
			if chain, ok := s.chains[p]; ok && s.row-chain.row <= reach && m.Follows(&s.found[chain.last].marker) {
				before := &s.found[chain.last]
				before.counts, before.soon = true, s.row-chain.row <= near
				delete(s.chains, p)
				s.add(place{m.style, quotes, column}, found{at: at, marker: m, before: chain.last, counts: true})
				return true
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		if readings[i].First() {
			s.add(place{readings[i].style, quotes, column}, found{at: at, marker: readings[i], before: -1})
			return true
		}
	}
	return false
}

func (s *scanner) add(p place, f found) {
	if len(s.chains) >= maxChains {
		clear(s.chains)
	}
	s.chains[p] = chain{last: len(s.found), row: s.row}
	s.found = append(s.found, f)
}

// interrupt ends the lists in doubt that a paragraph stands beside or left of.
func (s *scanner) interrupt(quotes, column int) {
	for p := range s.chains {
		if p.style.doubtful() && p.quotes == quotes && column <= p.column+1 {
			delete(s.chains, p)
		}
	}
}

// listMarker is the length of a marker of CommonMark that a blank follows.
func listMarker(line []byte) int {
	n := 0
	for n < len(line) && n < 9 && isDigit(line[n]) {
		n++
	}
	if n >= len(line) {
		return 0
	}
	switch c := line[n]; {
	case n > 0 && c != '.' && c != ')', n == 0 && c != '-' && c != '*' && c != '+':
		return 0
	}
	if n++; n < len(line) && !isBlank(line[n]) {
		return 0
	}
	return n
}

func (s *scanner) openFence(line []byte) {
	s.fence = line[:len(line)-len(bytes.TrimLeft(line, string(line[:1])))]
}

func isFence(line []byte) bool {
	if len(line) < 3 || line[0] != '`' && line[0] != '~' || line[1] != line[0] || line[2] != line[0] {
		return false
	}
	rest := bytes.TrimLeft(line, string(line[:1]))
	return line[0] == '~' || bytes.IndexByte(rest, '`') < 0
}

func isHeading(line []byte) bool {
	n := 0
	for n < len(line) && line[n] == '#' {
		n++
	}
	return n > 0 && n <= 6 && (n == len(line) || isBlank(line[n]))
}

// isWord says that a line is the start of a paragraph, as far as one can see.
func isWord(line []byte) bool {
	switch line[0] {
	case '|', '<', '!', ':', '[', '=', '-', '_', '~', '`':
		return false
	}
	return true
}
