package docx

import (
	"encoding/xml"

	"passage/rag"
)

// parser makes paragraphs and tables of the parts that hold text, in the
// order of the text, without a judgement of their places in lists.
type parser struct {
	a    *archive
	st   *styles
	rels map[string]relation // of the part that is being read

	field *scope // where the text stands, nil outside of fields
	over  int    // fields open that are nested too deeply to be followed
	link  string // of the hyperlink element around the text

	made   int // bytes of words and number of signs so far, to see what a branch gave
	blocks int // paragraphs and rows so far
	cells  int // of tables so far
	notes  noteMarks

	hidden    hiddenText
	deleted   int // tracked deletions and moves left out
	charts    int
	objects   int // embedded files
	uncounted int // fields whose number only Word computes
	unread    int // signs of fonts that are not known
}

func (p *parser) count() error {
	if p.blocks++; p.blocks > p.a.most.blocks {
		return rag.Errorf(rag.CodeTooLarge,
			"The document has more than %d paragraphs and table rows. Divide it into several files.", p.a.most.blocks)
	}
	return nil
}

// blockNodes reads what can stand in a body, a cell, a text box or a note:
// paragraphs and tables, whatever they are wrapped in (17.2.2).
func (p *parser) blockNodes(s *scanner, out *[]node) error {
	return s.each(p.blockReader(s, out))
}

// blockReader reads one element of those among which blocks stand.
func (p *parser) blockReader(s *scanner, out *[]node) func(e xml.StartElement) error {
	var child func(e xml.StartElement) error
	child = func(e xml.StartElement) error {
		switch e.Name.Local {
		case "p":
			if e.Name.Space == "a" {
				return nil
			}
			par := &para{style: p.st.of("")}
			*out = append(*out, node{para: par})
			return p.paragraph(s, par)
		case "tbl":
			t, err := p.table(s)
			if err == nil && t.children > 0 {
				*out = append(*out, node{table: t})
			}
			return err
		case "r", "hyperlink", "fldSimple", "oMath", "oMathPara": // words outside of any paragraph
			par := &para{style: p.st.of("")}
			*out = append(*out, node{para: par})
			if err := p.count(); err != nil {
				return err
			}
			return p.inline(s, par, e)
		case "del", "moveFrom":
			p.deleted++
			return nil
		case "sdt":
			return p.control(s, out, child)
		case "altChunk":
			p.objects++
			return nil
		case "AlternateContent":
			return p.alternate(s, child)
		case "sectPr", "sdtPr", "sdtEndPr", "customXmlPr", "tcPr", "tblPr", "trPr":
			return nil
		}
		return s.each(child)
	}
	return child
}

// control reads a content control (17.5.2). Word puts a table of contents and
// its title into one that says so.
func (p *parser) control(s *scanner, out *[]node, child func(e xml.StartElement) error) error {
	contents := false
	var props func(e xml.StartElement) error
	props = func(e xml.StartElement) error {
		if e.Name.Local == "docPartGallery" {
			contents = attr(e, "val") == "Table of Contents"
		}
		return s.each(props)
	}
	from := len(*out)
	return s.each(func(e xml.StartElement) error {
		if e.Name.Local == "sdtPr" {
			return s.each(props)
		}
		err := child(e)
		if contents {
			for _, n := range (*out)[from:] {
				if n.para != nil {
					n.para.contents = true
				}
			}
		}
		return err
	})
}

// alternate takes one branch of an AlternateContent element (part 3, 10.2.1):
// the first that gives any words. Branches say the same thing for programs of
// different age, so that two of them would say it twice.
func (p *parser) alternate(s *scanner, child func(e xml.StartElement) error) error {
	before := p.made
	return s.each(func(e xml.StartElement) error {
		if p.made > before || e.Name.Local != "Choice" && e.Name.Local != "Fallback" {
			return nil
		}
		return s.each(child)
	})
}

// table reads a table (17.4.37).
func (p *parser) table(s *scanner) (*table, error) {
	t := &table{}
	var child func(e xml.StartElement) error
	child = func(e xml.StartElement) error {
		switch e.Name.Local {
		case "tblPr":
			return p.tableProps(s, t)
		case "tr":
			r, gone, err := p.row(s, t)
			if err == nil && !gone {
				t.rows = append(t.rows, r)
			}
			return err
		case "sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag":
			return s.each(child)
		case "AlternateContent":
			return p.alternate(s, child)
		}
		return nil
	}
	err := s.each(child)
	return t, err
}

func (p *parser) tableProps(s *scanner, t *table) error {
	apart, asked := false, false
	err := s.each(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "tblStyle":
			apart = p.st.of(attr(e, "val")).first
		case "tblInd":
			t.indent, _ = twips(attr(e, "w"))
		case "tblLook": // 17.4.55: attributes, or bits in older files
			asked = true
			if v := attr(e, "firstRow"); v != "" {
				t.look = truth(v, false)
			} else if v := attr(e, "val"); len(v) == 4 {
				t.look = v[2] >= '2' && v[2] <= '3' || v[2] >= '6' && v[2] <= '7' || v[2] >= 'A' && v[2] <= 'B' ||
					v[2] >= 'a' && v[2] <= 'b' || v[2] >= 'E' && v[2] <= 'F' || v[2] >= 'e' && v[2] <= 'f'
			}
		}
		return nil
	})
	t.look = t.look || apart && !asked
	return err
}

// row reads a row; gone says that it is a tracked deletion.
func (p *parser) row(s *scanner, t *table) (r row, gone bool, err error) {
	if err = p.count(); err != nil {
		return r, false, err
	}
	var child func(e xml.StartElement) error
	child = func(e xml.StartElement) error {
		switch e.Name.Local {
		case "trPr":
			return s.each(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "tblHeader":
					r.header = on(e)
				case "gridBefore":
					n, _ := number(e)
					r.before = min(max(n, 0), maxColumns)
				case "del":
					gone = true
					p.deleted++
				}
				return nil
			})
		case "tc":
			if gone {
				return nil
			}
			c, next, err := p.cell(s)
			if next && len(r.cells) > 0 {
				last := &r.cells[len(r.cells)-1]
				last.span = min(last.span+c.span, maxColumns)
				last.nodes = append(last.nodes, c.nodes...)
			} else {
				r.cells = append(r.cells, c)
			}
			t.children += len(c.nodes)
			return err
		case "sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag":
			return s.each(child)
		case "AlternateContent":
			return p.alternate(s, child)
		}
		return nil
	}
	err = s.each(child)
	return r, gone, err
}

// cell reads a cell; next says that it goes on with the cell to its left
// (hMerge, of older files).
func (p *parser) cell(s *scanner) (c cell, next bool, err error) {
	c.span = 1
	deleted := false
	child := func(e xml.StartElement) error {
		switch e.Name.Local {
		case "gridSpan":
			if n, ok := number(e); ok {
				c.span = min(max(n, 1), maxColumns)
			}
		case "vMerge":
			c.merged = attr(e, "val") != "restart"
		case "hMerge":
			next = attr(e, "val") != "restart"
		case "shd":
			c.shaded = true
		case "cellDel":
			deleted = true
			p.deleted++
		}
		return nil
	}
	err = p.cellNodes(s, &c.nodes, child)
	if deleted {
		c.nodes = nil
	}
	p.cells += c.span
	if err == nil && p.cells > p.a.most.cells {
		err = rag.Errorf(rag.CodeTooLarge,
			"The tables of the document have more than %d cells. Divide it into several files.", p.a.most.cells)
	}
	return c, next, err
}

// cellNodes reads the blocks of a cell and its properties in one pass.
func (p *parser) cellNodes(s *scanner, out *[]node, props func(e xml.StartElement) error) error {
	block := p.blockReader(s, out)
	return s.each(func(e xml.StartElement) error {
		if e.Name.Local == "tcPr" {
			return s.each(props)
		}
		return block(e)
	})
}
