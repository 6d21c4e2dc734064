package render

import (
	"regexp"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var (
	kindCitation = ast.NewNodeKind("Citation")

	// citations is one or several numbers in square brackets. It stands before
	// the link parser, so "[2](address)" is a citation and some text.
	citations = regexp.MustCompile(`^\[\s?\d{1,3}(?:\s?[,;]\s?\d{1,3})*\s?\]`)
	digits    = regexp.MustCompile(`\d+`)
)

// citation is the text between square brackets, brackets included.
type citation struct {
	ast.BaseInline
	segment text.Segment
}

func (n *citation) Kind() ast.NodeKind { return kindCitation }

func (n *citation) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Value": string(n.segment.Value(source))}, nil)
}

type citationParser struct{}

func (citationParser) Trigger() []byte { return []byte{'['} }

func (citationParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	found := citations.Find(line)
	if found == nil {
		return nil
	}
	block.Advance(len(found))
	return &citation{segment: text.NewSegment(segment.Start, segment.Start+len(found))}
}

// citation writes "[1, 3]" with every known number as a link of its own. Inside
// a link, where no second link may stand, the numbers stay text.
func (w *writer) citation(out util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n, ok := node.(*citation)
	if !ok {
		return ast.WalkContinue, nil
	}
	value := n.segment.Value(source)
	inner, inLink := value[1:len(value)-1], insideLink(node)
	at := 0
	for _, d := range digits.FindAllIndex(inner, -1) {
		number, _ := strconv.Atoi(string(inner[d[0]:d[1]])) // at most three digits
		if at > 0 {
			_ = out.WriteByte(' ')
		}
		w.number(out, number, inLink)
		at = d[1]
	}
	return ast.WalkContinue, nil
}

func (w *writer) number(out util.BufWriter, number int, plain bool) {
	label := "[" + strconv.Itoa(number) + "]"
	c, known := w.cites[number]
	if !known || plain {
		_, _ = out.WriteString(label)
		return
	}
	_, _ = out.WriteString(`<a class="cite" href="`)
	_, _ = out.Write(util.EscapeHTML([]byte(c.Href)))
	_, _ = out.WriteString(`" aria-label="`)
	_, _ = out.Write(util.EscapeHTML([]byte(c.Label)))
	_, _ = out.WriteString(`" title="`)
	_, _ = out.Write(util.EscapeHTML([]byte(c.Label)))
	_, _ = out.WriteString(`">` + label + `</a>`)
}

func insideLink(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindLink || p.Kind() == ast.KindImage {
			return true
		}
	}
	return false
}
