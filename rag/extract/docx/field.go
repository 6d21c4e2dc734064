package docx

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// field is a field (17.16): an instruction, and the result that is shown.
type field struct {
	instr  strings.Builder
	kind   string // the first word of the instruction, in capitals
	href   string
	closed bool // its end was seen
	result bool // it has a result part
}

// scope is the instruction or the result of a field that words stand in. The
// end of a field may be missing in a damaged document; what is hidden by a
// field is therefore settled when the whole text was read.
type scope struct {
	f     *field
	code  bool
	outer *scope
	depth int
}

// maxFields bounds fields inside fields; further ones hide nothing.
const maxFields = 24

// hides says that words in this scope are no content: they belong to an
// instruction, or to a table of contents or an index, which only say where
// things stand.
func (s *scope) hides() bool {
	for ; s != nil; s = s.outer {
		if s.f.closed && (s.code || s.f.kind == "TOC" || s.f.kind == "INDEX") {
			return true
		}
	}
	return false
}

// address gives the target of the innermost field that links.
func (s *scope) address() string {
	for ; s != nil; s = s.outer {
		if s.f.closed && !s.code && s.f.href != "" {
			return s.f.href
		}
	}
	return ""
}

// fieldChar takes the beginning, the middle or the end of a field (17.16.18).
func (p *parser) fieldChar(s *scanner, e xml.StartElement, par *para, l look) error {
	switch attr(e, "fldCharType") {
	case "begin":
		depth := 1
		if p.field != nil {
			depth = p.field.depth + 1
		}
		if depth > maxFields {
			p.over++
			return nil
		}
		p.field = &scope{f: &field{}, code: true, outer: p.field, depth: depth}
		return s.each(func(e xml.StartElement) error { return p.checkBox(s, e, par, l) })
	case "separate":
		if p.field != nil && p.field.code && p.over == 0 {
			p.field.f.understand()
			p.field.f.result = true
			p.field = &scope{f: p.field.f, outer: p.field.outer, depth: p.field.depth}
		}
	case "end":
		switch {
		case p.over > 0:
			p.over--
		case p.field != nil:
			f := p.field.f
			f.closed = true
			p.field = p.field.outer
			if !f.result {
				f.understand()
				p.computed(f, par, l)
			}
		}
	}
	return nil
}

// checkBox shows the state of a check box of a form (17.16.7).
func (p *parser) checkBox(s *scanner, e xml.StartElement, par *para, l look) error {
	if e.Name.Local != "ffData" {
		return nil
	}
	return s.each(func(e xml.StartElement) error {
		if e.Name.Local != "checkBox" {
			return nil
		}
		checked := false
		err := s.each(func(e xml.StartElement) error {
			if e.Name.Local == "checked" || e.Name.Local == "default" && !checked {
				checked = on(e)
			}
			return nil
		})
		box := "☐"
		if checked {
			box = "☒"
		}
		outer := p.field
		if p.field != nil {
			p.field = p.field.outer
		}
		p.words(par, box, l)
		p.field = outer
		return err
	})
}

func (f *field) understand() {
	args := fieldWords(f.instr.String())
	if len(args) == 0 {
		return
	}
	f.kind = strings.ToUpper(args[0])
	if f.kind != "HYPERLINK" {
		return
	}
	place := ""
	for i := 1; i < len(args); i++ {
		switch {
		case args[i] == `\l` && i+1 < len(args):
			i++
			place = args[i]
		case args[i] == `\o` || args[i] == `\t`: // a hint, a window
			i++
		case !strings.HasPrefix(args[i], `\`) && f.href == "":
			f.href = args[i]
		}
	}
	f.href = target(f.href, place)
}

// computed gives the words of a field without a stored result: Word computes
// these whenever it shows them.
func (p *parser) computed(f *field, par *para, l look) {
	args := fieldWords(f.instr.String())
	switch f.kind {
	case "SYMBOL":
		if len(args) < 2 {
			return
		}
		n, err := strconv.ParseInt(args[1], 0, 32)
		if err != nil || n < 0x20 {
			return
		}
		font := ""
		for i := 2; i+1 < len(args); i++ {
			if args[i] == `\f` {
				font = args[i+1]
			}
		}
		p.sign(par, font, rune(n), l)
	case "EQ":
		_, eq, _ := strings.Cut(strings.TrimSpace(f.instr.String()), " ")
		p.words(par, equation(eq, 0), l)
	case "AUTONUM", "AUTONUMLGL", "AUTONUMOUT", "LISTNUM":
		p.uncounted++
	}
}

// fieldWords divides an instruction at blanks; what stands in quotes is one
// word.
func fieldWords(instr string) []string {
	var out []string
	for instr = strings.TrimLeft(instr, " \t\n"); instr != "" && len(out) < 64; instr = strings.TrimLeft(instr, " \t\n") {
		if instr[0] == '"' {
			word, rest, _ := strings.Cut(instr[1:], `"`)
			out, instr = append(out, word), rest
			continue
		}
		n := strings.IndexAny(instr, " \t\n")
		if n < 0 {
			n = len(instr)
		}
		out, instr = append(out, instr[:n]), instr[n:]
	}
	return out
}

// equation writes the instruction of an EQ field in one line: \f(a,b) is a/b,
// \s\up(n) raises, \r(2,x) is a root; of everything else the arguments stay.
func equation(eq string, depth int) string {
	var sb strings.Builder
	name := ""
	for i := 0; i < len(eq); i++ {
		switch c := eq[i]; {
		case c == '\\' && i+1 < len(eq):
			i++
			if eq[i] == '\\' || eq[i] == '(' || eq[i] == ')' || eq[i] == ',' || eq[i] == ';' {
				sb.WriteByte(eq[i])
				break
			}
			from := i
			for i+1 < len(eq) && eq[i+1] != '(' && eq[i+1] != '\\' && eq[i+1] != ' ' {
				i++
			}
			name = strings.ToLower(eq[from : i+1])
		case c == '(' && name != "" && depth < 16:
			args, length := eqArguments(eq[i:])
			for k := range args {
				args[k] = equation(args[k], depth+1)
			}
			i += length - 1
			sb.WriteString(eqJoined(name, args))
			name = ""
		case c == ' ' && name != "":
		default:
			sb.WriteByte(c)
		}
	}
	return strings.TrimSpace(sb.String())
}

func eqJoined(name string, args []string) string {
	switch {
	case name == "f" && len(args) == 2:
		return group(args[0]) + "/" + group(args[1])
	case name == "r" && len(args) == 1:
		return "√(" + args[0] + ")"
	case name == "r" && len(args) == 2:
		return args[0] + "√(" + args[1] + ")"
	case strings.HasPrefix(name, "up") && len(args) == 1:
		return "^" + group(args[0])
	case strings.HasPrefix(name, "do") && len(args) == 1:
		return "_" + group(args[0])
	case name == "b" && len(args) == 1:
		return "(" + args[0] + ")"
	}
	return strings.Join(args, " ")
}

// eqArguments divides "(a,b)…" at its own commas or semicolons, and gives the
// length up to the closing bracket.
func eqArguments(s string) (args []string, length int) {
	open, from := 0, 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return append(args, s[from:i]), i + 1
			}
		case ',', ';':
			if open == 1 {
				args, from = append(args, s[from:i]), i+1
			}
		}
	}
	return append(args, s[min(from, len(s)):]), len(s)
}

// target joins an address and a place in it, "" when it must not be linked to.
func target(address, place string) string {
	address = strings.TrimSpace(clean(address))
	if strings.ContainsAny(address, "\n\t") || len(address) > 4096 {
		return ""
	}
	scheme, _, named := strings.Cut(address, ":")
	if named && !strings.ContainsAny(scheme, "/.#?") {
		switch strings.ToLower(scheme) {
		case "http", "https", "mailto", "tel", "ftp", "sftp", "ssh":
		default:
			return ""
		}
	}
	if place = strings.TrimSpace(clean(place)); place == "" || strings.ContainsAny(place, " \n\t") {
		return address
	}
	if address == "" && strings.HasPrefix(place, "_") { // a bookmark that Word made: it names nothing in the text
		return ""
	}
	if strings.Contains(address, "#") {
		return address
	}
	return address + "#" + place
}
