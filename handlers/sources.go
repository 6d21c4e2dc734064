package handlers

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"passage/rag"
	"passage/rag/answer"
	"passage/rag/render"
	"passage/views"
)

// library is what the citations of one page need beside themselves: the texts
// of their versions and the names of the document types.
type library struct {
	readings map[int64]*rag.Reading
	labels   map[string]string
}

// open reads what the citations of some answers point to, all at once, and
// leaves out passages that are already rendered.
func (p *pages) open(ctx context.Context, scope rag.Scope, messages ...rag.Message) (library, error) {
	lib := library{readings: map[int64]*rag.Reading{}}
	var wanted []int64
	seen := make(map[int64]bool)
	for _, m := range messages {
		for _, c := range m.Citations {
			if c.Deleted || seen[c.VersionID] || p.passages.has(passageKey(c)) {
				continue
			}
			seen[c.VersionID] = true
			wanted = append(wanted, c.VersionID)
		}
	}
	var err error
	if lib.labels, err = p.typeLabels(ctx); err != nil {
		return lib, err
	}
	if len(wanted) > 0 {
		if lib.readings, err = p.cfg.Store.Readings(ctx, scope, wanted); err != nil {
			return lib, fmt.Errorf("reading cited versions: %w", err)
		}
	}
	return lib, nil
}

func (p *pages) typeLabels(ctx context.Context) (map[string]string, error) {
	types, err := p.cfg.Store.DocTypes(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading document types: %w", err)
	}
	labels := make(map[string]string, len(types))
	for _, t := range types {
		labels[t.Name] = t.Label
	}
	return labels, nil
}

// label is the name of a document type for people.
func (l library) label(docType string) string {
	if label := l.labels[docType]; label != "" {
		return label
	}
	return docType
}

func sourceID(answerID int64, number int) string {
	return "s-" + itoa(answerID) + "-" + strconv.Itoa(number)
}

func sourceLabel(c rag.Citation) string {
	return "Source " + strconv.Itoa(c.Number) + ": " + titleOf(c.Title, c.SourceURI)
}

// pathBelow leaves out the first heading where it says what the title says.
func pathBelow(title string, path []string) []string {
	if len(path) > 0 && strings.EqualFold(path[0], title) {
		return path[1:]
	}
	return path
}

// titleOf falls back to the source for a document without a title.
func titleOf(title, sourceURI string) string {
	if title == "" {
		return sourceURI
	}
	return title
}

// source makes the card of a citation.
func (p *pages) source(m rag.Message, c rag.Citation, lib library) views.Source {
	s := views.Source{
		ID:          sourceID(m.ID, c.Number),
		Number:      c.Number,
		Used:        c.Used,
		Open:        c.Used && m.State != rag.AnswerWriting,
		Title:       titleOf(c.Title, c.SourceURI),
		Path:        pathBelow(c.Title, c.Path),
		Pages:       c.Pages.Label(),
		DocType:     lib.label(c.DocType),
		Shortened:   len(c.Gaps) > 0,
		Deleted:     c.Deleted,
		Description: sourceLabel(c),
	}
	s.Date, s.DateISO = dates(c.Date)
	for i, part := range c.Parts {
		v := views.Part{Label: part.Label(), Whole: part.Whole()}
		another := i > 0 && c.Parts[i-1].Procedure == part.Procedure // run of steps of the same
		if !v.Whole && !c.Deleted && !another {
			v.URL = placeURL(c.DocID, c.VersionID, part.Span, nil)
		}
		s.Parts = append(s.Parts, v)
	}
	if c.Deleted {
		if s.Title == "" {
			s.Title = "A deleted document"
		}
		return s
	}
	s.OpenURL = placeURL(c.DocID, c.VersionID, c.Span, c.Marks)
	s.TitleURL = s.OpenURL
	if address, host := outsideAddress(c.SourceURI); address != "" {
		s.TitleURL, s.Origin = address, host
	}
	if c.Newer {
		s.NewerURL = documentURL(c.DocID)
	}
	s.Body = p.passage(c, lib.readings[c.VersionID])
	return s
}

// passage renders what a citation quotes, inside its document. When the
// version's text is not at hand its own text is rendered, with the header of
// the table it starts in.
func (p *pages) passage(c rag.Citation, reading *rag.Reading) views.SafeHTML {
	return p.passages.get(passageKey(c), func() (views.SafeHTML, bool) {
		text, view := c.Text, render.View{Top: 5}
		shift := -c.Span.Start
		if reading != nil && c.Span.End <= len(reading.Text) {
			text, view.Clip, shift = reading.Text, c.Span, 0
		} else if c.HeaderText != "" {
			header := answer.TableHead(c.HeaderText)
			text, shift = header+c.Text, shift+len(header)
		}
		for _, m := range c.Marks {
			view.Marks = append(view.Marks, rag.Span{Start: m.Span.Start + shift, End: m.Span.End + shift})
		}
		for _, g := range c.Gaps {
			view.Gaps = append(view.Gaps, rag.Span{Start: g.Start + shift, End: g.End + shift})
		}
		page := p.markup.Source(text, formatOf(reading, c.SourceURI), view)
		return views.SafeHTML(page.HTML), reading != nil
	})
}

// formatOf is the format that the reader of the file found; without the reading
// it is told by the source's name.
func formatOf(reading *rag.Reading, sourceURI string) render.Format {
	switch {
	case reading == nil:
		return render.FormatOf(sourceURI)
	case strings.HasPrefix(reading.Extractor, "text/"):
		return render.Plain
	default:
		return render.Markdown // what every other reader writes
	}
}
