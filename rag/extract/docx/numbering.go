package docx

import (
	"encoding/xml"
	"strings"
)

const levels = 9 // of a list (17.9.3)

// level is how one level of a list counts and looks (17.9.6).
type level struct {
	set     bool
	start   int
	format  string // numFmt
	pattern string // the list of a custom numFmt: "001, 002, 003, ..."
	text    string // lvlText: "%1.%2)"
	restart int    // lvlRestart: after which level it begins anew; -1 when not given
	legal   bool   // isLgl: the numbers of all levels are decimal
	style   string // the paragraph style that takes this level
	left    int    // indentation of the item's words
	hasLeft bool
	font    string // of the label
}

// abstract is a list's definition (17.9.1).
type abstract struct {
	levels [levels]level
	link   string // numStyleLink: the numbering style that holds the levels
}

// override is what an instance changes of a level (17.9.8).
type override struct {
	level    level
	start    int
	hasStart bool
}

// instance is a w:num: what paragraphs refer to (17.9.15). Instances of one
// definition count together.
type instance struct {
	id        int
	abstract  int
	overrides map[int]override
}

// numbering is the numbering part.
type numbering struct {
	abstracts map[int]*abstract
	instances map[int]*instance
	links     map[string]int // styleLink: the definition behind a numbering style
}

func newNumbering(a *archive, part string) (*numbering, error) {
	n := &numbering{abstracts: map[int]*abstract{}, instances: map[int]*instance{}, links: map[string]int{}}
	err := a.scan(part, func(s *scanner, _ xml.StartElement) error {
		return s.each(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "abstractNum":
				return n.readAbstract(s, e)
			case "num":
				return n.readInstance(s, e)
			}
			return nil
		})
	})
	return n, err
}

func (n *numbering) readAbstract(s *scanner, e xml.StartElement) error {
	id, _ := integer(attr(e, "abstractNumId"))
	a := &abstract{}
	err := s.each(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "numStyleLink":
			a.link = attr(e, "val")
		case "styleLink":
			n.links[attr(e, "val")] = id
		case "lvl":
			i, l, err := readLevel(s, e)
			if i >= 0 && i < levels {
				a.levels[i] = l
			}
			return err
		}
		return nil
	})
	if n.abstracts[id] == nil {
		n.abstracts[id] = a
	}
	return err
}

func readLevel(s *scanner, e xml.StartElement) (int, level, error) {
	i, ok := integer(attr(e, "ilvl"))
	if !ok {
		i = -1
	}
	l := level{set: true, format: "decimal", restart: -1}
	err := s.each(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "start":
			l.start, _ = number(e)
		case "numFmt":
			l.format, l.pattern = attr(e, "val"), attr(e, "format")
		case "AlternateContent": // a custom numFmt and what stands for it
			return s.each(func(e xml.StartElement) error {
				if e.Name.Local != "Choice" {
					return nil
				}
				return s.each(func(e xml.StartElement) error {
					if e.Name.Local == "numFmt" {
						l.format, l.pattern = attr(e, "val"), attr(e, "format")
					}
					return nil
				})
			})
		case "lvlText":
			l.text = attr(e, "val")
			if len(l.text) > 200 {
				l.text = strings.ToValidUTF8(l.text[:200], "")
			}
			if truth(attr(e, "null"), false) {
				l.text = ""
			}
		case "lvlRestart":
			if v, ok := number(e); ok {
				l.restart = v
			}
		case "isLgl":
			l.legal = on(e)
		case "pStyle":
			l.style = attr(e, "val")
		case "pPr":
			p, err := readParaProps(s)
			l.left, l.hasLeft = p.left, p.hasLeft
			return err
		case "rPr":
			p, err := readRunProps(s)
			l.font = p.font
			return err
		}
		return nil
	})
	return i, l, err
}

func (n *numbering) readInstance(s *scanner, e xml.StartElement) error {
	id, ok := integer(attr(e, "numId"))
	in := &instance{id: id, abstract: -1, overrides: map[int]override{}}
	err := s.each(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "abstractNumId":
			if v, ok := number(e); ok {
				in.abstract = v
			}
		case "lvlOverride":
			i, ok := integer(attr(e, "ilvl"))
			if !ok || i < 0 || i >= levels {
				return nil
			}
			o := in.overrides[i]
			err := s.each(func(e xml.StartElement) (err error) {
				switch e.Name.Local {
				case "startOverride":
					o.start, o.hasStart = number(e)
				case "lvl":
					_, o.level, err = readLevel(s, e)
				}
				return err
			})
			in.overrides[i] = o
			return err
		}
		return nil
	})
	if ok && id != 0 && n.instances[id] == nil {
		n.instances[id] = in
	}
	return err
}

// list is an instance together with where its levels are defined.
type list struct {
	*instance
	levels *[levels]level
}

// list gives the list that a paragraph refers to by its numId; ok is false
// when there is none, and the paragraph has no number then.
func (n *numbering) list(id int, st *styles) (list, bool) {
	in := n.instances[id]
	if in == nil {
		return list{}, false
	}
	a := n.abstracts[in.abstract]
	if a == nil {
		return list{}, false
	}
	if a.link != "" {
		if b := n.linked(a.link, st); b != nil {
			a = b
		}
	}
	return list{instance: in, levels: &a.levels}, true
}

// linked finds the definition behind a numbering style (17.9.21): by the
// style's own numPr, or by the definition that names the style.
func (n *numbering) linked(link string, st *styles) *abstract {
	if r := st.raw[link]; r != nil && r.para.num.hasID {
		if in := n.instances[r.para.num.id]; in != nil {
			if a := n.abstracts[in.abstract]; a != nil && a.link == "" {
				return a
			}
		}
	}
	if id, ok := n.links[link]; ok {
		if a := n.abstracts[id]; a != nil && a.link == "" {
			return a
		}
	}
	return nil
}

// at gives a level with the changes of the instance.
func (l list) at(i int) level {
	o := l.overrides[i]
	lv := l.levels[i]
	if o.level.set {
		lv = o.level
	}
	if o.hasStart {
		lv.start = o.start
	}
	return lv
}

// levelOf gives the level of a list that a style takes: the level that names
// it or one of those that it is based on (17.9.23), else the style's own.
func (l list) levelOf(s *style) (int, bool) {
	for _, id := range s.chain {
		for i := range levels {
			if l.at(i).style == id {
				return i, true
			}
		}
	}
	return s.para.num.level, s.para.num.hasLevel
}

// bullet says that a level shows a sign and no number.
func (l level) bullet() bool {
	if l.format == "bullet" {
		return true
	}
	if strings.Contains(l.text, "%") {
		return false
	}
	return l.text != "" && !strings.ContainsFunc(l.text, wordRune)
}
