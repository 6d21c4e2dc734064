package compose

import (
	"strings"

	"passage/rag/extract/counted"
)

// guardStart escapes the start of a line that would be read as the mark of
// another block. Of the markers of lists that CommonMark does not know only
// those that an item begins with are escaped: paragraphs that count, "(a)",
// "(b)", are meant as a list.
func (l *line) guardStart(item bool) {
	head := l.out[:min(len(l.out), 200)]
	at := startMark(string(head), len(l.out) > 200)
	if at < 0 && item {
		if m, ok := counted.Read(head); ok {
			at = strings.IndexAny(string(head[:m.Len]), "(.):-")
		}
	}
	if at >= 0 {
		l.insert(at)
	}
}

// insert puts a backslash before the character at an offset.
func (l *line) insert(at int) {
	l.out = append(l.out, 0)
	copy(l.out[at+1:], l.out[at:])
	l.out[at] = '\\'
	for i := range l.pages {
		if l.pages[i].at > at {
			l.pages[i].at++
		}
	}
}

// startMark is the offset of the character to be escaped in a line, -1 for
// none. The line may go on behind s.
func startMark(s string, more bool) int {
	if words := strings.TrimSpace(s); words != "" && onlySigns(words) {
		return strings.Index(s, words)
	}
	c := s[0]
	n := 1
	for n < len(s) && s[n] == c {
		n++
	}
	ends := n == len(s) && !more
	spaced := ends || n < len(s) && s[n] == ' '
	switch c {
	case '#':
		if n <= 6 && spaced {
			return 0
		}
	case '-', '+':
		if spaced || n >= 3 {
			return 0
		}
	case '*', '_', '~': // escaped already unless blanks or words stand on both sides
	case '=':
		if strings.HasPrefix(s, "===") {
			return 0
		}
	case '>':
		return 0
	case '!', '?':
		if n == 3 {
			return 0
		}
	case ':', '|':
		if n >= 3 || c == ':' && n == 1 && spaced { // a container; a definition
			return 0
		}
	case '{':
		if strings.HasPrefix(s, "{/*") {
			return 0
		}
	case 'i':
		if strings.HasPrefix(s, "import ") { // of MDX, when the name of a file follows
			return strings.IndexAny(s, "'\"")
		}
	case '<':
		if len(s) > 1 && !strings.HasPrefix(s, "<http") && (isLetter(rune(s[1])) || strings.IndexByte("/!?", s[1]) >= 0) {
			return 0
		}
	case '[':
		return bracketMark(s)
	default:
		return numberMark(s, more)
	}
	return -1
}

// onlySigns says that a line holds nothing but what makes rules and the line
// below a table's header.
func onlySigns(s string) bool { return strings.Trim(s, "-=|: +") == "" }

// bracketMark keeps a line from being a link reference definition, a footnote
// or the head of a note.
func bracketMark(s string) int {
	shut := strings.IndexByte(s, ']')
	for shut > 0 && s[shut-1] == '\\' {
		next := strings.IndexByte(s[shut+1:], ']')
		if next < 0 {
			return 0
		}
		shut += 1 + next
	}
	if shut < 0 || strings.HasPrefix(s, "[!") || shut+1 < len(s) && s[shut+1] == ':' {
		return 0
	}
	return -1
}

// numberMark escapes the sign behind a number that would begin a list.
func numberMark(s string, more bool) int {
	d := digits(s)
	if d == 0 || d > maxDigits || d == len(s) || s[d] != '.' && s[d] != ')' {
		return -1
	}
	if d+1 < len(s) && s[d+1] != ' ' || d+1 == len(s) && more {
		return -1
	}
	return d
}

// guardHeading keeps words that end a heading from being read as marks: the
// hashes of "C #" and what looks like attributes, "{#name}".
func (l *line) guardHeading() {
	s := strings.TrimRight(string(l.out), " ")
	if strings.HasSuffix(s, "}") {
		if open := strings.LastIndexByte(s, '{'); open >= 0 && open+1 < len(s) && strings.IndexByte("#:.", s[open+1]) >= 0 {
			l.insert(open + 1)
		}
	}
	if at := len(strings.TrimRight(s, "#")); at < len(s) && (at == 0 || s[at-1] == ' ') {
		l.insert(at)
	}
}
