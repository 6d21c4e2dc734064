package extract

import (
	"html"
	"strings"

	"passage/rag/extract/compose"
)

// bracket closes the last open bracket: a link or an image leaves its text, a
// footnote mark nothing, anything else stays.
func (p *inlineReader) bracket() {
	p.i++
	if len(p.brackets) == 0 {
		p.out = append(p.out, ']')
		return
	}
	b := p.brackets[len(p.brackets)-1]
	open := b.at
	p.brackets = p.brackets[:len(p.brackets)-1]
	if open+1 < len(p.out) && p.out[open+1] == '^' {
		p.out = p.out[:open]
		p.forget(open)
		return
	}
	end, ok := p.target()
	if !ok {
		p.out = append(p.out, ']')
		return
	}
	p.i = end
	p.erase(open, 1)
	if b.image {
		p.erase(open-1, 1)
	}
}

// forget drops the open marks that stood at or behind a place in out.
func (p *inlineReader) forget(at int) {
	for k := range p.runs {
		r := p.runs[k]
		for len(r) > 0 && r[len(r)-1].at >= at {
			r = r[:len(r)-1]
		}
		p.runs[k] = r
	}
}

// maxTarget is how far the end of a link's target is looked for.
const maxTarget = 1000

// target finds the end of (target "title") or [label] at i.
func (p *inlineReader) target() (end int, ok bool) {
	if p.i == len(p.s) {
		return 0, false
	}
	rest := p.s[p.i:min(len(p.s), p.i+maxTarget)]
	switch rest[0] {
	case '[':
		if shut := strings.IndexAny(rest[1:], "[]"); shut >= 0 && rest[1+shut] == ']' {
			return p.i + shut + 2, true
		}
	case '(':
		depth := 0
		quote := byte(0)
		for k := range len(rest) {
			switch c := rest[k]; {
			case k > 0 && rest[k-1] == '\\':
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' && k > 1 && isSpace(rest[k-1]):
				quote = c
			case c == '(':
				depth++
			case c == ')':
				depth--
				if depth == 0 {
					return p.i + k + 1, true
				}
			}
		}
	}
	return 0, false
}

// isMail says that what stands between angle brackets is an address of mail
// (CommonMark 0.31.2, section 6.5): a name, and a domain of letters, digits,
// hyphens and dots.
func isMail(s string) bool {
	_, domain, ok := strings.Cut(s, "@")
	return ok && domain != "" && strings.IndexFunc(domain, func(r rune) bool {
		return r != '.' && r != '-' && (r >= 0x80 || !isLetter(byte(r)) && !isDigit(byte(r)))
	}) < 0
}

// angle takes away known HTML elements and comments and the brackets around
// an address.
func (p *inlineReader) angle() {
	rest := p.s[p.i:min(len(p.s), p.i+maxTarget)]
	if strings.HasPrefix(rest, "<!--") {
		if shut := strings.Index(rest, "-->"); shut >= 0 {
			p.i += shut + 3
			return
		}
	}
	shut := strings.IndexByte(rest, '>')
	if shut > 1 {
		inner := rest[1:shut]
		name := strings.TrimPrefix(inner, "/")
		end := 0
		for end < len(name) && (isLetter(name[end]) || isDigit(name[end])) {
			end++
		}
		address := (isLetter(inner[0]) || isDigit(inner[0])) && !strings.ContainsAny(inner, " \t\n<") &&
			!strings.Contains(inner, "](") && (strings.Contains(inner, "://") || isMail(inner))
		switch {
		case address:
			p.out = append(p.out, inner...)
			p.i += shut + 1
			return
		case end > 0 && (end == len(name) || name[end] == ' ' || name[end] == '/' || name[end] == '\n') && compose.IsElement(name[:end]):
			if strings.EqualFold(name[:end], "br") {
				p.out = append(p.out, ' ')
			}
			p.i += shut + 1
			return
		}
	}
	p.out = append(p.out, '<')
	p.i++
}

// entity decodes one character reference.
func (p *inlineReader) entity() {
	const longest = 33
	end := p.i + 1
	for end < len(p.s) && end-p.i < longest && (p.s[end] == '#' || isLetter(p.s[end]) || isDigit(p.s[end])) {
		end++
	}
	if end > p.i+1 && end < len(p.s) && p.s[end] == ';' {
		name := p.s[p.i : end+1]
		// Of a longer word that begins with a name, a part would be left.
		if s := html.UnescapeString(name); s != name && (s == ";" || !strings.HasSuffix(s, ";")) {
			p.out = append(p.out, s...)
			p.i = end + 1
			return
		}
	}
	p.out = append(p.out, '&')
	p.i++
}
