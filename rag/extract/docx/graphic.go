package docx

import (
	"encoding/xml"
	"strings"
)

// graphic reads a drawing, a VML picture or an embedded object: the words of
// its text boxes stand behind the paragraph, its description stands for the
// picture.
func (p *parser) graphic(s *scanner, par *para, l look, root xml.StartElement) error {
	var child func(e xml.StartElement) error
	child = func(e xml.StartElement) error {
		switch e.Name.Local {
		case "docPr", "cNvPr":
			if !truth(attr(e, "hidden"), false) {
				p.picture(par, attr(e, "descr"), l)
			}
		case "shape", "rect", "imagedata":
			if e.Name.Space == "v" {
				p.picture(par, attr(e, "alt"), l)
			}
		case "textpath": // words drawn as a picture
			p.words(par, attr(e, "string"), l)
		case "txbxContent":
			return p.aside(func() error { return p.blockNodes(s, &par.after) })
		case "p":
			if e.Name.Space == "a" {
				return p.drawnText(s, par)
			}
		case "chart":
			if e.Name.Space == "c" {
				p.charts++
			}
		case "relIds":
			if r, ok := p.rels[rel(e, "dm")]; ok && !r.outside && e.Name.Space == "dgm" {
				return p.diagram(r.target, par)
			}
		case "OLEObject":
			p.objects++
		case "AlternateContent":
			return p.alternate(s, child)
		}
		return s.each(child)
	}
	if root.Name.Local == "object" {
		p.made++ // also when it shows nothing
	}
	return s.each(child)
}

// aside reads a story of its own inside of a paragraph: fields and links
// around the paragraph do not reach into it.
func (p *parser) aside(read func() error) error {
	field, over, link := p.field, p.over, p.link
	p.field, p.over, p.link = nil, 0, ""
	err := read()
	p.field, p.over, p.link = field, over, link
	return err
}

// picture adds the description of a picture, once.
func (p *parser) picture(par *para, alt string, l look) {
	alt = strings.Join(strings.Fields(clean(alt)), " ")
	for _, by := range []string{ // how Word marks descriptions that it wrote itself
		"Description automatically generated with medium confidence", "Description automatically generated with low confidence",
		"Description automatically generated", "AI-generated content may be incorrect.",
	} {
		alt = strings.TrimSpace(strings.TrimSuffix(alt, by))
	}
	if alt == "" || l.hidden {
		return
	}
	if n := len(par.spans); n > 0 && par.spans[n-1].picture && par.spans[n-1].text == alt {
		return
	}
	p.made += len(alt)
	par.add(span{text: alt, picture: true, field: p.field})
}

// drawnText reads a paragraph of DrawingML (21.1.2.2.6), as shapes that are
// not Word's own hold it.
func (p *parser) drawnText(s *scanner, par *para) error {
	if err := p.count(); err != nil {
		return err
	}
	out := &para{style: p.st.of("")}
	err := p.aside(func() error {
		var child func(e xml.StartElement) error
		child = func(e xml.StartElement) error {
			switch e.Name.Local {
			case "t":
				text, err := s.text()
				p.words(out, text, look{})
				return err
			case "br":
				p.words(out, "\n", look{})
				return nil
			}
			return s.each(child)
		}
		return s.each(child)
	})
	if len(out.spans) > 0 {
		par.after = append(par.after, node{para: out})
	}
	return err
}

// diagram reads the words of a SmartArt drawing, which stand in a part of
// their own (21.4).
func (p *parser) diagram(part string, par *para) error {
	err := p.a.scan(part, func(s *scanner, _ xml.StartElement) error {
		var child func(e xml.StartElement) error
		child = func(e xml.StartElement) error {
			if e.Name.Local == "p" && e.Name.Space == "a" {
				return p.drawnText(s, par)
			}
			return s.each(child)
		}
		return s.each(child)
	})
	return err
}
