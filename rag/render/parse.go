package render

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"passage/rag/extract/counted"
)

// documentParser reads CommonMark with tables, strike-through, bare links and
// the lists that CommonMark cannot count.
func documentParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(blockParsers()...),
		parser.WithInlineParsers(inlineParsers()...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), tables())...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

// answerParser reads the same, with citation numbers, and without link
// reference definitions: a model that ends with "[1]: Some title" must not turn
// its own citations into links, nor lose the line.
func answerParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(blockParsers()...),
		parser.WithInlineParsers(append(inlineParsers(), util.Prioritized(citationParser{}, 150))...),
		parser.WithParagraphTransformers(tables()),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

func blockParsers() []util.PrioritizedValue {
	return append(parser.DefaultBlockParsers(), util.Prioritized(counted.Parser{}, counted.Priority))
}

func tables() util.PrioritizedValue {
	return util.Prioritized(extension.NewTableParagraphTransformer(), 200)
}

func inlineParsers() []util.PrioritizedValue {
	return append(parser.DefaultInlineParsers(),
		util.Prioritized(doubleTilde{extension.NewStrikethroughParser()}, 500),
		util.Prioritized(extension.NewLinkifyParser(), 999),
	)
}

// doubleTilde strikes out between two tildes only: "10~20 mg, then 30~40 mg"
// holds ranges, and striking one out would turn the dose around.
type doubleTilde struct{ parser.InlineParser }

func (p doubleTilde) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("~~")) {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}
