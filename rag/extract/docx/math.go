package docx

import (
	"encoding/xml"
	"strings"
	"unicode/utf8"

	"passage/rag"
)

// maxEquation bounds the length of an equation in bytes: every level of it is
// written anew.
const maxEquation = 64 << 10

// math writes an equation in one line (22.1): a/b, x^2, x_i, √(x). Groups of
// more than one sign get brackets where they would else read as another
// number.
func (p *parser) math(s *scanner) (string, error) {
	var sb strings.Builder
	err := s.each(func(e xml.StartElement) error {
		text, err := p.mathElement(s, e)
		sb.WriteString(text)
		if sb.Len() > maxEquation {
			return rag.Errorf(rag.CodeTooLarge, "An equation of the document has more than %d KB. Divide it or take it out.", maxEquation>>10)
		}
		return err
	})
	p.made += sb.Len()
	return sb.String(), err
}

func (p *parser) mathElement(s *scanner, e xml.StartElement) (string, error) {
	switch e.Name.Local {
	case "t":
		text, err := s.text()
		return strings.Join(strings.Fields(clean(text)), " "), err
	case "del", "moveFrom":
		p.deleted++
		return "", nil
	case "br":
		return " ", nil
	case "f", "sSup", "sSub", "sSubSup", "sPre", "rad", "nary", "d", "limLow", "limUpp", "m", "eqArr", "acc", "bar", "func", "groupChr":
		m, err := p.mathParts(s)
		return m.write(e.Name.Local), err
	case "rPr", "ctrlPr", "argPr", "oMathParaPr":
		return "", nil
	}
	if strings.HasSuffix(e.Name.Local, "Pr") {
		return "", nil
	}
	return p.math(s)
}

// mathParts are the arguments and properties of a structure.
type mathParts struct {
	arg  map[string]string
	list []string // the arguments e, or the rows of a matrix
	prop map[string]string
}

func (p *parser) mathParts(s *scanner) (mathParts, error) {
	m := mathParts{arg: map[string]string{}, prop: map[string]string{}}
	err := s.each(func(e xml.StartElement) error {
		if strings.HasSuffix(e.Name.Local, "Pr") {
			return s.each(func(e xml.StartElement) error {
				m.prop[e.Name.Local] = attr(e, "val")
				return nil
			})
		}
		if e.Name.Local == "mr" {
			r, err := p.mathParts(s)
			m.list = append(m.list, strings.Join(r.list, ", "))
			return err
		}
		text, err := p.math(s)
		text = strings.TrimSpace(text)
		m.arg[e.Name.Local] = text
		if e.Name.Local == "e" {
			m.list = append(m.list, text)
		}
		return err
	})
	return m, err
}

func (m mathParts) write(kind string) string {
	prop := func(name, absent string) string {
		if v, ok := m.prop[name]; ok {
			return v
		}
		return absent
	}
	e := m.arg["e"]
	switch kind {
	case "f":
		if m.prop["type"] == "noBar" {
			return "(" + m.arg["num"] + " " + m.arg["den"] + ")"
		}
		return group(m.arg["num"]) + "/" + group(m.arg["den"])
	case "sSup":
		return group(e) + raised(m.arg["sup"])
	case "sSub":
		return group(e) + lowered(m.arg["sub"])
	case "sSubSup":
		return group(e) + lowered(m.arg["sub"]) + raised(m.arg["sup"])
	case "sPre":
		return lowered(m.arg["sub"]) + raised(m.arg["sup"]) + group(e)
	case "rad":
		if deg := m.arg["deg"]; deg != "" {
			return "root" + lowered(deg) + "(" + e + ")"
		}
		return "√(" + e + ")"
	case "nary":
		return prop("chr", "∫") + lowered(m.arg["sub"]) + raised(m.arg["sup"]) + " " + e
	case "d":
		return prop("begChr", "(") + strings.Join(m.list, prop("sepChr", "|")) + prop("endChr", ")")
	case "limLow":
		return e + lowered(m.arg["lim"])
	case "limUpp":
		return e + raised(m.arg["lim"])
	case "m":
		return "[" + strings.Join(m.list, "; ") + "]"
	case "eqArr":
		return strings.Join(m.list, "; ")
	case "acc":
		return e + prop("chr", "\u0302")
	case "bar":
		return e + "\u0304"
	case "func":
		if strings.HasPrefix(e, "(") {
			return m.arg["fName"] + e
		}
		return m.arg["fName"] + " " + e
	}
	return e
}

func raised(s string) string {
	if s == "" {
		return ""
	}
	return "^" + group(s)
}

func lowered(s string) string {
	if s == "" {
		return ""
	}
	return "_" + group(s)
}

// group puts brackets around what is more than one number, word or group.
func group(s string) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) < 2 || bracketed(s) {
		return s
	}
	for i, r := range s {
		if wordRune(r) || r == '.' || r == ',' || i == 0 && (r == '-' || r == '−' || r == '+') {
			continue
		}
		return "(" + s + ")"
	}
	return s
}

// bracketed says that one pair of brackets holds all of s.
func bracketed(s string) bool {
	if s[0] != '(' || s[len(s)-1] != ')' {
		return false
	}
	open := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 && i < len(s)-1 {
				return false
			}
		}
	}
	return open == 0
}
