package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/extract/compose"
)

// writer turns drafts into blocks of words.
type writer struct {
	style
	known vocabulary
}

func (w *writer) block(d *draft) compose.Block {
	b := compose.Block{Kind: d.kind, Page: d.first().page}
	switch d.kind {
	case rag.BlockHeading:
		b.Level = d.level
		b.Words = plain(w.words(d.lines, 0))
	case rag.BlockCode:
		b.Code = codeText(d.lines)
	case rag.BlockTable:
		b.Children = w.rows(d.table)
	default:
		b.Words = w.words(d.lines, 0)
	}
	return b
}

func (w *writer) itemBlock(d *draft) compose.Block {
	words := w.words(d.lines, d.label.words)
	b := compose.Block{Kind: rag.BlockItem, Label: d.label.text, Page: d.first().page}
	if len(words) > 0 {
		b.Children = []compose.Block{{Kind: rag.BlockParagraph, Words: words, Page: d.first().page}}
	}
	return b
}

func (w *writer) rows(t *table) []compose.Block {
	out := make([]compose.Block, 0, len(t.rows))
	for i := range t.rows {
		r := &t.rows[i]
		b := compose.Block{Kind: rag.BlockRow, Header: r.header, Page: t.page}
		for _, cell := range r.cells {
			words := w.words(cell, 0)
			if r.header {
				words = plain(words)
			}
			if len(cell) > 0 {
				b.Page = cell[0].page
			}
			b.Cells = append(b.Cells, words)
		}
		out = append(out, b)
	}
	return out
}

// plain takes the styles away where the kind of the block says the same.
func plain(words []compose.Inline) []compose.Inline {
	var out []compose.Inline
	for _, w := range words {
		w.Style &= compose.Mono
		if n := len(out); n > 0 && out[n-1].Style == w.Style && (w.Page == 0 || w.Page == out[n-1].Page) {
			out[n-1].Text += w.Text
			continue
		}
		out = append(out, w)
	}
	return out
}

// words joins the lines of a block: a blank between two lines, nothing after
// a hyphen that only the line's end made. Where the page turns, a new run
// begins.
func (w *writer) words(ls []line, skip int) []compose.Inline {
	s := &setting{typed: w.typed}
	for i := range ls {
		ws := ls[i].words
		if i == 0 {
			ws = ws[min(skip, len(ws)):]
		}
		s.page = ls[i].page
		for j := range ws {
			if j > 0 || s.some {
				sep := " "
				if j == 0 {
					sep = w.join(s, &ws[0])
				} else if dense(s.tail(), ws[0].text) && ws[j].x0-ws[j-1].x1 < 0.6*ws[j].size && !ws[j].before {
					sep = " "
				}
				s.blank(sep)
			}
			s.word(&ws[j])
		}
	}
	return s.out
}

// join says what stands between a line's end and the next line's first word,
// and takes the hyphen away that only the line's end made.
func (w *writer) join(s *setting, next *word) string {
	last := s.tail()
	r, _ := utf8.DecodeLastRuneInString(last)
	switch {
	case r == 0xAD:
		s.trim(utf8.RuneLen(r))
		return ""
	case hyphenated(last):
		if s.style&compose.Mono == 0 && w.known.joins(last, next.text) {
			s.trim(utf8.RuneLen(r))
		}
		return ""
	case s.style&compose.Mono != 0 && option(last, next.text):
		return ""
	case (r == '–' || r == '—' || r == '/') && utf8.RuneCountInString(last) > 1:
		return ""
	case dense(last, next.text):
		return ""
	}
	return " "
}

// dense says that the scripts on both sides set no blanks between words.
func dense(a, b string) bool {
	r, _ := utf8.DecodeLastRuneInString(a)
	q, _ := utf8.DecodeRuneInString(b)
	return solid(r) && solid(q)
}

func solid(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF
}

// setting collects runs of words.
type setting struct {
	out   []compose.Inline
	style compose.Style
	page  int // of the line being set
	typed bool
	some  bool
	gap   string // to be set before the next word, in the style of both sides
}

// tail is the last word so far.
func (s *setting) tail() string {
	if len(s.out) == 0 {
		return ""
	}
	text := s.out[len(s.out)-1].Text
	for i := len(s.out) - 2; i >= 0 && !strings.Contains(text, " "); i-- {
		text = s.out[i].Text + text
		if len(text) > 200 {
			break
		}
	}
	return text[strings.LastIndexByte(text, ' ')+1:]
}

// trim takes n bytes from the end.
func (s *setting) trim(n int) {
	last := &s.out[len(s.out)-1]
	last.Text = last.Text[:max(0, len(last.Text)-n)]
}

func (s *setting) blank(gap string) { s.gap = gap }

func (s *setting) word(w *word) {
	start := 0
	for i, r := range w.runs {
		text := w.text[start:r.end]
		start = r.end
		style := styleOf(r.face, s.typed)
		if i > 0 {
			s.gap = ""
		}
		s.put(text, style)
	}
}

// put appends text. A blank between two styles is plain, so that marks of
// style stand close to their words.
func (s *setting) put(text string, style compose.Style) {
	turned := len(s.out) > 0 && s.out[len(s.out)-1].Page != 0 && s.lastPage() != s.page
	if n := len(s.out); n > 0 && s.style == style && !turned {
		s.out[n-1].Text += s.gap + text
	} else {
		if s.gap != "" && len(s.out) > 0 {
			switch {
			case s.style == 0 || turned:
				s.out[len(s.out)-1].Text += s.gap
			case style == 0:
				text = s.gap + text
			default:
				s.out = append(s.out, compose.Inline{Text: s.gap, Page: s.page})
			}
		}
		s.out = append(s.out, compose.Inline{Text: text, Style: style, Page: s.page})
	}
	s.style, s.gap, s.some = style, "", true
}

func (s *setting) lastPage() int { return s.out[len(s.out)-1].Page }

func styleOf(f face, typed bool) compose.Style {
	var s compose.Style
	if f&faceMono != 0 && !typed {
		return compose.Mono
	}
	if f&faceBold != 0 {
		s |= compose.Strong
	}
	if f&faceItalic != 0 {
		s |= compose.Emphasis
	}
	return s
}

// codeText rebuilds the lines of code with their indentation, from where the
// words stand and how wide a letter is. Wide distances are empty lines.
func codeText(ls []line) string {
	width := letterWidth(ls)
	left := ls[0].in()
	near := float32(math.MaxFloat32)
	for i := range ls {
		left = min(left, ls[i].in())
		if i > 0 && ls[i].base > ls[i-1].base {
			near = min(near, ls[i].base-ls[i-1].base)
		}
	}
	var b strings.Builder
	for i := range ls {
		if i > 0 {
			b.WriteByte('\n')
			if d := ls[i].base - ls[i-1].base; d > 1.6*near && !ls[i].first {
				b.WriteString(strings.Repeat("\n", min(3, int(math.Round(float64(d/near)))-1)))
			}
		}
		at := 0
		for j := range ls[i].words {
			w := &ls[i].words[j]
			col := int(math.Round(float64((w.x0 - ls[i].left - left) / width)))
			if j > 0 {
				col = max(col, at+1)
			}
			if n := min(col-at, 200); n > 0 {
				b.WriteString(strings.Repeat(" ", n))
				at = col
			}
			b.WriteString(w.text)
			at += utf8.RuneCountInString(w.text)
		}
	}
	return b.String()
}

// letterWidth is the width of a letter of a typewriter's type.
func letterWidth(ls []line) float32 {
	var all []float32
	for i := range ls {
		for j := range ls[i].words {
			w := &ls[i].words[j]
			if n := utf8.RuneCountInString(w.text); n > 0 && w.x1 > w.x0 {
				all = append(all, (w.x1-w.x0)/float32(n))
			}
		}
	}
	if len(all) == 0 {
		return 6
	}
	slices.Sort(all)
	return max(all[len(all)/2], 0.5)
}
