package retrieve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// place is where the words stand in a reading.
func place(r *rag.Reading, words string) rag.Place {
	at := strings.Index(r.Text, words)
	return rag.Place{Version: r.Version, Span: rag.Span{Start: at, End: at + len(words)}}
}

func TestEarlierPassagesStayCandidates(t *testing.T) { // T62
	t.Parallel()
	a := reading(t, 1, "note", "# A\nAlpha one.\nAlpha two.\nAlpha three.\n")
	b := reading(t, 2, "note", "# B\nBeta one.\nBeta two.\n# C\nGamma.\n# D\nDelta.\n")
	found := []rag.Hit{hit(t, b, "Beta one", 0.9), hit(t, b, "Gamma", 0.8), hit(t, b, "Delta", 0.7)}
	before := place(a, "Alpha one.\nAlpha two.")
	for _, tt := range []struct {
		name    string
		req     Request
		hits    []rag.Hit
		want    []string
		dropped string // why, in the trace
	}{
		{"they come first when the question says nothing", Request{Earlier: []rag.Place{before}, EarlierFirst: true, Top: 2}, found, []string{"Alpha one.\nAlpha two.", "Beta one."}, ""},
		{"in the order of the answer", Request{Earlier: []rag.Place{place(b, "Delta."), before}, EarlierFirst: true}, found[:1], []string{"Delta.", "Alpha one.\nAlpha two.", "Beta one."}, ""},
		{"the best of them stays", Request{Earlier: []rag.Place{before, place(a, "Alpha three.")}, Top: 2}, found, []string{"Beta one.", "Alpha one.\nAlpha two."}, ""},
		{"what was found anyhow is not given twice", Request{Earlier: []rag.Place{place(b, "Beta one.")}, Top: 2}, found, []string{"Beta one.", "Gamma."}, ""},
		{"one that grows into what was found is one with it", Request{Earlier: []rag.Place{place(b, "Beta one.\nBeta two.")}}, found[:1], []string{"Beta one.\nBeta two."}, ""},
		{"a weak question is answered from them", Request{Earlier: []rag.Place{before}}, []rag.Hit{hit(t, b, "Delta", 0.1)}, []string{"Alpha one.\nAlpha two.", "Delta."}, ""},
		{"also when nothing is found", Request{Earlier: []rag.Place{before}}, nil, []string{"Alpha one.\nAlpha two."}, ""},
		{"twice the same", Request{Earlier: []rag.Place{before, before}, EarlierFirst: true}, found[:1], []string{"Alpha one.\nAlpha two.", "Beta one."}, "named twice"},
		{"a deleted document", Request{Earlier: []rag.Place{{Version: 99, Span: rag.Span{End: 5}}}}, found[:1], []string{"Beta one."}, "gone"},
		{"a place that is none", Request{Earlier: []rag.Place{{Version: 1, Span: rag.Span{Start: 3, End: 5000}}}}, found[:1], []string{"Beta one."}, "no such place"},
		{"a place turned round", Request{Earlier: []rag.Place{{Version: 1, Span: rag.Span{Start: 8, End: -3}}}}, found[:1], []string{"Beta one."}, "no such place"},
		{"another space is asked", Request{Earlier: []rag.Place{before}, Filter: rag.Filter{Spaces: []int64{5}}}, found[:1], []string{"Beta one."}, "not searched now"},
		{"another document type is asked", Request{Earlier: []rag.Place{before}, Filter: rag.Filter{DocTypes: []string{"runbook"}}}, found[:1], []string{"Beta one."}, "not searched now"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.req.Strategy = window(0)
			res := retrieve(t, retriever(rag.DefaultDocTypes(), tt.hits, a, b), tt.req)
			require.False(t, res.Refused)
			require.Equal(t, tt.want, texts(res))
			for i := 1; i < len(res.Passages); i++ {
				require.GreaterOrEqual(t, res.Passages[i-1].Score, res.Passages[i].Score)
			}
			var why []string
			for _, cut := range res.Trace.Cut {
				why = append(why, cut.Why)
			}
			if tt.dropped != "" {
				require.Contains(t, strings.Join(why, "\n"), tt.dropped)
			}
		})
	}
}

// T75: a passage of a version that has been replaced is not read again.
func TestEarlierPassageOfAnOldVersionIsLeftOut(t *testing.T) { // T62
	t.Parallel()
	old, now := reading(t, 1, "note", "Kept for 180 days.\n"), reading(t, 2, "note", "Kept for 270 days.\n")
	old.Document.VersionID = 2
	res := retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, now, "270", 0.5)}, old, now), Request{Earlier: []rag.Place{place(old, "Kept for 180 days.")}, EarlierFirst: true})
	require.Equal(t, []string{"Kept for 270 days."}, texts(res))
	require.Contains(t, res.Trace.Cut[0].Why, "has changed since")
	weak := retrieve(t, retriever(rag.DefaultDocTypes(), nil, old), Request{Earlier: []rag.Place{place(old, "Kept for 180 days.")}})
	require.True(t, weak.Refused, "with nothing left of them a weak question is refused")
}

// A procedure of an answer before comes back whole and with its label, and fits
// the budget.
func TestEarlierPassageKeepsItsSpanAndItsParts(t *testing.T) { // T22, T62
	t.Parallel()
	r := reading(t, 1, "runbook", runbook)
	at := strings.Index(runbook, "2. Fetch")
	before := rag.Place{Version: 1, Span: rag.Span{Start: at, End: strings.Index(runbook, "\n5. Check")}}
	p := only(t, retrieve(t, retriever(rag.DefaultDocTypes(), nil, r), Request{Earlier: []rag.Place{before}}))
	require.Equal(t, before.Span, p.Span)
	require.Equal(t, "steps 2–4 of 6", p.Parts[0].Label())
	require.NotEmpty(t, p.Marks)
}
