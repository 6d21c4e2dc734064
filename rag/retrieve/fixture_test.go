package retrieve

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// words counts words as tokens: good enough to see a budget kept.
type words struct{}

func (words) Count(s string) int { return len(strings.Fields(s)) }

// fakeIndex holds readings and answers both legs from lists made by the test.
type fakeIndex struct {
	types    []rag.DocType
	readings map[int64]*rag.Reading
	dense    []rag.Hit
	lexical  []rag.Hit
	units    map[string]int // that hold a term
	similar  map[string][]rag.SimilarTerm
	asked    []rag.SearchTerm // of the last search of sentences by words
	empty    rag.UnitSet      // a set without units, which is not to be searched by words

	mu      sync.Mutex
	filters map[string][]rag.Filter // that each method was called with
}

// DocTypes scores by cosine alone, so that a test can say what a hit scores.
func (f *fakeIndex) DocTypes(context.Context) ([]rag.DocType, error) {
	types := slices.Clone(f.types)
	for i := range types {
		if types[i].Fusion.Or(types[i].Name) == rag.DefaultFusion(types[i].Name) {
			types[i].Fusion = rag.Fusion{Cosine: 1}
		}
	}
	return types, nil
}

func (f *fakeIndex) called(method string, filter rag.Filter) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.filters == nil {
		f.filters = map[string][]rag.Filter{}
	}
	f.filters[method] = append(f.filters[method], filter)
}

func (f *fakeIndex) Dense(_ context.Context, _ rag.Scope, filter rag.Filter, set rag.UnitSet, _ string, _ []float32, n int) ([]rag.Hit, error) {
	f.called("Dense", filter)
	return ofSet(f.dense, set, n), nil
}

func (f *fakeIndex) LexicalWeighted(_ context.Context, _ rag.Scope, filter rag.Filter, set rag.UnitSet, terms []rag.SearchTerm, n int) ([]rag.Hit, error) {
	f.called("LexicalWeighted", filter)
	if set == f.empty {
		return nil, errors.New("searched a set that is empty")
	}
	if set == rag.SentenceSet {
		f.asked = terms
	}
	return ofSet(f.lexical, set, n), nil
}

// Weights says that no term tells anything, or that each tells one.
func (f *fakeIndex) Weights(_ context.Context, _ rag.Scope, filter rag.Filter, set rag.UnitSet, terms []string) ([]rag.TermWeight, error) {
	f.called("Weights", filter)
	weights := make([]rag.TermWeight, len(terms))
	for i, t := range terms {
		weights[i] = rag.TermWeight{Term: t, IDF: 1, Units: f.units[t], Of: max(f.units[t], 1)}
		if set == f.empty {
			weights[i].Of = 0
		}
	}
	return weights, nil
}

func (f *fakeIndex) Cosines(_ context.Context, _ rag.Scope, _ string, _ []float32, ids []int64) (map[int64]float64, error) {
	m := map[int64]float64{}
	for _, id := range ids {
		m[id] = 0.1
	}
	return m, nil
}

func (f *fakeIndex) Readings(_ context.Context, _ rag.Scope, ids []int64) (map[int64]*rag.Reading, error) {
	m := map[int64]*rag.Reading{}
	for _, id := range ids {
		if r, ok := f.readings[id]; ok {
			m[id] = r
		}
	}
	return m, nil
}

// Profiles says that the versions were written before there were profiles.
func (f *fakeIndex) Profiles(context.Context, rag.Scope, rag.UnitSet, []int64) (map[int64]*rag.Profile, error) {
	return nil, nil //nolint:nilnil // none is an answer here
}

func (f *fakeIndex) SimilarTerms(_ context.Context, _ rag.Scope, filter rag.Filter, _ rag.UnitSet, _ []string) (map[string][]rag.SimilarTerm, error) {
	f.called("SimilarTerms", filter)
	return f.similar, nil
}

func ofSet(hits []rag.Hit, set rag.UnitSet, n int) []rag.Hit {
	var out []rag.Hit
	for _, h := range hits {
		if h.Set == set && len(out) < n {
			out = append(out, h)
		}
	}
	return out
}

type fakeEmbedder struct{ err error }

func (fakeEmbedder) ID() string     { return "fake" }
func (fakeEmbedder) Dimension() int { return 1 }
func (e fakeEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if e.err != nil {
		return nil, e.err
	}
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{1}
	}
	return out, nil
}

// reading makes a version of a text with one unit a line: "# " lines are
// headings and open sections, "1. " lines are steps of the section's procedure,
// blank lines separate.
func reading(t *testing.T, version int64, docType, text string) *rag.Reading {
	t.Helper()
	r := &rag.Reading{Version: version, Text: text, Document: rag.Document{ID: version * 10, Title: "Doc", DocType: docType, VersionID: version}}
	o := &r.Outline
	at := 0
	for line := range strings.Lines(text) {
		span := rag.Span{Start: at, End: at + len(strings.TrimRight(line, "\n"))}
		at += len(line)
		if heading, ok := strings.CutPrefix(line, "# "); ok || len(o.Sections) == 0 {
			if n := len(o.Sections); n > 0 {
				o.Sections[n-1].Span.End = span.Start
			}
			o.Sections = append(o.Sections, rag.Section{
				Ordinal: len(o.Sections), Parent: -1, Heading: strings.TrimSpace(heading),
				Path: []string{strings.TrimSpace(heading)}, Span: rag.Span{Start: span.Start, End: len(text)},
			})
		}
		if span.Empty() {
			continue
		}
		u := rag.Unit{
			ID: version*1000 + int64(len(o.Units)), Set: rag.SentenceSet, Ordinal: len(o.Units), Kind: rag.UnitSentence,
			Span: span, Section: len(o.Sections) - 1, Paragraph: len(o.Units), Procedure: -1, Step: -1,
		}
		if line[0] >= '1' && line[0] <= '9' {
			addStep(o, &u)
		}
		o.Units = append(o.Units, u)
	}
	for i := range o.Sections {
		s := &o.Sections[i]
		s.TreeEnd, s.Tokens = s.Span.End, words{}.Count(s.Span.In(text))
	}
	return r
}

func addStep(o *rag.Outline, u *rag.Unit) {
	n := len(o.Procedures)
	if n == 0 || o.Procedures[n-1].Section != u.Section {
		o.Procedures = append(o.Procedures, rag.Procedure{Ordinal: n, Section: u.Section, Span: u.Span})
		n++
	}
	p := &o.Procedures[n-1]
	u.Procedure, u.Step = p.Ordinal, len(p.Steps)
	p.Steps = append(p.Steps, rag.Step{Span: u.Span})
	p.Span.End = u.Span.End
}

// hit makes a dense hit on the unit that holds the words.
func hit(t *testing.T, r *rag.Reading, words string, cosine float64) rag.Hit {
	t.Helper()
	for _, u := range r.Outline.Units {
		if strings.Contains(u.Span.In(r.Text), words) {
			return rag.Hit{UnitID: u.ID, VersionID: r.Version, DocType: r.Document.DocType, Set: u.Set, Ordinal: u.Ordinal, Span: u.Span, Cosine: cosine}
		}
	}
	require.Failf(t, "no unit", "no unit holds %q", words)
	return rag.Hit{}
}

// retriever makes a retriever over the readings with the given dense hits.
func retriever(types []rag.DocType, hits []rag.Hit, readings ...*rag.Reading) *Retriever {
	f := &fakeIndex{types: types, dense: hits, readings: map[int64]*rag.Reading{}, units: map[string]int{"question": 1}}
	for _, r := range readings {
		f.readings[r.Version] = r
	}
	ret := New(f, fakeEmbedder{}, words{}, "")
	ret.calibrate, ret.keep = never, 0
	return ret
}

// never refuses: what the tests of growing find is made up.
func never(string) calibration { return calibration{limit: math.Inf(-1)} }

func retrieve(t *testing.T, r *Retriever, req Request) Result {
	t.Helper()
	req.Scope, req.Question = rag.Scope{All: true}, "question"
	res, err := r.Retrieve(t.Context(), req)
	require.NoError(t, err)
	return res
}

func texts(res Result) []string {
	var out []string
	for _, p := range res.Passages {
		out = append(out, p.Text)
	}
	return out
}
