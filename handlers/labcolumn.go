package handlers

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/retrieve"
	"passage/views"
)

// labHitsOpen is how many hits of a column stand there at once; the others are
// folded away.
const labHitsOpen = 5

// setting names the setting of a column in a line. What was typed wrongly is
// left out.
func (c labColumn) setting() string {
	parts := []string{"each type’s own"}
	switch {
	case c.chosen != nil:
		parts[0] = c.chosen.String()
	case c.strategy != ownStrategy:
		parts[0] = cutTo(c.strategy, 40)
	}
	own := c.chosen == nil || c.chosen.Kind == rag.SentenceWindow
	if c.exact && own {
		parts = append(parts, "exact windows")
	}
	switch retrieve.Legs(c.legs) {
	case retrieve.DenseOnly:
		parts = append(parts, "meaning only")
	case retrieve.LexicalOnly:
		parts = append(parts, "words only")
	case retrieve.Hybrid:
		if c.fusion == ranksFusion {
			parts = append(parts, "reciprocal ranks")
		}
	}
	if c.wantedTop > 0 {
		parts = append(parts, count(c.wantedTop, "passage", "passages"))
	}
	if c.wantedTokens > 0 && c.wantedTokens != retrieve.DefaultBudget {
		parts = append(parts, grouped(float64(c.wantedTokens), 0)+" tokens")
	}
	return strings.Join(parts, " · ")
}

// labColumn shows what a column came to.
func (p *pages) labColumn(t labTry, lib library) views.LabColumn {
	v := views.LabColumn{ID: "column-" + strings.ToLower(t.column.letter()), Letter: t.column.letter(), Setting: t.column.setting()}
	if !t.searched() {
		for _, field := range slices.Sorted(maps.Keys(t.column.faults)) {
			v.Faults = append(v.Faults, t.column.faults[field])
		}
		if t.fault != "" {
			v.Faults = append(v.Faults, t.fault)
		}
		return v
	}
	res, trace := t.result, t.result.Trace
	v.Refused = res.Refused
	v.Summary = []views.LabFigure{
		{Label: "passages", Value: strconv.Itoa(len(res.Passages))},
		{Label: "tokens", Value: grouped(float64(trace.Tokens), 0)},
		{Label: "found by meaning", Value: grouped(float64(trace.Dense), 0)},
		{Label: "found by words", Value: grouped(float64(trace.Lexical), 0)},
		{Label: "ms to search", Value: grouped(trace.SearchMS, 1)},
		{Label: "ms in all", Value: grouped(trace.TotalMS, 1)},
	}
	v.Notices = said(res)
	v.Evidence, v.Verdict = evidence(res)
	v.Words = labWords(res)
	for i, h := range trace.Hits {
		hit := labHit(t.column, h, res.Passages, lib)
		hit.Number = strconv.Itoa(i + 1)
		if i < labHitsOpen {
			v.Hits = append(v.Hits, hit)
		} else {
			v.More = append(v.More, hit)
		}
	}
	v.HitCount = fmt.Sprintf("The best %d; %s by meaning, %s by words", len(trace.Hits), grouped(float64(trace.Dense), 0), grouped(float64(trace.Lexical), 0))
	v.NoHits = noHits(retrieve.Legs(t.column.legs))
	p.labTrace(&v, t, lib)
	return v
}

// said is what a reader has to know of a result before reading it.
func said(res retrieve.Result) []views.Notice {
	var list []views.Notice
	if res.Refused {
		text := "Nothing that was found is good enough to answer from, so no model would be asked."
		if len(res.Nearest) > 0 {
			text += " Nearest are: " + strings.Join(res.Nearest, "; ") + "."
		}
		list = append(list, views.Notice{Kind: "warning", Head: "Refused", Text: text})
	}
	if res.Trace.WordsOnly {
		list = append(list, views.Notice{Kind: "warning", Head: "Words only", Text: "The embedder did not answer, so nothing was searched by its meaning. Try again in a moment."})
	}
	if res.Trace.RerankFault != "" {
		list = append(list, views.Notice{Kind: "warning", Head: "Not reranked", Text: res.Trace.RerankFault})
	}
	return list
}

func noHits(legs retrieve.Legs) string {
	switch legs {
	case retrieve.DenseOnly:
		return "Nothing was found: what is searched holds no vectors of the embedder that is set, or nothing at all."
	case retrieve.LexicalOnly:
		return "Nothing was found: none of the question’s words stands in what is searched."
	default:
		return "Nothing was found in what is searched. Try every space and every type."
	}
}

// evidence is what speaks for an answer, and what came of it.
func evidence(res retrieve.Result) ([]views.LabFigure, string) {
	e := res.Trace.Evidence
	if e == nil {
		if len(res.Trace.Hits) == 0 {
			return nil, "Without a hit there is nothing to answer from."
		}
		return nil, "A search by one leg or by ranks alone refuses nothing that it found."
	}
	verdict := "This is enough for an answer."
	if res.Refused {
		verdict = "This is too little for an answer."
	}
	share := func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
	return []views.LabFigure{
		{Label: "best cosine", Value: share(e.Cosine)},
		{Label: "words in one unit", Value: share(e.Unit)},
		{Label: "words in it and its neighbours", Value: share(e.Window)},
		{Label: "words in one document", Value: share(e.Document)},
		{Label: "words in no document", Value: share(e.Unknown)},
		{Label: "words of the question", Value: strconv.Itoa(e.Words)},
	}, verdict
}

// labWords is what became of the words of the question, and of the units that
// were searched.
func labWords(res retrieve.Result) []views.LabFigure {
	var list []views.LabFigure
	add := func(label string, words []string) {
		if len(words) > 0 {
			list = append(list, views.LabFigure{Label: label, Value: strings.Join(words, ", ")})
		}
	}
	t := res.Trace
	add("searched for", t.Terms)
	add("in no document", t.Unknown)
	for _, word := range slices.Sorted(maps.Keys(t.Similar)) {
		add("instead of “"+word+"”", t.Similar[word])
	}
	for _, set := range slices.Sorted(maps.Keys(t.Sets)) {
		add("units “"+set+"” of", t.Sets[set])
	}
	if t.Reranker != "" {
		add("put in order by", []string{t.Reranker})
	}
	return list
}

// labHit shows a hit with its scores, and which passage holds it.
func labHit(c labColumn, h retrieve.TraceHit, passages []rag.Passage, lib library) views.LabHit {
	v := views.LabHit{Type: lib.label(h.DocType), Where: "in no passage"}
	v.Title, v.URL, v.Text = lib.quote(h.Version, h.Span, labHitText)
	figure := func(label string, value float64, places, rank int) {
		f := views.LabFigure{Label: label, Value: strconv.FormatFloat(value, 'f', places, 64)}
		if rank > 0 {
			f.Value += " (no. " + strconv.Itoa(rank) + ")"
		}
		v.Scores = append(v.Scores, f)
	}
	figure("score", h.Score, 3, 0)
	figure("cosine", h.Cosine, 3, h.DenseRank)
	figure("BM25", h.BM25, 2, h.LexicalRank)
	if n := passageOfSpan(passages, h.Version, h.Span); n > 0 {
		v.Where, v.Held = "in passage "+strconv.Itoa(n), "#"+c.passageID(n)
	}
	return v
}

// passageOfSpan is the number of the passage that shows a span, from 1, and 0
// for none. A span of which a gap takes a part is not shown.
func passageOfSpan(passages []rag.Passage, version int64, s rag.Span) int {
	for i, p := range passages {
		if p.Version != version {
			continue
		}
		if slices.ContainsFunc(p.Pieces(), func(piece rag.Span) bool { return piece.Contains(s) }) {
			return i + 1
		}
	}
	return 0
}

// quote gives the title with the heading above, the address and the text of a span, which was read
// within the scope. Of a version that is not there any more only that is said.
func (l library) quote(version int64, s rag.Span, most int) (title, url, text string) {
	r := l.readings[version]
	if r == nil || s.Start < 0 || s.End > len(r.Text) || s.Empty() {
		return "a document that was removed meanwhile", "", ""
	}
	text = s.In(r.Text)
	if short := cutTo(text, most); len(short) < len(text) {
		text = short + " …"
	}
	title = titleOf(r.Document.Title, r.Document.SourceURI)
	if heading := headingOf(r, s); heading != "" && !strings.EqualFold(heading, title) {
		title += " › " + heading
	}
	return title, placeURL(r.Document.ID, version, s, nil), text
}

// headingOf is the heading of the section that a span starts in.
func headingOf(r *rag.Reading, s rag.Span) string {
	sections := r.Outline.Sections // tile the text
	i := sort.Search(len(sections), func(i int) bool { return sections[i].Span.End > s.Start })
	if i == len(sections) {
		return ""
	}
	return sections[i].Heading
}

// characters is the length of a text for people.
func characters(text string) string {
	n := utf8.RuneCountInString(text)
	if n == 1 {
		return "1 character"
	}
	return grouped(float64(n), 0) + " characters"
}
