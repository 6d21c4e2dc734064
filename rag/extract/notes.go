package extract

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"

	"passage/rag"
)

// quote makes a quote, or the note that it is when its first line says so. It
// reaches to its last ">", also when that stands alone.
func (b *builder) quote(n ast.Node, at, limit int) rag.Block {
	blk := rag.Block{Kind: rag.BlockQuote}
	blk.Children = b.children(n, at+1, limit)
	end := at + 1
	if k := len(blk.Children); k > 0 {
		end = blk.Children[k-1].Span.End
	}
	for next := lineEnd(b.src, end) + 1; next < limit; next = lineEnd(b.src, next) + 1 {
		line := trimRight(b.src[next:lineEnd(b.src, next)])
		if len(line) == 0 || len(bytes.Trim(line, "> \t")) > 0 {
			break
		}
		end = next + len(line)
	}
	blk.Span = rag.Span{Start: at, End: trimmedEnd(b.src, at, end)}
	blk.Content = rag.Span{Start: min(skipBlanks(b.src, at+1, len(b.src)), blk.Span.End), End: blk.Span.End}
	if len(blk.Children) > 0 {
		blk.Content.Start = min(blk.Content.Start, blk.Children[0].Span.Start)
		b.alert(&blk)
	}
	return blk
}

// alert turns a quote that begins with [!kind] (GitHub, Obsidian) or with
// nothing but a bold kind (**Warning**) into a note of that kind.
func (b *builder) alert(q *rag.Block) {
	p := &q.Children[0]
	if p.Kind != rag.BlockParagraph {
		return
	}
	end := min(lineEnd(b.src, p.Span.Start), p.Span.End)
	line := trimRight(b.src[p.Span.Start:end])
	var words int // where the title begins in the line
	switch {
	case bytes.HasPrefix(line, []byte("[!")):
		shut := bytes.IndexByte(line, ']')
		if shut < 3 || !isKey(string(line[2:shut])) {
			return
		}
		q.Label = strings.ToLower(string(line[2:shut]))
		words = shut + 1
		if words < len(line) && (line[words] == '-' || line[words] == '+') { // folded, in Obsidian
			words++
		}
	case bytes.HasPrefix(line, []byte("**")) && bytes.HasSuffix(line, []byte("**")) && len(line) > 4:
		kind := strings.ToLower(strings.TrimSuffix(string(line[2:len(line)-2]), ":"))
		switch kind {
		case "note", "tip", "important", "warning", "caution", "danger":
		default:
			return
		}
		q.Label = kind
		words = len(line)
	default:
		return
	}
	q.Kind = rag.BlockNote
	title := rag.Span{Start: p.Span.Start + words, End: p.Span.Start + len(line)}
	title.Start = skipBlanks(b.src, title.Start, title.End)
	rest := rag.Span{Start: min(end, p.Span.End), End: p.Span.End}
	for rest.Start < rest.End && (isSpace(b.src[rest.Start]) || b.src[rest.Start] == '>') {
		rest.Start++
	}
	var head []rag.Block
	for _, s := range []rag.Span{title, rest} {
		if !s.Empty() {
			head = append(head, rag.Block{Kind: rag.BlockParagraph, Span: s, Content: s})
		}
	}
	q.Children = append(head, q.Children[1:]...)
	q.Content.Start = q.Span.End
	if len(q.Children) > 0 {
		q.Content.Start = q.Children[0].Span.Start
	}
}

// note makes a note of MkDocs, Docusaurus or Pandoc, a content tab or a
// footnote.
func (b *builder) note(n *node, at, limit int) rag.Block {
	blk := rag.Block{Kind: rag.BlockNote, Label: n.label}
	head := trimmedEnd(b.src, at, lineEnd(b.src, at))
	from := head
	if n.label == "footnote" && n.title.Empty() {
		from = at + bytes.Index(b.src[at:head], []byte("]:")) + 2
	}
	if n.closed {
		limit = n.end
	}
	body := b.children(n, from, limit)
	blk.Content = rag.Span{Start: from, End: from}
	if !n.title.Empty() {
		title := rag.Block{Kind: rag.BlockParagraph, Span: n.title, Content: n.title}
		body = append([]rag.Block{title}, body...)
	}
	blk.Children = body
	blk.Span = rag.Span{Start: at, End: max(head, from)}
	if len(body) > 0 {
		blk.Content = rag.Span{Start: body[0].Span.Start, End: body[len(body)-1].Span.End}
		blk.Span.End = max(blk.Span.End, blk.Content.End)
	}
	if n.closed {
		blk.Span.End = trimmedEnd(b.src, n.end, lineEnd(b.src, n.end))
	}
	return blk
}

// html makes a block of raw HTML. A comment that nothing follows is meta, and
// a heading element alone is a heading.
func (b *builder) html(n *ast.HTMLBlock, at int) rag.Block {
	end := b.linesEnd(n, at)
	if n.HasClosure() {
		end = trimmedEnd(b.src, at, n.ClosureLine.Stop)
	}
	blk := rag.Block{Kind: rag.BlockHTML, Span: rag.Span{Start: at, End: end}}
	blk.Content = blk.Span
	words := b.src[at:end]
	switch {
	case n.HTMLBlockType == ast.HTMLBlockType2:
		shut := bytes.Index(words, []byte("-->"))
		if shut < 0 {
			b.warnings = append(b.warnings, warning{
				at,
				"The comment opened in line %d is never closed; what follows is kept as text.",
			})
		} else if onlyComments(words) {
			blk.Kind = rag.BlockMeta
		}
	case len(words) > 9 && words[1]|0x20 == 'h' && '1' <= words[2] && words[2] <= '6':
		open := bytes.IndexByte(words, '>') + 1
		shut := len(words) - len("</h1>")
		tail := bytes.ToLower(words[max(shut, 0):])
		if open > 0 && open <= shut && words[3] != '/' && string(tail) == "</h"+string(words[2])+">" &&
			bytes.Count(words, []byte("</")) == 1+bytes.Count(words[:shut], []byte("</")) &&
			bytes.IndexByte(words, '\n') < 0 {
			blk.Kind, blk.Level = rag.BlockHeading, int(words[2]-'0')
			blk.Content = rag.Span{Start: at + open, End: at + shut}
		}
	}
	return blk
}

// onlyComments says that nothing but comments stands in a block of HTML.
func onlyComments(words []byte) bool {
	for {
		words = bytes.TrimLeft(words, " \t\n>")
		if len(words) == 0 {
			return true
		}
		if !bytes.HasPrefix(words, []byte("<!--")) {
			return false
		}
		_, after, ok := bytes.Cut(words, []byte("-->"))
		if !ok {
			return false
		}
		words = after
	}
}
