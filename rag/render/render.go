package render

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/parser"

	"passage/rag"
)

// HTML is markup that has been through the sanitiser.
type HTML string

// Format is how a source is written.
type Format int

// The formats.
const (
	Markdown Format = iota
	Plain           // every line break is kept, nothing is markup
)

// FormatOf tells the format by the ending of a source URI, as the readers of
// files do. A URI without a known ending, as pages on the web have, is read as
// Markdown.
func FormatOf(sourceURI string) Format {
	name, _, _ := strings.Cut(sourceURI, "?")
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	switch strings.ToLower(path.Ext(name)) {
	case ".txt", ".text":
		return Plain
	case "":
		switch strings.ToUpper(name) {
		case "README", "RUNBOOK", "NOTES", "CHANGES", "CHANGELOG", "INSTALL":
			return Plain
		}
	}
	return Markdown
}

// View says what of a source is shown and how. All spans are bytes of the
// source; spans that reach outside it are cut to it.
type View struct {
	Clip    rag.Span   // show only this part; empty: everything
	Gaps    []rag.Span // left out, in the order of the text; a mark stands in the place of each
	Marks   []rag.Span // wrapped in mark elements
	Cited   rag.Span   // blocks inside it get the class "cited"
	Hit     rag.Span   // the first mark that touches it gets the id "hit"; empty: none does
	Top     int        // level that the highest heading shown gets, the others below it; 0: all as written
	Anchors bool       // give headings an id and resolve links to them
}

// Heading is one heading of a rendered source, for a table of contents.
type Heading struct {
	ID    string // "h-restart-the-broker"
	Level int    // as written, 1–6
	Text  string
	Start int // byte of the source where it stands
}

// Page is a rendered source.
type Page struct {
	HTML     HTML
	Headings []Heading // only with View.Anchors
}

// Cite is a citation number that an answer may use.
type Cite struct {
	Number int
	Href   string // a fragment of the same page: "#s-12-3"
	Label  string // said for the link: "Source 3: Broker certificates"
}

// Renderer holds the parsers and the sanitiser. It is safe for concurrent use.
type Renderer struct {
	documents parser.Parser
	answers   parser.Parser
	policy    *bluemonday.Policy
}

// New makes a renderer.
func New() *Renderer {
	return &Renderer{documents: documentParser(), answers: answerParser(), policy: policy()}
}

// Answer renders the Markdown of an answer, finished or not. The numbers of
// cites become links ("[2]", "[1, 3]"); a number that is not among them stays
// text. The highest heading gets level 3.
func (r *Renderer) Answer(text string, cites []Cite) HTML {
	w := &writer{parser: r.answers, view: View{Top: 3}, cites: make(map[int]Cite, len(cites))}
	for _, c := range cites {
		w.cites[c.Number] = c
	}
	return HTML(r.policy.Sanitize(w.markdown(strings.ToValidUTF8(text, "\uFFFD"))))
}

// Source renders a document or a part of one. Front matter is left out; see
// FrontMatter.
func (r *Renderer) Source(text string, format Format, view View) Page {
	body := FrontMatter(text).End
	view = view.within(text, body)
	w := &writer{parser: r.documents, view: view}
	var html string
	if format == Plain {
		html = w.plain(text[body:])
	} else {
		html = w.markdown(text[body:])
	}
	for i := range w.headings {
		w.headings[i].Start += body
	}
	return Page{HTML: HTML(r.policy.Sanitize(html)), Headings: w.headings}
}

// FrontMatter finds the block between two lines of three hyphens (YAML) or plus
// signs (TOML) at the very start of a text; the span is empty when there is
// none.
func FrontMatter(text string) rag.Span {
	if !strings.HasPrefix(text, "---\n") && !strings.HasPrefix(text, "+++\n") {
		return rag.Span{}
	}
	for at := len("---\n"); at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if line := strings.TrimRight(text[at:end], " \t\n"); line == text[:3] || line == "..." && text[0] == '-' {
			return rag.Span{Start: 0, End: end}
		}
		at = end
	}
	return rag.Span{}
}

// within makes the spans relative to the body of the text, cuts them to it,
// moves them to rune boundaries and joins marks that overlap.
func (v View) within(text string, body int) View {
	fit := func(s rag.Span) rag.Span {
		s.Start, s.End = min(max(s.Start, body), len(text)), min(max(s.End, body), len(text))
		if s.Empty() {
			return rag.Span{}
		}
		for s.Start > body && !utf8.RuneStart(text[s.Start]) {
			s.Start--
		}
		for s.End < len(text) && !utf8.RuneStart(text[s.End]) {
			s.End++
		}
		return rag.Span{Start: s.Start - body, End: s.End - body}
	}
	if v.Clip.Empty() {
		v.Clip = rag.Span{Start: 0, End: len(text)}
	}
	v.Clip, v.Cited, v.Hit = fit(v.Clip), fit(v.Cited), fit(v.Hit)
	gaps := make([]rag.Span, 0, len(v.Gaps))
	for _, g := range v.Gaps {
		if g = fit(g); !g.Empty() {
			gaps = append(gaps, g)
		}
	}
	v.Gaps = gaps
	marks := make([]rag.Span, 0, len(v.Marks))
	for _, m := range v.Marks {
		if m = fit(m); !m.Empty() {
			marks = append(marks, m)
		}
	}
	slices.SortFunc(marks, func(a, b rag.Span) int { return a.Start - b.Start })
	v.Marks = marks[:0]
	for _, m := range marks {
		if n := len(v.Marks); n > 0 && m.Start < v.Marks[n-1].End {
			v.Marks[n-1] = v.Marks[n-1].Union(m)
			continue
		}
		v.Marks = append(v.Marks, m)
	}
	return v
}
