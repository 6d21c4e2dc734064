package handlers

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/evaluate"
	"passage/views"
)

const (
	listedWorst = 10 // questions
	listedCame  = 3  // documents that came back for each
)

// worst lists the questions that a setting answers worst, with where the answer
// stands and what came back instead.
func (p *pages) worst(ctx context.Context, scope rag.Scope, run evaluate.Run, q runQuery) (views.WorstQuestions, error) {
	r := run.Results[q.setting]
	w := views.WorstQuestions{Setting: settingName(r.Setting), Measure: capital(q.measure.Label)}
	outcomes := worstOf(r.Outcomes, q)
	if len(outcomes) == 0 {
		w.None = "No question falls short under " + w.Setting + "."
		if len(r.Outcomes) == 0 {
			w.None = "Nothing was measured under " + w.Setting + "."
		}
		return w, nil
	}
	asked, err := p.cfg.Evaluation.Questions(ctx, scope, run.SetID)
	if err != nil {
		return w, fmt.Errorf("reading questions of set %d: %w", run.SetID, err)
	}
	byID := make(map[string]evaluate.Question, len(asked))
	for _, question := range asked {
		byID[question.ID] = question
	}
	for _, o := range outcomes {
		question, known := byID[o.Question]
		item := views.WorstQuestion{Text: question.Text, Figures: q.measure.Label + " " + figure(q.measure, o.Values[q.measure.Measure]), Refused: o.Refused}
		if !known {
			item.Text = o.Question + " (no longer in the set)"
		}
		if t, ok := o.Values[evaluate.Tokens]; ok && q.measure.Measure != evaluate.Tokens {
			item.Figures += ", " + figure(measureInfo(evaluate.Tokens), t) + " tokens"
		}
		for _, t := range question.Targets() {
			item.Links = append(item.Links, targetLink(t))
		}
		item.Came = cameLinks(o.Contexts)
		w.Items = append(w.Items, item)
	}
	return w, nil
}

// worstOf are the outcomes that fall short by the measure, the worst first.
func worstOf(all []evaluate.Outcome, q runQuery) []evaluate.Outcome {
	var short []evaluate.Outcome
	for _, o := range all {
		v, ok := o.Values[q.measure.Measure]
		fits := ok && (q.docType == "" || o.DocType == q.docType)
		if fits && (q.measure.Amount || better(q.measure, perfect(q.measure), v)) {
			short = append(short, o)
		}
	}
	slices.SortStableFunc(short, func(a, b evaluate.Outcome) int {
		x, y := a.Values[q.measure.Measure], b.Values[q.measure.Measure]
		if q.measure.Less {
			x, y = y, x
		}
		return cmp.Compare(x, y)
	})
	return short[:min(len(short), listedWorst)]
}

// perfect is the best that a share can be.
func perfect(info evaluate.MeasureInfo) float64 {
	if info.Less {
		return 0
	}
	return 1
}

// targetLink leads to where an answer stands.
func targetLink(t evaluate.Target) views.Link {
	l := views.Link{Text: placeName(t.DocID, t.Space)}
	start, end := 0, 0
	for i, s := range t.Spans {
		if i == 0 || s.Start < start {
			start = s.Start
		}
		end = max(end, s.End)
	}
	l.URL = evalPlaceURL(t.DocID, t.Space, start, end)
	return l
}

// cameLinks lead to the first passages that came back, one for each document.
func cameLinks(contexts []evaluate.Context) []views.Link {
	var links []views.Link
	var seen []string
	for _, c := range contexts {
		name := placeName(c.DocID, c.Space)
		if slices.Contains(seen, name) {
			continue
		}
		seen = append(seen, name)
		if len(links) < listedCame {
			links = append(links, views.Link{Text: name, URL: evalPlaceURL(c.DocID, c.Space, c.Start, c.End)})
		}
	}
	if len(links) == 0 {
		return []views.Link{{Text: "nothing"}}
	}
	if more := len(seen) - len(links); more > 0 {
		links = append(links, views.Link{Text: "and " + count(more, "other document", "other documents")})
	}
	return links
}

// placeName names a document by the end of its source.
func placeName(docID, space string) string {
	name := docID
	if dir, file := path.Split(docID); file != "" && len(docID) > 60 {
		name = "…/" + path.Base(dir) + "/" + file
	}
	if space != "" {
		name = space + ": " + name
	}
	return name
}

func evalPlaceURL(docID, space string, start, end int) string {
	v := url.Values{"doc": {docID}}
	if space != "" {
		v.Set("space", space)
	}
	if end > start {
		v.Set("start", strconv.Itoa(start))
		v.Set("end", strconv.Itoa(end))
	}
	return "/evaluation/place?" + v.Encode()
}

// place leads from a place as question files name it, a source and code points,
// to the document at that place.
func (p *pages) place(c echo.Context) error {
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	source, space := c.QueryParam("doc"), c.QueryParam("space")
	gone := rag.Errorf(rag.CodeNotFound, "There is no document with that source any more.")
	if source == "" || len(source) > maxExpected {
		return gone
	}
	docs, _, err := p.cfg.Store.Documents(ctx, scope, rag.DocumentFilter{Words: source, Limit: listedDocuments})
	if err != nil {
		return fmt.Errorf("looking for a document: %w", err)
	}
	i := slices.IndexFunc(docs, func(d rag.Document) bool { return d.SourceURI == source && (space == "" || d.Space == space) })
	if i < 0 {
		return gone
	}
	start, errStart := strconv.Atoi(c.QueryParam("start"))
	end, errEnd := strconv.Atoi(c.QueryParam("end"))
	if errStart != nil || errEnd != nil || start < 0 || end <= start {
		return c.Redirect(http.StatusSeeOther, documentURL(docs[i].ID))
	}
	reading, err := p.cfg.Store.Reading(ctx, scope, docs[i].ID, 0)
	if err != nil {
		return fmt.Errorf("reading document %d: %w", docs[i].ID, err)
	}
	return c.Redirect(http.StatusSeeOther, placeURL(docs[i].ID, reading.Version, bytesOf(reading.Text, start, end), nil))
}

// bytesOf gives code points of a text as bytes; what lies behind its end is cut.
func bytesOf(text string, start, end int) rag.Span {
	s, n := rag.Span{Start: len(text), End: len(text)}, 0
	for at := range text {
		if n == start {
			s.Start = at
		}
		if n == end {
			s.End = at
			break
		}
		n++
	}
	return s
}
