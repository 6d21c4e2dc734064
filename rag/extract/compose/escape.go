package compose

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape writes plain words, with a backslash before what would be read as
// markup there. The ends of the words may touch marks, so that signs there
// are escaped when in doubt. Inside of marks no brackets are left bare; more
// says that something follows on the line.
func (l *line) escape(s string, in setting, marked, more bool) {
	for i := 0; i < len(s); {
		c := s[i]
		n := 1
		switch c {
		case '\\':
			if i+1 == len(s) || isPunctuation(s[i+1]) {
				l.out = append(l.out, '\\')
			}
		case '`':
			l.out = append(l.out, '\\')
		case '|':
			if in == inCell {
				l.out = append(l.out, '\\')
			}
		case '*', '_', '~':
			for i+n < len(s) && s[i+n] == c {
				n++
			}
			l.signs(s, i, n)
			i += n
			continue
		case '[':
			if marked || i+1 == len(s) || s[i+1] == '^' {
				l.out = append(l.out, '\\')
			}
		case ']':
			if marked || i+1 == len(s) && more || i+1 < len(s) && (s[i+1] == '(' || s[i+1] == '[') {
				l.out = append(l.out, '\\')
			}
		case '<':
			if opensTag(s[i:]) {
				l.out = append(l.out, '\\')
			}
		case '&':
			if isEntity(s[i:]) {
				l.out = append(l.out, '\\')
			}
		case 'h', 'H':
			if n = address(s[i:]); n > 0 && (i == 0 || s[i-1] != '\\' && !isWordByte(s[i-1])) && !marked && l.address(s[i:i+n], in) {
				i += n
				continue
			}
			n = 1
		}
		l.out = append(l.out, s[i:i+n]...)
		i += n
	}
}

// signs writes a run of n asterisks, underlines or tildes at i, escaped
// unless it cannot open or close anything.
func (l *line) signs(s string, i, n int) {
	bare := false
	if i > 0 && i+n < len(s) {
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+n:])
		bare = before == ' ' && after == ' ' || s[i] == '_' && isWord(before) && isWord(after)
	}
	if s[i] == '~' && n == 1 && i > 0 && i+1 < len(s) {
		bare = true
	}
	for k := range n {
		if !bare {
			l.out = append(l.out, '\\')
		}
		l.out = append(l.out, s[i+k])
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isWordByte(c byte) bool { return c >= 0x80 || isWord(rune(c)) }

func isPunctuation(c byte) bool { return c > ' ' && c < 0x7F && !isWord(rune(c)) }

// bang keeps an exclamation mark before a link from making an image of it.
func (l *line) bang() {
	if n := len(l.out); n > 0 && l.out[n-1] == '!' {
		l.out = append(l.out[:n-1], "\\!"...)
	}
}

// isEntity says that s begins with what is, or with the words behind it may
// be, read as a character reference.
func isEntity(s string) bool {
	end := 1
	for end < len(s) && (s[end] == '#' || isLetter(rune(s[end])) || isDigit(rune(s[end]))) {
		end++
	}
	return end == len(s) || end > 1 && s[end] == ';' && html.UnescapeString(s[:end+1]) != s[:end+1]
}

// opensTag says that the "<" at the start of s must be escaped: something
// follows that is or may be read as a tag, a comment or an address. What is
// left are comparisons and names that a reader has to fill in, <cluster-name>.
func opensTag(s string) bool {
	if len(s) == 1 {
		return true
	}
	c := s[1]
	if !isLetter(rune(c)) { // the name of an address of mail may begin with nearly anything
		inner, _, _ := strings.Cut(s[:min(len(s), 200)], ">")
		return c == '/' || c == '!' || c == '?' || c == '<' || c != ' ' && strings.Contains(inner, "@")
	}
	const longest = 60
	shut := strings.IndexByte(s[:min(len(s), longest)], '>')
	if shut < 0 {
		return true
	}
	name, rest, _ := strings.Cut(s[1:shut], " ")
	for i := range len(name) {
		if c := name[i]; c >= 0x80 || !isWord(rune(c)) && c != '-' && (c != '_' || rest != "" || i == 0 || i+1 == len(name)) {
			return true
		}
	}
	if strings.Contains(name, "__") {
		return true
	}
	for i := range len(rest) {
		if c := rest[i]; c >= 0x80 || !isWord(rune(c)) && c != '-' && c != ' ' {
			return true
		}
	}
	return IsElement(name)
}

// IsElement knows the elements of HTML that are written in Markdown, in capitals or
// not, and that its readers take away. Other names in angle brackets are what
// whoever follows the text has to fill in.
func IsElement(name string) bool {
	switch strings.ToLower(name) {
	case "a", "abbr", "b", "big", "br", "center", "cite", "code", "del", "details", "dfn", "div", "em", "font",
		"h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s",
		"samp", "small", "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead",
		"tr", "tt", "u", "ul", "var", "wbr":
		return true
	}
	return false
}

// address is the length of the web address that s begins with, 0 for none.
func address(s string) int {
	rest := s
	for _, scheme := range []string{"https://", "http://"} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			rest = s[len(scheme):]
			break
		}
	}
	if len(rest) == len(s) {
		return 0
	}
	end := strings.IndexFunc(rest, func(r rune) bool {
		return r <= ' ' || r >= 0x80 || strings.ContainsRune("<>\"`|\\", r)
	})
	if end < 0 {
		end = len(rest)
	}
	return len(s) - len(rest) + len(strings.TrimRight(rest[:end], ".,;:!?'*()[]"))
}

// address writes a web address that holds signs of emphasis between angle
// brackets, where they need no backslash, which would be read as a part of
// it. False: there are none.
func (l *line) address(s string, in setting) bool {
	const longest = 900
	if !strings.ContainsAny(s, "*_~[]") || strings.Contains(s, "](") || len(s) > longest || in == inCell && strings.IndexByte(s, '|') >= 0 || html.UnescapeString(s) != s {
		return false
	}
	l.out = append(l.out, '<')
	l.out = append(l.out, s...)
	l.out = append(l.out, '>')
	return true
}
