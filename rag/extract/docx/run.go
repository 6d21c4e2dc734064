package docx

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// paragraph reads a paragraph (17.3.1.22).
func (p *parser) paragraph(s *scanner, par *para) error {
	if err := p.count(); err != nil {
		return err
	}
	return s.each(func(e xml.StartElement) (err error) {
		if e.Name.Local == "pPr" && e.Name.Space != "a" {
			par.props, err = readParaProps(s)
			par.style = p.st.of(par.props.style)
			return err
		}
		return p.inline(s, par, e)
	})
}

// inline reads what can stand in a paragraph. Wrappers that it does not know
// are read through: their words are words of the document.
func (p *parser) inline(s *scanner, par *para, e xml.StartElement) error {
	through := func(e xml.StartElement) error { return p.inline(s, par, e) }
	if e.Name.Space == "m" {
		switch e.Name.Local {
		case "oMath", "oMathPara":
			math, err := p.math(s)
			p.words(par, math, p.st.look(par.style, runProps{}))
			return err
		}
	}
	switch e.Name.Local {
	case "r":
		return p.run(s, par)
	case "del", "moveFrom":
		p.deleted++
		return nil
	case "rPr", "sdtPr", "sdtEndPr", "smartTagPr", "customXmlPr", "pPr":
		return nil
	case "hyperlink":
		outer := p.link
		address := ""
		if r, ok := p.rels[rel(e, "id")]; ok && r.outside {
			address = r.target
		}
		if p.link = target(address, attr(e, "anchor")); p.link == "" {
			p.link = outer
		}
		err := s.each(through)
		p.link = outer
		return err
	case "fldSimple":
		f := &field{closed: true, result: true}
		f.instr.WriteString(attr(e, "instr"))
		f.understand()
		if outer := p.field; outer == nil || outer.depth < maxFields {
			p.field = &scope{f: f, outer: outer, depth: 1}
			if outer != nil {
				p.field.depth = outer.depth + 1
			}
			inner := p.field
			before := p.made
			err := s.each(through)
			if p.field == inner { // else the fields inside are out of balance
				p.field = outer
			}
			if p.made == before {
				p.computed(f, par, p.st.look(par.style, runProps{}))
			}
			return err
		}
	case "AlternateContent":
		return p.alternate(s, through)
	}
	return s.each(through)
}

// lineEnds in the markup are blanks: Word's own line break is an element.
var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// run reads a run (17.3.2.25).
func (p *parser) run(s *scanner, par *para) error {
	var props runProps
	l := p.st.look(par.style, props)
	var child func(e xml.StartElement) error
	child = func(e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "rPr":
			props, err = readRunProps(s)
			l = p.st.look(par.style, props)
			return err
		case "t":
			text, err := s.text()
			if attr(e, "space") != "preserve" && strings.Contains(text, "\n") { // laid out by the program that wrote it
				text = strings.TrimSpace(text)
			}
			p.words(par, lineEnds.Replace(text), l)
			return err
		case "instrText":
			text, err := s.text()
			if p.field != nil && p.field.code && p.over == 0 {
				p.field.f.instr.WriteString(text)
			}
			return err
		case "tab", "ptab":
			p.words(par, "\t", l)
		case "br", "cr":
			p.words(par, "\n", l)
		case "noBreakHyphen":
			p.words(par, "-", l)
		case "sym":
			if c, err := strconv.ParseUint(attr(e, "char"), 16, 32); err == nil {
				p.sign(par, attr(e, "font"), rune(c), l)
			}
		case "fldChar":
			return p.fieldChar(s, e, par, l)
		case "footnoteReference", "endnoteReference":
			p.reference(e, par, l)
		case "ruby":
			return p.ruby(s, par, l)
		case "drawing", "pict", "object":
			return p.graphic(s, par, l, e)
		case "AlternateContent":
			return p.alternate(s, child)
		case "delText", "delInstrText", "softHyphen", "pgNum", "annotationRef", "commentReference",
			"footnoteRef", "endnoteRef", "separator", "continuationSeparator", "lastRenderedPageBreak":
		default:
			return s.each(child)
		}
		return nil
	}
	return s.each(child)
}

// words adds text to a paragraph as it looks.
func (p *parser) words(par *para, text string, l look) {
	if !l.mono {
		text = symbols(text, l.font)
	}
	text = clean(text)
	if text == "" {
		return
	}
	p.made += len(text)
	if l.hidden {
		if !p.field.hides() {
			p.hidden.add(text)
		}
		return
	}
	if p.field == nil || !p.field.code {
		p.unread += unknown(text)
	}
	par.add(span{
		text: text, mono: l.mono, bold: l.bold, strong: l.strong, slanted: l.slanted, struck: l.strike,
		vert: l.vert, field: p.field, link: p.link,
	})
}

// sign adds a character that is named by its place in a font (17.3.3.30).
func (p *parser) sign(par *para, font string, r rune, l look) {
	c, ok := sign(font, r)
	if !ok && signFont(font) {
		c = 0xF000 + r&0xFF // counted as unread
	}
	l.font = ""
	p.words(par, string(c), l)
}

// ruby reads words with a reading above them (17.3.3.25): the words, then the
// reading in brackets.
func (p *parser) ruby(s *scanner, par *para, l look) error {
	above := &para{style: par.style}
	err := s.each(func(e xml.StartElement) error {
		into := par
		switch e.Name.Local {
		case "rt":
			into = above
		case "rubyBase":
		default:
			return nil
		}
		return s.each(func(e xml.StartElement) error { return p.inline(s, into, e) })
	})
	var sb strings.Builder
	for i := range above.spans {
		sb.WriteString(above.spans[i].text)
	}
	if sb.Len() > 0 {
		p.words(par, "("+sb.String()+")", l)
	}
	return err
}

// hiddenText says how much text was left out because its author hid it.
type hiddenText struct {
	words, places int
	first         string
}

func (h *hiddenText) add(text string) {
	n := len(strings.Fields(text))
	if n == 0 {
		return
	}
	h.words += n
	h.places++
	if len(h.first) < 60 {
		h.first += text
	}
}
