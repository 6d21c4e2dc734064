package render

import (
	"bufio"
	"strings"

	"github.com/yuin/goldmark/renderer/html"

	"passage/rag"
)

// plain renders text in which nothing is markup: a paragraph per block of
// lines, line breaks and spaces kept by the style sheet.
func (w *writer) plain(body string) string {
	if w.view.Clip.Empty() {
		return ""
	}
	var b strings.Builder
	out := bufio.NewWriter(&b)
	source := []byte(body)
	last := -1 // end of what was written
	for _, p := range paragraphs(body) {
		cited := !w.view.Cited.Empty() && w.view.Cited.Contains(p)
		if p.Start, p.End = max(p.Start, w.view.Clip.Start), min(p.End, w.view.Clip.End); p.Empty() {
			continue
		}
		pieces := rag.Pieces(p, w.view.Gaps)
		if len(pieces) == 0 {
			continue
		}
		if found, _ := w.gapBetween(source, last, pieces[0].Start); last >= 0 && found {
			_, _ = out.WriteString(`<p class="gap">` + gapHTML + "</p>\n")
		}
		class := "plain"
		if cited {
			class += " cited"
		}
		_, _ = out.WriteString(`<p class="` + class + `" dir="auto">`)
		for i, piece := range pieces {
			if i > 0 {
				_, _ = out.WriteString(gapHTML)
			}
			w.spread(out, piece.Start, piece.End, anywhere, func(start, stop int) { html.DefaultWriter.RawWrite(out, source[start:stop]) })
		}
		_, _ = out.WriteString("</p>\n")
		last = pieces[len(pieces)-1].End
	}
	_ = out.Flush() // a strings.Builder takes every write
	return b.String()
}

// paragraphs are the runs of lines between blank ones, without the last line
// break.
func paragraphs(body string) []rag.Span {
	var found []rag.Span
	open := -1
	last := 0
	for at := 0; at < len(body); {
		end, next := len(body), len(body)
		if i := strings.IndexByte(body[at:], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		if strings.TrimSpace(body[at:end]) == "" {
			if open >= 0 {
				found = append(found, rag.Span{Start: open, End: last})
			}
			open = -1
		} else {
			if open < 0 {
				open = at
			}
			last = end
		}
		at = next
	}
	if open >= 0 {
		found = append(found, rag.Span{Start: open, End: last})
	}
	return found
}
