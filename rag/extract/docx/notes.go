package docx

import (
	"encoding/xml"
	"maps"
	"slices"
	"strconv"
)

// noteMarks numbers footnotes and endnotes in the order in which the text
// refers to them.
type noteMarks struct {
	marks  [2]map[int]string // by id; footnotes, endnotes
	next   [2]int
	format [2]string
}

func newNoteMarks() noteMarks {
	return noteMarks{
		marks:  [2]map[int]string{{}, {}},
		next:   [2]int{1, 1},
		format: [2]string{"decimal", "lowerRoman"}, // 17.11.17, 17.11.18
	}
}

// settings reads how notes are numbered (17.11.12, 17.11.4).
func (n *noteMarks) settings(a *archive, part string) error {
	err := a.scan(part, func(s *scanner, _ xml.StartElement) error {
		return s.each(func(e xml.StartElement) error {
			k := 0
			switch e.Name.Local {
			case "footnotePr":
			case "endnotePr":
				k = 1
			default:
				return nil
			}
			return s.each(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "numFmt":
					n.format[k] = attr(e, "val")
				case "numStart":
					if v, ok := number(e); ok {
						n.next[k] = v
					}
				}
				return nil
			})
		})
	})
	return err
}

// reference takes the reference to a note (17.11.14, 17.11.7): its mark in
// the words, in brackets, so that it cannot be taken for a digit or an
// exponent, and the note itself for later. A mark of the author's own follows
// in the words.
func (p *parser) reference(e xml.StartElement, par *para, l look) {
	k := 0
	if e.Name.Local == "endnoteReference" {
		k = 1
	}
	id, ok := integer(attr(e, "id"))
	if !ok || l.hidden {
		return
	}
	n := note{end: k == 1, id: id, field: p.field}
	mark, there := p.notes.marks[k][id]
	if !there {
		if !truth(attr(e, "customMarkFollows"), false) {
			if mark = formatNumber(p.notes.format[k], "", p.notes.next[k]); mark == "" {
				mark = strconv.Itoa(p.notes.next[k])
			}
			mark = "[" + mark + "]"
			p.notes.next[k]++
		}
		p.notes.marks[k][id] = mark
		n.mark = mark
		par.notes = append(par.notes, n)
	}
	if mark != "" {
		p.made += len(mark)
		par.add(span{mark: mark, field: p.field, link: ""})
	}
}

// readNotes reads all footnotes or endnotes, by id.
func (p *parser) readNotes(part string) (map[int][]node, error) {
	out := map[int][]node{}
	if part == "" {
		return out, nil
	}
	rels, err := p.a.relations(part)
	if err != nil {
		return nil, err
	}
	outer := p.rels
	p.rels = rels
	defer func() { p.rels = outer }()
	err = p.a.scan(part, func(s *scanner, _ xml.StartElement) error {
		return s.each(func(e xml.StartElement) error {
			if e.Name.Local != "footnote" && e.Name.Local != "endnote" {
				return nil
			}
			switch attr(e, "type") {
			case "", "normal":
			default: // the lines between text and notes
				return nil
			}
			id, ok := integer(attr(e, "id"))
			if !ok || out[id] != nil {
				return nil
			}
			var nodes []node
			err := p.aside(func() error { return p.blockNodes(s, &nodes) })
			out[id] = nodes
			return err
		})
	})
	return out, err
}

// sortedKeys gives the ids in their order.
func sortedKeys(m map[int][]node) []int { return slices.Sorted(maps.Keys(m)) }
