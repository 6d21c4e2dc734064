package docx

import (
	"strings"
	"unicode/utf8"
)

// maxHeading is the length in characters from which a paragraph is text, even
// if its author numbered it as a heading.
const maxHeading = 300

// number gives every paragraph its label, in the order of the text, and drops
// those that are not there for a reader: hidden ones, lines of a table of
// contents, paragraphs whose end a tracked deletion took away, so that their
// words begin the next one.
func (b *builder) number(nodes []node, c *counter) []node {
	out := nodes[:0]
	var carry para
	for i := range nodes {
		n := nodes[i]
		if n.table != nil {
			for r := range n.table.rows {
				cells := n.table.rows[r].cells
				for k := range cells {
					cells[k].nodes = b.number(cells[k].nodes, c)
				}
			}
			out = append(out, n)
			continue
		}
		p := n.para
		had := len(p.spans) > 0
		p.settle()
		if had && len(p.spans) == 0 { // it stood in a table of contents
			b.contents = true
			if k := len(out) - 1; k >= 0 && out[k].para != nil && out[k].para.contents && !out[k].para.marked && len(out[k].para.spans) < 4 {
				out = out[:k] // its title
			}
			if len(p.after) == 0 {
				continue
			}
		}
		follows := i+1 < len(nodes) && nodes[i+1].para != nil
		if follows && (p.props.mark.gone || p.props.dropCap && !p.empty()) {
			carry.spans = append(carry.spans, p.spans...)
			carry.notes = append(carry.notes, p.notes...)
			carry.after = append(carry.after, p.after...)
			continue
		}
		if len(carry.spans)+len(carry.notes)+len(carry.after) > 0 {
			p.spans = append(carry.spans, p.spans...)
			p.notes = append(carry.notes, p.notes...)
			p.after = append(carry.after, p.after...)
			carry = para{}
		}
		if p.empty() && len(p.after) == 0 && (p.props.mark.gone || b.st.look(p.style, p.props.mark).hidden) {
			continue
		}
		p.mark, p.marked = c.next(p)
		p.bold = allBold(p.spans)
		p.after = b.number(p.after, c)
		out = append(out, n)
	}
	return out
}

func allBold(spans []span) bool {
	some := false
	for i := range spans {
		if !blank(spans[i].text) && !spans[i].picture {
			if !spans[i].bold {
				return false
			}
			some = true
		}
	}
	return some
}

// heading gives the level of a heading from 0.
func (p *para) heading() (int, bool) {
	of := p.style.para
	if p.props.hasLevel {
		of = p.props
	}
	if !of.hasLevel || of.outline < 0 || of.outline > 8 {
		return 0, false
	}
	return of.outline, p.brief()
}

// brief says that a paragraph is not too long for a heading.
func (p *para) brief() bool {
	n := 0
	for i := 0; i < len(p.spans) && n <= maxHeading; i++ {
		n += utf8.RuneCountInString(p.spans[i].text)
	}
	return n <= maxHeading
}

// title finds the words of the title and settles how it is set. Words in the
// style Title are the document's title; when the body has no other heading of
// level 1 they are that heading. Where the style comes up in several places its
// author used it for headings.
func (b *builder) title(nodes []node) string {
	var title []string
	places, topmost := 0, false
	before := false
	for i := range nodes {
		p := nodes[i].para
		if p == nil || p.empty() {
			before = before && p != nil
			continue
		}
		if p.role() == roleTitle {
			if !before {
				places++
			}
			if places == 1 {
				title = append(title, plain(oneLine(inlines(p.spans))))
			}
			before = true
			continue
		}
		before = false
		if n, ok := p.heading(); ok && n == 0 {
			topmost = true
		}
	}
	if places > 1 || !topmost {
		b.titles = 1
	}
	words := strings.Join(title, " ")
	if utf8.RuneCountInString(words) > maxHeading {
		b.titles = 0
		return ""
	}
	return words
}

// role is what the paragraph's style is for; a heading has none.
func (p *para) role() role {
	if _, ok := p.heading(); ok {
		return roleText
	}
	if p.style.role == roleTitle && !p.brief() {
		return roleText
	}
	return p.style.role
}
