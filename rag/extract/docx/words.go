package docx

import (
	"slices"
	"strings"

	"passage/rag/extract/compose"
)

// inlines makes the words of a paragraph of its spans: white space as Word
// shows it, exponents marked, spans of one look joined.
func inlines(spans []span) []compose.Inline {
	w := wordWriter{level: !slices.ContainsFunc(spans, func(s span) bool { return s.vert != vertSuper && !blank(s.text) })}
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		switch {
		case s.picture:
			w.add(compose.Inline{Text: s.text, Image: true})
		case s.mark != "":
			w.add(compose.Inline{Text: s.mark})
		case (s.vert == vertSuper || s.vert == vertSub) && !w.level:
			raised := []string{s.text}
			for i+1 < len(spans) && spans[i+1].vert == s.vert && spans[i+1].mark == "" && !spans[i+1].picture {
				i++
				raised = append(raised, spans[i].text)
			}
			text := strings.Join(raised, "")
			if s.vert == vertSuper {
				text = super(w.before(), text)
			} else {
				text = sub(w.before(), text)
			}
			w.add(compose.Inline{Text: text, Style: styleOf(s), Href: s.link})
		default:
			w.add(compose.Inline{Text: s.text, Style: styleOf(s), Href: s.link})
		}
	}
	return w.done()
}

func styleOf(s span) (st compose.Style) {
	if s.strong {
		st |= compose.Strong
	}
	if s.slanted {
		st |= compose.Emphasis
	}
	if s.mono {
		st |= compose.Mono
	}
	if s.struck {
		st |= compose.Struck
	}
	return st
}

// wordWriter joins runs of words and sets their white space: blanks and tabs
// become one blank, and none stands at a line's ends.
type wordWriter struct {
	out   []compose.Inline
	sb    strings.Builder // the text of the last of out
	last  byte            // written last, 0 at the beginning
	tail  []byte          // the end of what was written, for exponents
	gap   int             // blanks that are due before the next word
	level bool            // all of the paragraph is raised
}

func (w *wordWriter) before() string {
	if w.gap > 0 {
		return string(w.tail) + " "
	}
	return string(w.tail)
}

func (w *wordWriter) add(in compose.Inline) {
	if in.Image {
		w.blank(compose.Inline{})
		w.flush()
		w.last = 'i'
		w.out = append(w.out, in)
		return
	}
	for text := in.Text; text != ""; {
		n := 1
		switch text[0] {
		case '\n':
			w.gap = 0
			if w.last != 0 {
				w.put(in, "\n")
			}
		case ' ', '\t':
			if w.last != 0 && w.last != '\n' {
				w.gap++
			}
		default:
			if n = strings.IndexAny(text, " \t\n"); n < 0 {
				n = len(text)
			}
			w.blank(in)
			w.put(in, text[:n])
		}
		text = text[n:]
	}
}

// blank writes the blank that is due before in: where it has no look of its
// own. Inside of code all blanks stay.
func (w *wordWriter) blank(in compose.Inline) {
	n := w.gap
	w.gap = 0
	if n == 0 || len(w.out) == 0 {
		return
	}
	switch {
	case w.same(in) && in.Style&compose.Mono != 0:
	case w.same(in), w.same(compose.Inline{}), in.Style == 0 && in.Href == "" && !in.Image:
		n = 1
	default:
		n, in = 1, compose.Inline{}
	}
	if !w.same(in) && w.same(compose.Inline{}) {
		in = compose.Inline{}
	}
	for range n {
		w.put(in, " ")
	}
}

func (w *wordWriter) same(in compose.Inline) bool {
	o := &w.out[len(w.out)-1]
	return !o.Image && o.Style == in.Style && o.Href == in.Href
}

func (w *wordWriter) put(in compose.Inline, text string) {
	if len(w.out) == 0 || !w.same(in) {
		w.start(in)
	}
	w.sb.WriteString(text)
	w.last = text[len(text)-1]
	if w.tail = append(w.tail, text[max(len(text)-64, 0):]...); len(w.tail) > 256 {
		w.tail = append(w.tail[:0], w.tail[len(w.tail)-64:]...)
	}
}

func (w *wordWriter) start(in compose.Inline) {
	w.flush()
	w.out = append(w.out, compose.Inline{Style: in.Style, Href: in.Href})
}

func (w *wordWriter) flush() {
	if n := len(w.out); n > 0 && !w.out[n-1].Image && w.sb.Len() > 0 {
		w.out[n-1].Text += w.sb.String()
	}
	w.sb.Reset()
}

// done gives the runs without white space at the end, and without looks on
// white space alone.
func (w *wordWriter) done() []compose.Inline {
	w.flush()
	out := w.out
	for n := len(out); n > 0 && !out[n-1].Image; n = len(out) {
		out[n-1].Text = strings.TrimRight(out[n-1].Text, " \n")
		if out[n-1].Text != "" {
			break
		}
		out = out[:n-1]
	}
	for i := range out {
		if !out[i].Image && strings.TrimSpace(out[i].Text) == "" {
			out[i].Style = 0
		}
	}
	return out
}

// codeLines are the lines of a paragraph of code, as they stand.
func codeLines(spans []span) []string {
	var sb strings.Builder
	for i := range spans {
		sb.WriteString(spans[i].text)
		sb.WriteString(spans[i].mark)
	}
	lines := strings.Split(strings.ReplaceAll(sb.String(), "\u00a0", " "), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return lines
}

// plain is the text of words, without looks.
func plain(words []compose.Inline) string {
	var sb strings.Builder
	for i := range words {
		sb.WriteString(words[i].Text)
	}
	return sb.String()
}

// oneLine makes words of a heading: no line breaks, and no bold or italic,
// which a heading has anyhow.
func oneLine(words []compose.Inline) []compose.Inline {
	out := make([]compose.Inline, 0, len(words))
	for _, in := range words {
		if !in.Image {
			in.Text = strings.ReplaceAll(in.Text, "\n", " ")
			in.Style &^= compose.Strong | compose.Emphasis
		}
		if n := len(out); n > 0 && !in.Image && !out[n-1].Image && out[n-1].Style == in.Style && out[n-1].Href == in.Href {
			out[n-1].Text += in.Text
			continue
		}
		out = append(out, in)
	}
	return out
}

// prefixed puts a label before words.
func prefixed(label string, words []compose.Inline) []compose.Inline {
	if label == "" {
		return words
	}
	if len(words) == 0 {
		return compose.Plain(label)
	}
	if f := words[0]; f.Style == 0 && f.Href == "" && !f.Image {
		words = slices.Clone(words)
		words[0].Text = label + " " + f.Text
		return words
	}
	return append(compose.Plain(label+" "), words...)
}

// paragraphs divides words at empty lines.
func paragraphs(words []compose.Inline) [][]compose.Inline {
	broken := false
	for i := range words {
		t := words[i].Text
		broken = broken || strings.Contains(t, "\n\n") || i > 0 && strings.HasPrefix(t, "\n") && strings.HasSuffix(words[i-1].Text, "\n")
	}
	if !broken {
		return [][]compose.Inline{words}
	}
	var out [][]compose.Inline
	var cur []compose.Inline
	end := func() {
		if cur = trimEnd(cur); len(cur) > 0 {
			out = append(out, cur)
		}
		cur = nil
	}
	for _, in := range words {
		text := in.Text
		if n := len(cur); n > 0 && !in.Image && strings.HasPrefix(text, "\n") && strings.HasSuffix(cur[n-1].Text, "\n") {
			end()
		}
		for !in.Image {
			before, after, found := strings.Cut(text, "\n\n")
			if !found {
				break
			}
			in.Text, text = before, after
			if in.Text != "" {
				cur = append(cur, in)
			}
			end()
		}
		if len(cur) == 0 && !in.Image {
			text = strings.TrimLeft(text, "\n")
		}
		if in.Text = text; text != "" || in.Image {
			cur = append(cur, in)
		}
	}
	end()
	return out
}

func trimEnd(words []compose.Inline) []compose.Inline {
	for n := len(words); n > 0 && !words[n-1].Image; n = len(words) {
		words[n-1].Text = strings.TrimRight(words[n-1].Text, "\n ")
		if words[n-1].Text != "" {
			break
		}
		words = words[:n-1]
	}
	return words
}
