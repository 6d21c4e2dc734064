package extract

import (
	"bytes"

	"github.com/yuin/goldmark/text"
)

// maxLabel is the most bytes of a link's label.
const maxLabel = 999

// referenceReader reads link reference definitions from the lines of a
// paragraph.
type referenceReader struct {
	src   []byte
	lines *text.Segments
	row   int // the line that the next definition begins on
}

// place is a byte of the paragraph's lines.
type place struct{ row, at int }

// rest is what follows in the line, without white space at its end.
func (c *referenceReader) rest(p place) []byte {
	if p.row >= c.lines.Len() {
		return nil
	}
	line := trimRight(segment(c.src, c.lines, p.row))
	return line[min(p.at, len(line)):]
}

// skip passes over white space with at most one line end in it.
func (c *referenceReader) skip(p place) place {
	line := c.rest(p)
	if n := skipBlanks(line, 0, len(line)); n < len(line) {
		return place{p.row, p.at + n}
	}
	line = c.rest(place{p.row + 1, 0})
	return place{p.row + 1, skipBlanks(line, 0, len(line))}
}

// definition moves over one definition, if one begins at the row.
func (c *referenceReader) definition() bool {
	p, ok := c.label(place{c.row, 0})
	if !ok {
		return false
	}
	target := c.skip(p)
	n := referenceTarget(c.rest(target))
	if n == 0 {
		return false
	}
	p = place{target.row, target.at + n}
	if title := c.skip(p); title.row == p.row || len(c.rest(p)) == 0 {
		if end, ok := c.title(title); ok && (title.row > p.row || title.at > p.at) {
			c.row = end
			return true
		}
	}
	if len(bytes.TrimSpace(c.rest(p))) > 0 {
		return false
	}
	c.row = p.row + 1
	return true
}

// label moves behind "[label]:".
func (c *referenceReader) label(p place) (place, bool) {
	line := c.rest(p)
	p.at = skipBlanks(line, 0, len(line))
	line = c.rest(p)
	if len(line) < 2 || line[0] != '[' || line[1] == '^' {
		return p, false
	}
	p.at++
	words := false
	for left := maxLabel; p.row < c.lines.Len() && left > 0; {
		line = c.rest(p)
		for i := 0; i < len(line) && left > 0; i++ {
			left--
			switch line[i] {
			case '\\':
				i++
				words = true
			case '[':
				return p, false
			case ']':
				return place{p.row, p.at + i + 2}, words && i+1 < len(line) && line[i+1] == ':'
			case ' ', '\t':
			default:
				words = true
			}
		}
		left--
		p = place{p.row + 1, 0}
	}
	return p, false
}

// referenceTarget is the length of the target that a line begins with.
func referenceTarget(line []byte) int {
	if len(line) == 0 {
		return 0
	}
	n := bytes.IndexAny(line, " \t")
	if line[0] == '<' {
		n = bytes.IndexByte(line, '>') + 1
		if n == 0 || n < len(line) && line[n] != ' ' && line[n] != '\t' {
			return 0
		}
	}
	if n < 0 {
		return len(line)
	}
	return n
}

// title reads a title, which may run over lines and must end its last one, and
// gives the row behind it.
func (c *referenceReader) title(p place) (row int, ok bool) {
	line := c.rest(p)
	if len(line) == 0 {
		return 0, false
	}
	shut := line[0]
	if shut == '(' {
		shut = ')'
	} else if shut != '"' && shut != '\'' {
		return 0, false
	}
	for p.at++; p.row < c.lines.Len(); p = (place{p.row + 1, 0}) {
		line = c.rest(p)
		for i := 0; i < len(line); i++ {
			switch line[i] {
			case '\\':
				i++
			case shut:
				return p.row + 1, i == len(line)-1
			}
		}
	}
	return 0, false
}
