package docx

import (
	"regexp"
	"strconv"
	"strings"
)

// Authors also type their numbers. Such a paragraph is an item when the number
// counts: the next one stands below it, typed in the same way. A number that
// stands alone may be anything and stays in the words.

var typedMark = regexp.MustCompile(`^[ \t\x{a0}]*(\(?)(\d{1,3}|[a-zA-Z])([.)])[ \t\x{a0}]+`)

// typedDots are signs that are nothing but bullets.
const typedDots = "•●▪‣◦∙·○■➢➤"

// farthest is how many paragraphs and tables may stand between two typed
// numbers of one list.
const farthest = 8

type typed struct {
	at     int // index of the node
	first  int // that of the first item of its list
	n      int
	kind   string // how it is typed: "(1)", "1.", "a)"
	label  string
	length int // bytes of the label and the blanks around it
}

// readTyped reads the number or bullet that a paragraph begins with.
func readTyped(p *para) (t typed, ok bool) {
	if p.marked || p.bold || p.empty() {
		return t, false
	}
	if r := p.role(); r != roleText && r != roleList {
		return t, false
	}
	if _, head := p.heading(); head || isCode(p) {
		return t, false
	}
	start := p.beginning()
	if m := typedMark.FindStringSubmatch(start); m != nil {
		t = typed{label: m[1] + m[2] + m[3], length: len(m[0])}
		switch n, err := strconv.Atoi(m[2]); {
		case err == nil:
			t.n, t.kind = n, m[1]+"1"+m[3]
		case m[2][0] >= 'a':
			t.n, t.kind = int(m[2][0]-'a')+1, m[1]+"a"+m[3]
		default:
			t.n, t.kind = int(m[2][0]-'A')+1, m[1]+"A"+m[3]
		}
		return t, true
	}
	words := strings.TrimLeft(start, " \t\u00a0")
	for _, dot := range typedDots {
		if rest, found := strings.CutPrefix(words, string(dot)); found {
			after := strings.TrimLeft(rest, " \t\u00a0")
			if len(after) < len(rest) && after != "" {
				return typed{kind: string(dot), length: len(start) - len(after)}, true
			}
		}
	}
	return t, false
}

// beginning is the text that a paragraph begins with, up to its first sign of
// another sort.
func (p *para) beginning() string {
	var sb strings.Builder
	for i := 0; i < len(p.spans) && sb.Len() < 32; i++ {
		s := &p.spans[i]
		if s.picture || s.mark != "" || s.vert == vertSuper || s.vert == vertSub {
			break
		}
		sb.WriteString(s.text[:min(len(s.text), 64)])
		if len(s.text) > 64 {
			break
		}
	}
	return sb.String()
}

// findTyped makes items of the paragraphs of one container whose numbers are
// typed.
func findTyped(nodes []node) {
	open := map[string]typed{} // the last number of a kind
	dots := map[string]int{}   // the first item of a kind of bullet
	taken := map[int]bool{}
	for i := range nodes {
		p := nodes[i].para
		if p == nil {
			continue
		}
		if _, head := p.heading(); head && !p.empty() {
			clear(open)
			continue
		}
		t, ok := readTyped(p)
		if !ok {
			continue
		}
		t.at, t.first = i, i
		if t.n == 0 && t.label == "" { // a bullet
			if first, there := dots[t.kind]; there {
				t.first = first
			}
			dots[t.kind] = t.first
			p.take(t)
			continue
		}
		if last, there := open[t.kind]; there && t.n == last.n+1 && i-last.at <= farthest+1 {
			if !taken[last.at] {
				nodes[last.at].para.take(last)
			}
			t.first = last.first
			p.take(t)
			taken[i] = true
		}
		open[t.kind] = t
	}
}

// take makes an item of a paragraph. What was its label is no longer one of its
// words.
func (p *para) take(t typed) {
	left := p.leftEdge()
	p.marked = true
	p.mark = mark{label: t.label, ordered: t.label != "", shown: true, left: left, list: -1 - t.first} // no definition of the file has a number below zero
	if strings.ContainsAny(t.kind, "aA") {
		p.mark.level = 1 // below numbers, where both stand at one indentation
	}
	cut := t.length
	for i := 0; i < len(p.spans) && cut > 0; i++ {
		n := min(cut, len(p.spans[i].text))
		p.spans[i].text = p.spans[i].text[n:]
		cut -= n
	}
}
