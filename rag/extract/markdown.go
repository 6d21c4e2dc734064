package extract

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"passage/rag"
	"passage/rag/extract/counted"
)

// markdown reads clean Markdown: goldmark finds the blocks (no inline markup
// is parsed, it stays in the text), the builder gives them their spans.
func markdown(name string, src []byte) (rag.Extraction, error) {
	x := rag.Extraction{Extractor: MarkdownID, Text: string(src)}
	base := 0
	f, err := frontMatter(src)
	switch {
	case err == nil:
		base = nextLine(src, f.block.Span.End)
		x.Meta = f.meta
		x.Title = f.meta["title"]
		if f.warning != "" {
			x.Warnings = append(x.Warnings, f.warning)
		}
	case !errors.Is(err, errNoFront):
		return x, fmt.Errorf("read the front matter of %s: %w", name, err)
	}

	// goldmark counts columns from the start of what it is given, so that it
	// gets the text behind the front matter and the spans are moved after.
	blocks, b := parseBlocks(src[base:], x.Text[base:], strings.HasSuffix(strings.ToLower(name), ".mdx"))
	if b.blocks >= MaxBlocks {
		return x, tooLarge(name, "headings, paragraphs, items and rows", MaxBlocks)
	}
	if base > 0 {
		shift(blocks, base)
		blocks = append([]rag.Block{f.block}, blocks...)
	}
	x.Blocks = blocks
	if x.Title == "" {
		x.Title = firstTitle(x.Text, blocks)
	}
	for _, w := range b.warnings {
		line := lineNumber(src, base+w.at)
		x.Warnings = append(x.Warnings, fmt.Sprintf(w.format, line))
	}
	return x, nil
}

// parseBlocks makes the tree of Markdown without front matter. text holds the
// same bytes as src; mdx says that JavaScript may stand in it.
func parseBlocks(src []byte, txt string, mdx bool) ([]rag.Block, *builder) {
	st := &state{fences: containerFences(src), mdx: mdx}
	pc := parser.NewContext()
	pc.Set(stateKey, st)
	root := blockParser().Parse(text.NewReader(src), parser.WithContext(pc))
	b := &builder{src: src, text: txt}
	blocks := b.build(root)
	b.blocks = max(b.blocks, st.blocks)
	b.warnings = append(st.warnings, b.warnings...)
	return blocks, b
}

// warning is a sentence for the admin with a place for a line number.
type warning struct {
	at     int // offset in that line
	format string
}

// stateKey finds the state of one run among goldmark's context values.
var stateKey = parser.NewContextKey()

// state is what the block parsers of one run share.
type state struct {
	blocks   int         // opened
	closed   ast.Node    // the last paragraph whose parser closed it
	mdx      bool        // statements of MDX may stand between the blocks
	deep     bool        // the warning about depth was given
	fences   map[int]int // offset of the colons that open a ::: container → of those that close it
	warnings []warning
}

func stateOf(pc parser.Context) *state {
	st, _ := pc.Get(stateKey).(*state)
	return st
}

// blockParser is goldmark's parser with block parsers only; it keeps nothing
// between runs and may be used by many at once.
var blockParser = sync.OnceValue(func() parser.Parser {
	inner := append(parser.DefaultBlockParsers(),
		util.Prioritized(footnoteParser{}, 650),
		util.Prioritized(admonitionParser{}, 651),
		util.Prioritized(containerParser{}, 652),
		util.Prioritized(definitionParser{}, 653),
	)
	guarded := make([]util.PrioritizedValue, len(inner))
	for i, v := range inner {
		bp, _ := v.Value.(parser.BlockParser)
		guarded[i] = util.Prioritized(guard{bp, v.Priority == paragraphPriority}, v.Priority)
	}
	guarded = append(guarded, util.Prioritized(countedGuard{guard{BlockParser: counted.Parser{}}}, counted.Priority))
	return parser.NewParser(
		parser.WithBlockParsers(guarded...),
		parser.WithParagraphTransformers(
			util.Prioritized(mdxTransformer{}, 90),
			util.Prioritized(referenceTransformer{}, 100),
			util.Prioritized(tableTransformer{}, 200),
			util.Prioritized(rawTransformer{}, 300),
		),
	)
})

// guard stands before each block parser. It keeps the limits on blocks and
// depth, and it corrects the position that goldmark notes for a block whose
// line begins inside a tab: it counts the columns left of the tab as bytes.
type guard struct {
	parser.BlockParser

	prose bool // the parser of paragraphs, which takes what no other may
}

// paragraphPriority is that of the parser of paragraphs among goldmark's.
const paragraphPriority = 1000

func (g guard) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	st := stateOf(pc)
	if st.blocks >= MaxBlocks {
		return nil, parser.NoChildren // ends the run: no parser takes the line
	}
	if !g.prose && !isList(parent) && st.tooDeep(parent, r, pc) {
		return nil, parser.NoChildren
	}
	_, seg := r.PeekLine()
	node, s := g.BlockParser.Open(parent, r, pc)
	if node == nil {
		return nil, s
	}
	st.blocks++
	if seg.Padding > 0 {
		pc.SetBlockOffset(pc.BlockOffset() - seg.Padding)
	}
	return node, s
}

// countedGuard is the guard of a parser that is asked at nearly every line and
// seldom has anything to say. What it would open beyond the limit of depth is
// left to the paragraphs.
type countedGuard struct{ guard }

func (g countedGuard) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if !counted.Looks(r, pc) || !isList(parent) && depthOf(parent) >= maxDepth {
		return nil, parser.NoChildren
	}
	return g.guard.Open(parent, r, pc)
}

func isList(n ast.Node) bool {
	return n.Kind() == ast.KindList || n.Kind() == counted.KindList
}

func depthOf(n ast.Node) int {
	depth := 0
	for ; n != nil; n = n.Parent() {
		depth++
	}
	return depth
}

// Close notes a paragraph for rawTransformer.
func (g guard) Close(n ast.Node, r text.Reader, pc parser.Context) {
	if ast.IsParagraph(n) {
		stateOf(pc).closed = n
	}
	g.BlockParser.Close(n, r, pc)
}

// tooDeep says that parent stands at the limit of depth, where only
// paragraphs and fences are read.
func (st *state) tooDeep(parent ast.Node, r text.Reader, pc parser.Context) bool {
	line, seg := r.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || at >= len(line) || !opensContainer(line[at]) || depthOf(parent) < maxDepth {
		return false
	}
	if !st.deep {
		st.deep = true
		st.warnings = append(st.warnings, warning{
			seg.Start,
			"The text is nested too deep in line %d; deeper list and quote marks are read as text.",
		})
	}
	return true
}

// opensContainer says that a block with blocks inside can begin with c.
func opensContainer(c byte) bool {
	switch c {
	case '-', '+', '*', '>', '[', '!', '?', '=', ':':
		return true
	}
	return isDigit(c)
}

// shift moves every span by n bytes.
func shift(blocks []rag.Block, n int) {
	for i := range blocks {
		b := &blocks[i]
		b.Span.Start += n
		b.Span.End += n
		b.Content.Start += n
		b.Content.End += n
		shift(b.Children, n)
	}
}

// firstTitle is the words of the first heading of level 1, at the top level
// of the document.
func firstTitle(text string, blocks []rag.Block) string {
	for i := range blocks {
		if b := &blocks[i]; b.Kind == rag.BlockHeading && b.Level == 1 {
			if t := PlainText(b.Content.In(text)); t != "" {
				return t
			}
		}
	}
	return ""
}

// lineNumber counts from 1.
func lineNumber(src []byte, at int) int {
	n := 1
	for _, c := range src[:at] {
		if c == '\n' {
			n++
		}
	}
	return n
}
