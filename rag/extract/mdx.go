package extract

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"passage/rag"
)

// The statements of MDX (mdxjs.com) that stand between paragraphs: they load
// and name components and say nothing to a reader. Only a whole import is sure
// enough to be looked for in every Markdown file, as Docusaurus reads those as
// MDX too.
var (
	mdxImport = regexp.MustCompile(`^(?:import\s+(?:[\w*$][\w*$\s,]*|(?:[\w$]+\s*,\s*)?\{[\w$\s,]*\})\s*from\s*['"][^'"\n]+['"];?\s*|import\s+['"][^'"\n]+['"];?\s*)+$`)
	mdxExport = regexp.MustCompile(`^export\s+(?:(?:const|let|var|type|interface|class|(?:async\s+)?function\*?)\s+[\w$]+\s*[=({:<]|default\s|\{|\*\s*from)`)
)

// mdxTransformer keeps such statements, and comments, as blocks that are not
// searched.
type mdxTransformer struct{}

func (mdxTransformer) Transform(p *ast.Paragraph, r text.Reader, pc parser.Context) {
	src, lines := r.Source(), p.Lines()
	first := segment(src, lines, 0)
	if len(first) < 4 || p.Parent().Kind() != ast.KindDocument || first[0] != 'i' && first[0] != 'e' && first[0] != '{' {
		return
	}
	words := src[lines.At(0).Start:lines.At(lines.Len()-1).Stop]
	switch mdx := stateOf(pc).mdx; {
	case bytes.HasPrefix(first, []byte("import ")) && (mdxImport.Match(words) || mdx && importsAndExports(words)):
	case bytes.HasPrefix(first, []byte("export ")) && mdx && mdxExport.Match(words):
	case bytes.HasPrefix(first, []byte("{/*")) && bytes.HasSuffix(trimRight(words), []byte("*/}")) && bytes.Count(words, []byte("*/")) == 1:
	default:
		return
	}
	meta := &node{kind: rag.BlockMeta}
	meta.SetLines(lines)
	meta.SetPos(lines.At(0).Start)
	p.Parent().ReplaceChild(p.Parent(), p, meta)
}

// importsAndExports says that exports follow imports without a blank line.
func importsAndExports(words []byte) bool {
	i := bytes.Index(words, []byte("\nexport "))
	return i > 0 && mdxImport.Match(words[:i+1]) && mdxExport.Match(words[i+1:])
}
