package htmldoc

import (
	"strings"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/extract/compose"
)

// flow is a container being filled: its blocks, and the words of the paragraph
// in progress.
type flow struct {
	blocks []compose.Block
	words  []compose.Inline
	last   rune // the last character of the words, 0 at the start of a line
	breaks int  // line breaks with nothing behind them
	cell   bool // of a table, in which lines of code stay lines
}

// setting is what the elements around words say about them.
type setting struct {
	style compose.Style
	href  string
}

// add appends a block behind what is in progress.
func (f *flow) add(b compose.Block) {
	f.flush()
	f.blocks = append(f.blocks, b)
}

// paragraph appends a paragraph of words in one style.
func (f *flow) paragraph(words string, style compose.Style) {
	if words != "" {
		f.add(compose.Block{Kind: rag.BlockParagraph, Words: []compose.Inline{{Text: words, Style: style}}})
	}
}

// invisible characters only say where a word may be divided. A no-break space
// is a blank to a reader, and to who copies a command.
var visible = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u2060", "", "\u00a0", " ", "\u202f", " ")

// blanks makes one of white space, which says nothing in HTML.
var blanks = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ", "\f", " ")

// text appends words as they stand in the source of a page.
func (f *flow) text(s string, set setting) {
	if s = blanks.Replace(visible.Replace(s)); s != "" {
		f.run(compose.Inline{Text: s, Style: set.style, Href: set.href})
	}
}

// run appends words that are ready.
func (f *flow) run(in compose.Inline) {
	blank := strings.Trim(in.Text, " ") == ""
	switch {
	case !blank:
		f.breaks = 0
		f.last, _ = utf8.DecodeLastRuneInString(in.Text)
	case f.last != 0:
		f.last = ' '
	}
	if blank && len(f.words) == 0 {
		return
	}
	f.words = append(f.words, in)
}

// lineBreak ends a line; two of them end the paragraph, as writers without
// paragraphs mean them.
func (f *flow) lineBreak(set setting) {
	f.last = 0
	f.breaks++
	if f.breaks > 1 {
		f.flush()
		return
	}
	f.words = append(f.words, compose.Inline{Text: "\n", Style: set.style})
}

// done ends the flow and gives its blocks.
func (f *flow) done() []compose.Block {
	f.flush()
	if f.cell {
		return f.blocks
	}
	return typed(f.blocks)
}

// flush ends the paragraph. Lines that are all code are a block of code.
func (f *flow) flush() {
	words := f.words
	f.words, f.last, f.breaks = nil, 0, 0
	code, seen, lines := true, false, false
	for i := range words {
		w := &words[i]
		if strings.Trim(w.Text, " \n") == "" {
			lines = lines || seen && strings.Contains(w.Text, "\n")
			continue
		}
		seen = true
		code = code && w.Style&compose.Mono != 0 && w.Href == "" && !w.Image
	}
	switch {
	case !seen:
	case code && lines && !f.cell && endsInCode(words):
		f.blocks = append(f.blocks, compose.Block{Kind: rag.BlockCode, Code: codeOf(words)})
	default:
		f.blocks = append(f.blocks, compose.Block{Kind: rag.BlockParagraph, Words: words})
	}
}

// endsInCode says that words stand behind the last line break, so that there
// are two lines at least.
func endsInCode(words []compose.Inline) bool {
	_, after, found := strings.Cut(strings.TrimLeft(codeOf(words), " \n"), "\n")
	return found && strings.Trim(after, " \n") != ""
}

func codeOf(words []compose.Inline) string {
	var b strings.Builder
	for i := range words {
		b.WriteString(words[i].Text)
	}
	return b.String()
}
