package retrieve

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

const fiveLines = "One.\nTwo.\nThree.\nFour.\nFive.\n"

const runbook = `# Overview
Certificates expire after 90 days.
They are rotated by hand.
# Rotate
Warning: pause alerts.
1. Pause the rebalancer.
2. Fetch the certificate.
3. Copy it to the broker.
4. Restart the broker.
5. Check the log.
6. Resume the rebalancer.
# Background
The authority is internal.
`

func window(k int) *rag.Strategy { return &rag.Strategy{Kind: rag.SentenceWindow, K: k} }

func TestWindowReachesKOnBothSides(t *testing.T) { // T01
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	for _, tt := range []struct {
		name, hit, want string
		k               int
	}{
		{"hit in the middle", "Three", "One.\nTwo.\nThree.\nFour.\nFive.", 2},
		{"hit is first sentence", "One", "One.\nTwo.\nThree.", 2},
		{"hit is last sentence", "Five", "Three.\nFour.\nFive.", 2},
		{"k is zero", "Three", "Three.", 0},
		{"k is larger than the text", "Two", "One.\nTwo.\nThree.\nFour.\nFive.", 50},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ret := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, tt.hit, 0.9)}, r)
			res := retrieve(t, ret, Request{Strategy: window(tt.k)})
			require.Equal(t, []string{tt.want}, texts(res))
			p := res.Passages[0]
			require.Equal(t, p.Span.In(r.Text), p.Text)
			require.Len(t, p.Marks, 1)
			require.Contains(t, p.Marks[0].Span.In(r.Text), tt.hit)
		})
	}
}

func TestWindowSizeDoesNotChangeHits(t *testing.T) { // T02
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	hits := []rag.Hit{hit(t, r, "Two", 0.8), hit(t, r, "Five", 0.7)}
	ret := retriever(rag.DefaultDocTypes(), hits, r)
	one := retrieve(t, ret, Request{Strategy: window(0)}).Trace.Hits
	five := retrieve(t, ret, Request{Strategy: window(5)}).Trace.Hits
	require.NotEmpty(t, one)
	require.Equal(t, one, five)
}

func TestOverlappingWindowsMerge(t *testing.T) { // T03
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	hits := []rag.Hit{hit(t, r, "Two", 0.9), hit(t, r, "Three", 0.88), hit(t, r, "Four", 0.86)}
	res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, r), Request{Strategy: window(1)})
	require.Equal(t, []string{"One.\nTwo.\nThree.\nFour.\nFive."}, texts(res))
	require.Equal(t, []rag.Mark{{UnitID: hits[0].UnitID, Span: hits[0].Span, Score: 0.9}}, res.Passages[0].Marks)
}

func TestContainedSpanDoesNotMoveTheEndBack(t *testing.T) { // T03
	t.Parallel()
	r := reading(t, 1, "note", "abcdefghijklmno\n")
	g := grower{page: newPage(r, words{}, nil)}
	var all []*candidate
	for i, s := range []rag.Span{{Start: 0, End: 8}, {Start: 4, End: 6}, {Start: 6, End: 15}} {
		all = merge(all, &candidate{grower: g, span: s, score: 1 - float64(i)/10, hits: []rag.Hit{{UnitID: int64(i), Score: 1 - float64(i)/10}}})
	}
	require.Len(t, all, 1)
	require.Equal(t, rag.Span{Start: 0, End: 15}, all[0].span)
}

func TestParagraphAndSectionWindows(t *testing.T) {
	t.Parallel()
	r := reading(t, 1, "note", "# A\nOne.\nTwo.\n# B\nThree.\n")
	for i := range r.Outline.Units {
		r.Outline.Units[i].Paragraph = r.Outline.Units[i].Section
	}
	ret := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "One", 0.9)}, r)
	for _, extent := range []rag.Extent{rag.ExtentParagraph, rag.ExtentSection} {
		res := retrieve(t, ret, Request{Strategy: &rag.Strategy{Kind: rag.SentenceWindow, Extent: extent}})
		require.Equal(t, []string{"# A\nOne.\nTwo."}, texts(res), extent)
	}
}

func TestProcedureComesBackWhole(t *testing.T) { // T22
	t.Parallel()
	r := reading(t, 1, "runbook", runbook)
	steps := runbook[strings.Index(runbook, "1. "):strings.Index(runbook, "# Background")]
	for _, s := range []*rag.Strategy{nil, window(0), window(1), window(2), window(5), {Kind: rag.ParentSection}} {
		name := "auto"
		if s != nil {
			name = s.String()
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ret := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "Restart the broker", 0.9)}, r)
			res := retrieve(t, ret, Request{Strategy: s})
			require.Len(t, res.Passages, 1)
			require.Contains(t, res.Passages[0].Text, strings.TrimSpace(steps))
			require.Len(t, res.Passages[0].Parts, 1)
			require.True(t, res.Passages[0].Parts[0].Whole())
			require.Equal(t, "steps 1–6 of 6", res.Passages[0].Parts[0].Label())
		})
	}
}

func TestExactWindowLabelsAPartOfAProcedure(t *testing.T) { // T22
	t.Parallel()
	r := reading(t, 1, "runbook", runbook)
	ret := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "Restart the broker", 0.9)}, r)
	p := retrieve(t, ret, Request{Strategy: window(1), Exact: true}).Passages[0]
	require.Equal(t, "3. Copy it to the broker.\n4. Restart the broker.\n5. Check the log.", p.Text)
	require.Equal(t, "steps 3–5 of 6", p.Parts[0].Label())
	require.False(t, p.Parts[0].Whole())
}

func TestProcedureOverTheCapIsLabelled(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Long\n")
	for i := 1; i <= 9; i++ {
		fmt.Fprintf(&b, "%d. step%d %s\n", i, i, strings.Repeat("word ", 300))
	}
	r := reading(t, 1, "note", b.String())
	ret := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "step4", 0.9)}, r)
	p := retrieve(t, ret, Request{Strategy: window(1)}).Passages[0]
	require.Equal(t, "steps 3–5 of 9", p.Parts[0].Label())
}

func TestThirtyHitsInOneParentDoNotPushAnotherOut(t *testing.T) { // T31
	t.Parallel()
	var b strings.Builder
	b.WriteString("# A\n")
	for i := range 30 {
		fmt.Fprintf(&b, "Sentence number%02d.\n", i)
	}
	a, other := reading(t, 1, "runbook", b.String()), reading(t, 2, "runbook", "# B\nThe one.\n")
	var hits []rag.Hit
	for i := range 30 {
		hits = append(hits, hit(t, a, fmt.Sprintf("number%02d", i), 0.9))
	}
	hits = append(hits, hit(t, other, "The one", 0.5))
	res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, a, other), Request{Top: 2})
	require.Len(t, res.Passages, 2)
	require.Equal(t, []int64{1, 2}, []int64{res.Passages[0].Version, res.Passages[1].Version})
	require.Equal(t, "# B\nThe one.", res.Passages[1].Text)

	ret := retriever(rag.DefaultDocTypes(), append(hits[:30:30], hit(t, other, "The one", 0.6)), a, other)
	ret.keep = keepShare
	require.Len(t, retrieve(t, ret, Request{Top: 2}).Passages, 2, "as the program runs, unless it is far behind")
}

func TestPassageShowsTheStrategyThatGrewIt(t *testing.T) { // T33
	t.Parallel()
	a, b := reading(t, 1, "runbook", runbook), reading(t, 2, "note", fiveLines)
	hits := []rag.Hit{hit(t, a, "They are rotated", 0.9), hit(t, b, "Three", 0.8)}
	res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, a, b), Request{})
	require.Len(t, res.Passages, 2)
	require.Equal(t, rag.ParentSection, res.Passages[0].Strategy.Kind)
	require.Equal(t, "sentence_window k=2", res.Passages[1].Strategy.String())
}

func TestHugeParentIsCutDownToTheBudget(t *testing.T) { // T39
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Huge\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "sentence%04d %s\n", i, strings.Repeat("word ", 9))
	}
	r := reading(t, 1, "runbook", b.String())
	ret := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "sentence1000", 0.9)}, r)
	for _, budget := range []int{4000, 1000, 200, 50} {
		res := retrieve(t, ret, Request{BudgetTokens: budget, Strategy: &rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentSection}})
		require.Len(t, res.Passages, 1, budget)
		require.LessOrEqual(t, res.Passages[0].Tokens, budget)
		require.Contains(t, res.Passages[0].Text, "sentence1000")
		require.Len(t, res.Trace.Cut, 1)
	}
	res := retrieve(t, ret, Request{BudgetTokens: 20})
	require.Empty(t, res.Passages, "a unit that does not fit is left out, and the trace says so")
	require.NotEmpty(t, res.Trace.Cut)
	require.False(t, res.Refused, "something was found")
}

func TestBudgetOfCharacters(t *testing.T) {
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	ret := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "Two", 0.9), hit(t, r, "Five", 0.8)}, r)
	res := retrieve(t, ret, Request{Strategy: window(0), BudgetChars: 6, BudgetTokens: -1})
	require.Equal(t, []string{"Two."}, texts(res))
}

func TestEmptyQuestionIsAnError(t *testing.T) {
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	_, err := retriever(rag.DefaultDocTypes(), nil, r).Retrieve(t.Context(), Request{Question: " \n"})
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
}

// A code block that was divided for the embedder comes back whole, but for
// windows of exactly k.
func TestPiecesOfOneUnitComeTogether(t *testing.T) { // T54
	t.Parallel()
	r := reading(t, 1, "note", "Before.\nls a\nls b\nls c\nAfter.\nEnd.\n")
	for i := 1; i <= 3; i++ {
		r.Outline.Units[i].Kind, r.Outline.Units[i].Paragraph = rag.UnitCode, 1
	}
	ret := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "ls b", 0.9)}, r)
	require.Equal(t, "ls a\nls b\nls c", retrieve(t, ret, Request{Strategy: window(0)}).Passages[0].Text)
	require.Equal(t, "ls b", retrieve(t, ret, Request{Strategy: window(0), Exact: true}).Passages[0].Text)
	ret = retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "After", 0.9)}, r)
	require.Equal(t, "ls a\nls b\nls c\nAfter.\nEnd.", retrieve(t, ret, Request{Strategy: window(1)}).Passages[0].Text)
}

func TestFusionMixesScores(t *testing.T) { // T59
	t.Parallel()
	const chunks = rag.UnitSet("tokens-256-32")
	dense := []rag.Hit{{UnitID: 1, Cosine: 0.5}, {UnitID: 2, Cosine: 0.45}}
	lexical := []rag.Hit{{UnitID: 2, Cosine: 0.45, BM25: 8}, {UnitID: 3, Set: chunks, Cosine: 0.4, BM25: 1}}
	got := fuse(dense, lexical, map[rag.UnitSet]float64{"": 10, chunks: 2.5})
	ids, scores := []int64{}, []float64{}
	for _, h := range got {
		ids, scores = append(ids, h.UnitID), append(scores, h.Score)
	}
	require.Equal(t, []int64{2, 3, 1}, ids)
	require.InDeltaSlice(t, []float64{1.45, 0.9, 0.5}, scores, 1e-9)
}

// TestPassagesNeverOverlap is invariant 3 of the design: passages of one answer
// never overlap, every kept hit lies in exactly one of them, their order is
// that of their best hits, and a part of a procedure is labelled (invariant 4).
func TestPassagesNeverOverlap(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		var b strings.Builder
		for i, n := 0, 5+rng.IntN(40); i < n; i++ {
			switch rng.IntN(6) {
			case 0:
				fmt.Fprintf(&b, "# Heading %d\n", i)
			case 1, 2:
				fmt.Fprintf(&b, "%d. Step of line%d.\n", 1+i%9, i)
			default:
				fmt.Fprintf(&b, "Sentence of line%d.\n\n", i)
			}
		}
		r := reading(t, 1, "note", b.String())
		var hits []rag.Hit
		for range 1 + rng.IntN(12) {
			u := r.Outline.Units[rng.IntN(len(r.Outline.Units))]
			hits = append(hits, rag.Hit{UnitID: u.ID, VersionID: 1, DocType: "note", Set: u.Set, Ordinal: u.Ordinal, Span: u.Span, Cosine: 0.4 + rng.Float64()/2})
		}
		s := []*rag.Strategy{window(rng.IntN(5)), {Kind: rag.ParentSection}, {Kind: rag.SentenceWindow, Extent: rag.ExtentSection}}[rng.IntN(3)]
		res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, r), Request{Strategy: s, Top: 1 + rng.IntN(6), Exact: rng.IntN(2) == 0})
		checkPassages(t, r, res, round)
	}
}

func checkPassages(t *testing.T, r *rag.Reading, res Result, round int) {
	t.Helper()
	for i, p := range res.Passages {
		require.Equal(t, p.Span.In(r.Text), p.Text, round)
		require.NotEmpty(t, p.Marks, round)
		for _, q := range res.Passages[:i] {
			require.False(t, p.Span.Overlaps(q.Span), round)
			require.GreaterOrEqual(t, q.Score, p.Score, round)
		}
		for _, m := range p.Marks {
			require.True(t, p.Span.Contains(m.Span), round)
		}
		for _, proc := range r.Outline.Procedures {
			labelled := false
			for _, part := range p.Parts {
				labelled = labelled || part.Procedure == proc.Ordinal
			}
			require.Equal(t, proc.Span.Overlaps(p.Span), labelled, round)
		}
	}
}

func TestMarksHoldTheWordsOfTheQuestion(t *testing.T) {
	t.Parallel()
	r := reading(t, 1, "runbook", "# Rotate certificates\nNever hurry.\nRotate one certificate at a time.\nCertificates expire.\nAsk first.\n")
	hits := []rag.Hit{hit(t, r, "Never", 0.9), hit(t, r, "# Rotate", 0.89), hit(t, r, "Rotate one", 0.88), hit(t, r, "expire", 0.87), hit(t, r, "Ask", 0.5)}
	ret := retriever(rag.DefaultDocTypes(), hits, r)
	for question, want := range map[string][]string{
		"How do I rotate certificates?": {"# Rotate certificates", "Rotate one certificate at a time.", "Certificates expire."},
		"When does it expire?":          {"Certificates expire."},
		"Something else entirely?":      {"Never hurry."},
	} {
		res, err := ret.Retrieve(t.Context(), Request{Scope: rag.Scope{All: true}, Question: question})
		require.NoError(t, err)
		var got []string
		for _, m := range res.Passages[0].Marks {
			got = append(got, m.Span.In(r.Text))
		}
		require.Equal(t, want, got, question)
	}
}

func TestManyHitsInOneParentAreFetchedPast(t *testing.T) { // T31
	t.Parallel()
	var b strings.Builder
	b.WriteString("# A\n")
	for i := range 260 {
		fmt.Fprintf(&b, "Sentence number%03d.\n", i)
	}
	a, other := reading(t, 1, "runbook", b.String()), reading(t, 2, "runbook", "# B\nThe one.\n")
	var hits []rag.Hit
	for i := range 260 {
		hits = append(hits, hit(t, a, fmt.Sprintf("number%03d", i), 0.9))
	}
	hits = append(hits, hit(t, other, "The one", 0.5))
	res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, a, other), Request{Top: 5})
	require.Len(t, res.Passages, 2)
	require.Equal(t, int64(2), res.Passages[1].Version)
}

// T59b: every leg and every look-up leaves out what the reader leaves out, also
// where a search is repeated with more units.
func TestTheFilterHoldsEverywhere(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# A\n")
	for i := range 260 {
		fmt.Fprintf(&b, "Sentence number%03d.\n", i)
	}
	a := reading(t, 1, "runbook", b.String())
	var hits []rag.Hit
	for i := range 260 {
		hits = append(hits, hit(t, a, fmt.Sprintf("number%03d", i), 0.9))
	}
	f := &fakeIndex{types: rag.DefaultDocTypes(), dense: hits, lexical: hits, readings: map[int64]*rag.Reading{1: a}}
	ret := New(f, fakeEmbedder{}, words{}, "")
	ret.calibrate = never
	retrieve(t, ret, Request{Top: 5, Filter: rag.Filter{Spaces: []int64{7}, DocTypes: []string{"runbook"}}})
	require.Greater(t, len(f.filters["Dense"]), 1, "it was repeated")
	for _, method := range []string{"Dense", "LexicalWeighted", "Weights", "SimilarTerms"} {
		require.NotEmpty(t, f.filters[method], method)
		for _, filter := range f.filters[method] {
			require.Equal(t, rag.Filter{Spaces: []int64{7}, DocTypes: []string{"runbook"}}, filter, method)
		}
	}
}

func TestEmptySetsAreNotSearchedByWords(t *testing.T) {
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	types := rag.DefaultDocTypes()
	var chunks rag.UnitSet
	for _, d := range types {
		if set := d.Strategy.UnitSet(""); set != rag.SentenceSet {
			chunks = set
		}
	}
	require.NotEmpty(t, chunks, "some type is cut into chunks")
	f := &fakeIndex{types: types, lexical: []rag.Hit{hit(t, r, "Two", 0)}, readings: map[int64]*rag.Reading{1: r}, empty: chunks}
	f.lexical[0].BM25 = 3
	require.Len(t, retrieve(t, New(f, nil, words{}, ""), Request{}).Passages, 1)
}

func TestEmbedderAwaySearchesByWords(t *testing.T) {
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	lexical := hit(t, r, "Two", 0)
	lexical.BM25 = 3
	f := &fakeIndex{types: rag.DefaultDocTypes(), lexical: []rag.Hit{lexical}, readings: map[int64]*rag.Reading{1: r}}
	away := rag.Errorf(rag.CodeUnavailable, "The embedding server cannot be reached.")
	ret := New(f, fakeEmbedder{err: away}, words{}, "")
	res := retrieve(t, ret, Request{})
	require.True(t, res.Trace.WordsOnly)
	require.Len(t, res.Passages, 1)
	_, err := ret.Retrieve(t.Context(), Request{Question: "q", Legs: DenseOnly})
	require.ErrorIs(t, err, away)
	refused := rag.Errorf(rag.CodeInvalid, "The embedding server refused the key.")
	_, err = New(f, fakeEmbedder{err: refused}, words{}, "").Retrieve(t.Context(), Request{Question: "q"})
	require.ErrorIs(t, err, refused)
}

func TestChunkMarksTheSentenceInside(t *testing.T) {
	t.Parallel()
	r := reading(t, 1, "reference", "The first row.\nERR-4012 means a late signature.\nThe last row.\n")
	set := rag.UnitSet("tokens-256-32")
	chunk := rag.Unit{ID: 77, Set: set, Kind: rag.UnitChunk, Span: rag.Span{Start: 0, End: len(r.Text)}, Procedure: -1, Step: -1}
	sentence := r.Outline.Units[1]
	r.Outline.Units = append(r.Outline.Units, chunk)
	h := rag.Hit{UnitID: 77, VersionID: 1, DocType: "reference", Set: set, Span: chunk.Span, Cosine: 0.7}
	res, err := retriever(rag.DefaultDocTypes(), []rag.Hit{h}, r).Retrieve(t.Context(), Request{Scope: rag.Scope{All: true}, Question: "What does ERR-4012 mean?"})
	require.NoError(t, err)
	require.Equal(t, []rag.Mark{{UnitID: sentence.ID, Span: sentence.Span, Score: 0.7}}, res.Passages[0].Marks)
	require.Equal(t, 1, res.Trace.Windows[0].ChunkTotal)
}
