package extract

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"passage/rag"
)

// opening is a line that a block parser is asked to open a block on.
type opening struct {
	line []byte // from its first character on, without the line end
	at   int    // offset of that character
}

// openingLine gives false for a line that is blank.
func openingLine(r text.Reader, pc parser.Context) (opening, bool) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || pos >= len(line) {
		return opening{}, false
	}
	return opening{trimRight(line[pos:]), seg.Start + pos - seg.Padding}, true
}

// span is the place in the text of line[from:to], without white space around.
func (o opening) span(from, to int) rag.Span {
	from = skipBlanks(o.line, from, to)
	to = trimmedEnd(o.line, from, to)
	return rag.Span{Start: o.at + from, End: o.at + to}
}

// indented is what blocks have in common whose body is indented by four
// columns. (The form is that of Python-Markdown's extensions.)
type indented struct{}

func (indented) Continue(_ ast.Node, r text.Reader, _ parser.Context) parser.State {
	line, _ := r.PeekLine()
	if util.IsBlank(line) {
		r.AdvanceToEOL()
		return parser.Continue | parser.HasChildren
	}
	pos, padding := util.IndentPosition(line, r.LineOffset(), 4)
	if pos < 0 {
		return parser.Close
	}
	r.AdvanceAndSetPadding(pos, padding)
	return parser.Continue | parser.HasChildren
}

func (indented) Close(ast.Node, text.Reader, parser.Context) {}
func (indented) CanInterruptParagraph() bool                 { return true }
func (indented) CanAcceptIndentedLine() bool                 { return false }

// admonitionParser reads the notes of MkDocs, !!! kind "title", with ??? and
// ???+ for those that fold, and its content tabs, === "title".
type admonitionParser struct{ indented }

func (admonitionParser) Trigger() []byte { return []byte{'!', '?', '='} }

func (admonitionParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	o, ok := openingLine(r, pc)
	if !ok || len(o.line) < 4 {
		return nil, parser.NoChildren
	}
	n := &node{kind: rag.BlockNote}
	from := 3
	switch string(o.line[:3]) {
	case "!!!", "???":
		if o.line[3] == '+' && o.line[0] == '?' {
			from++
		}
		at := skipBlanks(o.line, from, len(o.line))
		end := at
		for end < len(o.line) && (isLetter(o.line[end]) || isDigit(o.line[end]) || o.line[end] == '-' || o.line[end] == '_') {
			end++
		}
		if end == at || at == from {
			return nil, parser.NoChildren
		}
		n.label = strings.ToLower(string(o.line[at:end]))
		from = end
	case "===":
		if at := skipBlanks(o.line, 3, len(o.line)); at == len(o.line) || o.line[at] != '"' {
			return nil, parser.NoChildren
		}
		n.label = "tab"
	default:
		return nil, parser.NoChildren
	}
	n.title = rag.Span{Start: o.at + len(o.line), End: o.at + len(o.line)}
	if open := bytes.IndexByte(o.line[from:], '"'); open >= 0 {
		if shut := bytes.LastIndexByte(o.line, '"'); shut > from+open {
			n.title = o.span(from+open+1, shut)
		}
	}
	r.AdvanceToEOL()
	return n, parser.NoChildren
}

// footnoteParser reads definitions of footnotes, [^name]: text.
type footnoteParser struct{ indented }

func (footnoteParser) Trigger() []byte { return []byte{'['} }

func (footnoteParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	o, ok := openingLine(r, pc)
	if !ok || !bytes.HasPrefix(o.line, []byte("[^")) {
		return nil, parser.NoChildren
	}
	shut := bytes.Index(o.line, []byte("]:"))
	if shut < 3 || bytes.ContainsAny(o.line[2:shut], "[] \t") {
		return nil, parser.NoChildren
	}
	end := o.at + len(o.line)
	n := &node{kind: rag.BlockNote, label: "footnote", title: rag.Span{Start: end, End: end}}
	if shut+2 >= len(o.line) {
		r.AdvanceToEOL()
		return n, parser.NoChildren
	}
	_, seg := r.PeekLine()
	r.Advance(o.at + shut + 2 - seg.Start + seg.Padding)
	return n, parser.HasChildren
}

// containerParser reads the notes of Docusaurus, VuePress and Pandoc, from
// :::kind to the line of colons that closes it.
type containerParser struct{ indented }

func (containerParser) Trigger() []byte { return []byte{':'} }

func (containerParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	o, ok := openingLine(r, pc)
	if !ok {
		return nil, parser.NoChildren
	}
	end, ok := stateOf(pc).fences[o.at]
	if !ok {
		return nil, parser.NoChildren
	}
	n := &node{kind: rag.BlockNote, end: end}
	n.label, n.title = containerHead(o)
	r.AdvanceToEOL()
	return n, parser.NoChildren
}

func (containerParser) Continue(n ast.Node, r text.Reader, _ parser.Context) parser.State {
	line, seg := r.PeekLine()
	c, _ := n.(*node)
	switch at := seg.Start + skipBlanks(line, 0, len(line)) - seg.Padding; {
	case at < c.end:
		return parser.Continue | parser.HasChildren
	case at == c.end:
		c.closed = true
		r.AdvanceToEOL()
	}
	return parser.Close
}

// containerHead reads the opening line of a container: :::kind Title,
// :::kind[Title]{attributes}, ::: {.kind}.
func containerHead(o opening) (label string, title rag.Span) {
	n := countByte(o.line, 0, ':')
	end := len(o.line)
	for end > n && (o.line[end-1] == ':' || isSpace(o.line[end-1])) {
		end--
	}
	at := skipBlanks(o.line, n, end)
	if at < end && o.line[at] == '{' {
		at = skipBlanks(o.line, at+1, end)
		if at < end && o.line[at] == '.' {
			at++
		}
	}
	stop := at
	for stop < end && !bytes.ContainsRune([]byte(" \t[]{}"), rune(o.line[stop])) {
		stop++
	}
	if label = strings.ToLower(string(o.line[at:stop])); label == "" {
		label = "note" // ":::{", which names none
	}
	if cut := bytes.IndexByte(o.line[stop:end], '{'); cut >= 0 {
		end = stop + cut
	}
	title = o.span(min(stop, end), end)
	if shut := bytes.IndexByte(o.line[stop:end], ']'); shut > 0 && o.line[stop] == '[' {
		title = o.span(stop+1, stop+shut)
	}
	if end > stop && o.line[stop] == '}' {
		title = o.span(end, end)
	}
	return label, title
}

// containerFences pairs the lines that open ::: containers with those that
// close them, outside code fences. A container that is never closed is left
// as text, so that it cannot swallow the sections below it.
func containerFences(src []byte) map[int]int {
	if !bytes.Contains(src, []byte(":::")) {
		return nil
	}
	type open struct{ at, colons, quotes int }
	var (
		pairs = map[int]int{}
		stack []open
		code  []byte // the fence that code in progress began with
	)
	for at := 0; at < len(src); {
		end := lineEnd(src, at)
		line := src[at:end]
		first := len(line) - len(bytes.TrimLeft(line, " \t>"))
		quotes := bytes.Count(line[:first], []byte{'>'})
		line = trimRight(line[first:])
		switch colons := countByte(line, 0, ':'); {
		case code != nil:
			if bytes.HasPrefix(line, code) && len(bytes.Trim(line, string(code[:1]))) == 0 {
				code = nil
			}
		case bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~")):
			if n := countByte(line, 0, line[0]); bytes.IndexByte(line[n:], line[0]) < 0 {
				code = line[:n]
			}
		case colons < 3:
		case colons < len(line):
			if c := bytes.TrimLeft(line[colons:], " \t")[0]; isLetter(c) || c == '{' {
				stack = append(stack, open{at + first, colons, quotes})
			}
		default:
			i := len(stack) - 1
			least := max(0, len(stack)-maxDepth)
			for i >= least && (stack[i].colons != colons || stack[i].quotes != quotes) {
				i--
			}
			if i >= least {
				pairs[stack[i].at] = at + first
				stack = stack[:i]
			}
		}
		at = end + 1
	}
	return pairs
}

// countByte counts how often c stands in a row at line[at].
func countByte(line []byte, at int, c byte) int {
	n := at
	for n < len(line) && line[n] == c {
		n++
	}
	return n - at
}
