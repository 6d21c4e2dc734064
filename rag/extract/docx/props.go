package docx

import (
	"encoding/xml"
	"strings"
)

// toggle is an on-off property that may be unset.
type toggle int8

const (
	unset toggle = iota
	yes
	no
)

func toggled(on bool) toggle {
	if on {
		return yes
	}
	return no
}

// Where characters stand in relation to the line.
const (
	vertUnset int8 = iota
	vertLine
	vertSuper
	vertSub
)

// runProps are the properties of characters that matter to us (17.3.2), as
// far as they are set at one place.
type runProps struct {
	bold, italic, strike, hidden toggle
	vert                         int8
	font                         string // of Latin text; "+" for a font of the theme
	style                        string // id of a character style
	gone                         bool   // of a paragraph's mark: a tracked deletion or move takes it away
}

// over lays p over what is inherited.
func (p runProps) over(base runProps) runProps {
	pick := func(a *toggle, b toggle) {
		if *a == unset {
			*a = b
		}
	}
	pick(&p.bold, base.bold)
	pick(&p.italic, base.italic)
	pick(&p.strike, base.strike)
	pick(&p.hidden, base.hidden)
	if p.vert == vertUnset {
		p.vert = base.vert
	}
	if p.font == "" {
		p.font = base.font
	}
	return p
}

// readRunProps reads an rPr element.
func readRunProps(s *scanner) (p runProps, err error) {
	err = s.each(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "rStyle":
			p.style = attr(e, "val")
		case "b":
			p.bold = toggled(on(e))
		case "i":
			p.italic = toggled(on(e))
		case "strike", "dstrike":
			if on(e) || p.strike == unset {
				p.strike = toggled(on(e))
			}
		case "vanish":
			p.hidden = toggled(on(e))
		case "vertAlign":
			switch attr(e, "val") {
			case "superscript":
				p.vert = vertSuper
			case "subscript":
				p.vert = vertSub
			default:
				p.vert = vertLine
			}
		case "position": // in half-points; from two points on it is meant as an exponent
			if n, ok := number(e); ok && p.vert == vertUnset {
				if n >= 4 {
					p.vert = vertSuper
				} else if n <= -4 {
					p.vert = vertSub
				}
			}
		case "rFonts":
			if p.font = attr(e, "ascii"); p.font == "" {
				p.font = attr(e, "hAnsi")
			}
			if attr(e, "asciiTheme") != "" {
				p.font = "+"
			}
		case "del", "moveFrom":
			p.gone = true
		}
		return nil
	})
	return p, err
}

// paraProps are the properties of a paragraph that matter to us (17.3.1), as
// far as they are set at one place.
type paraProps struct {
	style    string
	num      numRef
	outline  int // level from 0; 9 is body text
	left     int // indentation in twips, of the text
	hasLevel bool
	hasLeft  bool
	dropCap  bool
	mark     runProps // of the paragraph's mark
}

// numRef is a numPr element (17.3.1.19): which list, which level.
type numRef struct {
	id, level       int
	hasID, hasLevel bool
}

// over lays a reference over what is inherited; list and level are inherited
// each for itself.
func (n numRef) over(base numRef) numRef {
	if !n.hasID {
		n.id, n.hasID = base.id, base.hasID
	}
	if !n.hasLevel {
		n.level, n.hasLevel = base.level, base.hasLevel
	}
	return n
}

// readParaProps reads a pPr element.
func readParaProps(s *scanner) (p paraProps, err error) {
	err = s.each(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "pStyle":
			p.style = attr(e, "val")
		case "numPr":
			return s.each(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "numId":
					p.num.id, p.num.hasID = number(e)
				case "ilvl":
					p.num.level, p.num.hasLevel = number(e)
				}
				return nil
			})
		case "outlineLvl":
			p.outline, p.hasLevel = number(e)
		case "ind":
			p.left, p.hasLeft = indent(e)
		case "framePr":
			p.dropCap = attr(e, "dropCap") == "drop" || attr(e, "dropCap") == "margin"
		case "rPr":
			mark, err := readRunProps(s)
			p.mark = mark
			return err
		}
		return nil
	})
	return p, err
}

// indent reads the left indentation of an ind element (17.3.1.12); "start" is
// its name in strict files.
func indent(e xml.StartElement) (int, bool) {
	for _, name := range []string{"start", "left"} {
		if v := attr(e, name); v != "" {
			return twips(v)
		}
	}
	return 0, false
}

// monoFont says whether a font has letters of one width, as code is set in.
func monoFont(font string) bool {
	f := strings.ToLower(font)
	for _, name := range []string{
		"courier", "consol", "menlo", "monaco", "inconsolata", "typewriter", "terminal", "fixedsys",
		"lucida sans typewriter", "source code", "fira code", "cascadia code", "code new roman", "letter gothic", "sfmono", "hack nerd",
	} {
		if strings.Contains(f, name) {
			return true
		}
	}
	if f == "hack" || f == "iosevka" {
		return true
	}
	i := strings.Index(f, "mono") // "DejaVu Sans Mono", "JetBrainsMono", but not "Monotype Corsiva"
	return i >= 0 && !strings.HasPrefix(f[i:], "monotype")
}
