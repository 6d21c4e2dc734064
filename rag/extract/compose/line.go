package compose

import (
	"slices"
	"strings"
	"unicode"
)

// line is one line of Markdown being written.
type line struct {
	out   []byte
	pages []pageMark
}

// pageMark is an offset in the line at which a page begins.
type pageMark struct{ page, at int }

func (l *line) reset() { l.out, l.pages = l.out[:0], l.pages[:0] }

// shells are the styles with marks around words, from the outside in. Single
// asterisks are not used: beside double ones their runs read in many ways.
var shells = [...]struct {
	style Style
	mark  string
}{{Strong, "**"}, {Emphasis, "_"}, {Struck, "~~"}}

// write writes the pieces of a line and gives them as they were written.
func (l *line) write(pieces []piece, in setting) []piece {
	settleLinks(pieces)
	settleCode(pieces, in)
	settleStyles(pieces)
	pieces = merged(pieces)
	var open Style
	href := ""
	for i := range pieces {
		p := &pieces[i]
		if p.image || p.href != href {
			l.set(&open, 0)
			if href != "" {
				l.out = append(l.out, "]("+href+")"...)
				href = ""
			}
		}
		if p.page > 0 {
			l.pages = append(l.pages, pageMark{p.page, len(l.out)})
		}
		if p.image {
			l.out = append(l.out, "!["...)
			l.escape(p.text, in, true, true)
			l.out = append(l.out, "]("+p.href+")"...)
			continue
		}
		if p.href != href {
			l.bang()
			l.out = append(l.out, '[')
			href = p.href
		}
		l.set(&open, p.style&^Mono)
		if p.style&Mono != 0 {
			l.code(p.text)
		} else {
			l.escape(p.text, in, !p.plain(), i+1 < len(pieces))
		}
	}
	l.set(&open, 0)
	if href != "" {
		l.out = append(l.out, "]("+href+")"...)
	}
	return pieces
}

// set makes want the styles that are open: from the outermost that differs on,
// marks are closed and opened anew.
func (l *line) set(open *Style, want Style) {
	outer := 0
	for outer < len(shells) && *open&shells[outer].style == want&shells[outer].style {
		outer++
	}
	for i := len(shells) - 1; i >= outer; i-- {
		if *open&shells[i].style != 0 {
			l.out = append(l.out, shells[i].mark...)
		}
	}
	for _, s := range shells[outer:] {
		if want&s.style != 0 {
			l.out = append(l.out, s.mark...)
		}
	}
	*open = want
}

// settleLinks takes the target from links whose words would be read as the mark
// of a footnote.
func settleLinks(pieces []piece) {
	for i := range pieces {
		if p := &pieces[i]; p.href != "" && p.text[0] == '^' && (i == 0 || p.image || pieces[i-1].href != p.href) {
			unlink(pieces[i:])
		}
	}
}

// unlink takes the target from the link that pieces begin with.
func unlink(pieces []piece) {
	href := pieces[0].href
	if pieces[0].image {
		pieces[0].image, pieces[0].href = false, ""
		return
	}
	for i := range pieces {
		if pieces[i].href != href || pieces[i].image {
			break
		}
		pieces[i].href = ""
	}
}

// settleCode takes the style of code from words that cannot be set so: those
// that begin or end with a backtick, and in a cell those with a pipe, which
// must be escaped there.
func settleCode(pieces []piece, in setting) {
	for i := range pieces {
		p := &pieces[i]
		if p.style&Mono != 0 && (p.text[0] == '`' || p.text[len(p.text)-1] == '`' || (in == inCell && strings.IndexByte(p.text, '|') >= 0)) {
			p.style &^= Mono
		}
	}
}

// settleStyles takes styles from stretches of words whose marks would not be
// read as marks: marks stand between words and what is no word, or between
// two words when they are not those of emphasis (CommonMark section 6.2, and
// the same with bytes outside ASCII taken for letters).
func settleStyles(pieces []piece) {
	for _, s := range shells {
		for i := 0; i < len(pieces); {
			if pieces[i].style&s.style == 0 {
				i++
				continue
			}
			end := i + 1
			for end < len(pieces) && pieces[end].style&s.style != 0 && pieces[end].href == pieces[i].href {
				end++
			}
			if !holds(pieces, i, end, s.style) {
				for j := i; j < end; j++ {
					pieces[j].style &^= s.style
				}
			}
			i = end
		}
	}
}

// holds says that marks around pieces[i:end] are read as marks.
func holds(pieces []piece, i, end int, style Style) bool {
	before, after := ' ', ' '
	if i > 0 && pieces[i-1].href == pieces[i].href && !pieces[i-1].image {
		_, before = pieces[i-1].edges()
	}
	if end < len(pieces) && pieces[end].href == pieces[i].href && !pieces[end].image {
		after, _ = pieces[end].edges()
	}
	if style == Struck && (before == '~' || after == '~' || tildeAtEdge(pieces[i:end])) {
		return false // more than two in a row
	}
	first, _ := pieces[i].edges()
	_, last := pieces[end-1].edges()
	return (besides(before) || style != Emphasis && bare(&pieces[i], style, first)) &&
		(besides(after) || style != Emphasis && bare(&pieces[end-1], style, last))
}

// tildeAtEdge says that a piece begins or ends with a tilde.
func tildeAtEdge(pieces []piece) bool {
	return slices.ContainsFunc(pieces, func(p piece) bool {
		return p.text[0] == '~' || p.text[len(p.text)-1] == '~'
	})
}

// besides says that marks can stand beside r whatever they hold.
func besides(r rune) bool {
	return r == ' ' || r < 0x80 && !isDigit(r) && !isLetter(r)
}

// bare says that the mark of a style stands right beside the letter or digit
// at the edge of a piece.
func bare(p *piece, style Style, edge rune) bool {
	inner := false
	for _, s := range shells {
		if s.style == style {
			inner = true
		} else if inner && p.style&s.style != 0 {
			return false
		}
	}
	return p.style&Mono == 0 && (unicode.IsLetter(edge) || unicode.IsDigit(edge))
}

// code writes code in a line between backticks, fewer or more than stand
// together anywhere in it.
func (l *line) code(s string) {
	var found uint64
	for i := 0; i < len(s); i++ {
		n := 0
		for i+n < len(s) && s[i+n] == '`' {
			n++
		}
		if n > 0 && n < 64 {
			found |= 1 << n
		}
		i += n
	}
	n := 1
	for n < 63 && found&(1<<n) != 0 {
		n++
	}
	mark := strings.Repeat("`", n)
	l.out = append(l.out, mark+s+mark...)
}
