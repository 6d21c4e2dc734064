package retrieve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/analyze"
)

func TestRefusalNamesTheNearest(t *testing.T) { // T63
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	ret := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "Two", 0.1)}, r)
	ret.calibrate = func(string) calibration { return calibration{limit: math.Inf(1)} }
	res := retrieve(t, ret, Request{})
	require.True(t, res.Refused)
	require.Equal(t, []string{"Doc"}, res.Nearest)
	require.False(t, retrieve(t, ret, Request{Legs: DenseOnly}).Refused, "a search by one leg is an experiment")
	require.True(t, retrieve(t, retriever(rag.DefaultDocTypes(), nil, r), Request{Legs: DenseOnly}).Refused, "nothing found")
}

// Evidence as questions of the development sets had it.
func TestWhatIsRefused(t *testing.T) { // T59: never by a fused score
	t.Parallel()
	for _, tt := range []struct {
		name             string
		e                Evidence
		builtIn, byWords bool
	}{
		{"every word in one unit", Evidence{Cosine: 0.76, Unit: 1, Window: 1, Document: 1, Words: 4}, false, false},
		{"other words, similar", Evidence{Cosine: 0.53, Unit: 0.38, Window: 0.47, Document: 0.61, Words: 11}, false, false},
		{"half of the words, near by", Evidence{Cosine: 0.57, Unit: 0.6, Window: 0.74, Document: 0.85, Words: 8}, false, false},
		{"another disease", Evidence{Cosine: 0.40, Unit: 0.21, Window: 0.21, Document: 0.39, Unknown: 0.61, Words: 4}, true, true},
		{"another trade", Evidence{Cosine: 0.22, Unit: 0.12, Window: 0.12, Document: 0.12, Unknown: 0.88, Words: 5}, true, true},
		{"a near miss", Evidence{Cosine: 0.47, Unit: 0.25, Window: 0.25, Document: 0.35, Unknown: 0.40, Words: 7}, true, true},
		{"no words at all in common", Evidence{Cosine: 0.44, Unknown: 1, Words: 1}, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for embedder, want := range map[string]bool{"use-lite/1-f16": tt.builtIn, "": tt.byWords, "openai/text-embedding-3-small": false} {
				c := calibrated(embedder)
				require.Equal(t, want, c.odds(tt.e) < c.limit, "%q: %.2f", embedder, c.odds(tt.e))
			}
		})
	}
}

// More evidence never turns an answer into a refusal.
func TestMoreEvidenceSpeaksForAnAnswer(t *testing.T) {
	t.Parallel()
	e := Evidence{Cosine: 0.4, Unit: 0.4, Window: 0.4, Document: 0.4, Unknown: 0.4, Words: 5}
	for _, c := range []calibration{builtIn, byWords} {
		for _, more := range []Evidence{
			{Cosine: 0.6, Unit: 0.4, Window: 0.4, Document: 0.4, Unknown: 0.4, Words: 5},
			{Cosine: 0.4, Unit: 0.6, Window: 0.6, Document: 0.6, Unknown: 0.4, Words: 5},
			{Cosine: 0.4, Unit: 0.4, Window: 0.4, Document: 0.4, Unknown: 0.1, Words: 5},
		} {
			require.GreaterOrEqual(t, c.odds(more), c.odds(e))
		}
	}
}

func TestUnmentionedWordsAreNamed(t *testing.T) { // T63
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	for _, tt := range []struct {
		name, question string
		units          map[string]int
		unmentioned    []string
	}{
		{"most words unknown", "best pizza topping, Naples?", map[string]int{"best": 3}, []string{"pizza", "topping", "Naples"}},
		{"one word of three unknown", "dose aspirin children", map[string]int{"dose": 3, "children": 2}, []string{"aspirin"}},
		{"one of many words unknown", "how are all dose children given drug time warfarin", map[string]int{"dose": 3, "children": 2, "given": 1, "drug": 1, "time": 1}, []string{"warfarin"}},
		{"a short name", "dose of EKS", map[string]int{"dose": 3}, []string{"EKS"}},
		{"function words of another language, signs", "Wie dose ich 🔥", map[string]int{"dose": 3}, nil},
		{"all words known", "dose children", map[string]int{"dose": 3, "children": 2}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			units := map[string]int{}
			for word, n := range tt.units {
				for _, term := range analyze.QueryTerms(word) {
					units[term] = n
				}
			}
			h := hit(t, r, "Two", 0.4)
			f := &fakeIndex{types: rag.DefaultDocTypes(), dense: []rag.Hit{h}, lexical: []rag.Hit{h}, units: units, readings: map[int64]*rag.Reading{1: r}}
			ret := New(f, fakeEmbedder{}, words{}, "")
			ret.calibrate = never
			res, err := ret.Retrieve(t.Context(), Request{Scope: rag.Scope{All: true}, Question: tt.question})
			require.NoError(t, err)
			require.Equal(t, tt.unmentioned, res.Unmentioned)
		})
	}
}

// A word that no document holds is searched as the one it stands for, and is not
// called unmentioned.
func TestSimilarWordStandsIn(t *testing.T) { // T57
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	h := hit(t, r, "Two", 0.4)
	f := &fakeIndex{
		types: rag.DefaultDocTypes(), dense: []rag.Hit{h}, units: map[string]int{"zertifikat": 2}, readings: map[int64]*rag.Reading{1: r},
		similar: map[string][]rag.SimilarTerm{"zertifikaten": {{Term: "zertifikat", Similarity: 0.8, Units: 2}}},
	}
	ret := New(f, fakeEmbedder{}, words{}, "")
	ret.calibrate = never
	res, err := ret.Retrieve(t.Context(), Request{Scope: rag.Scope{All: true}, Question: "Zertifikaten?"})
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"zertifikaten": {"zertifikat"}}, res.Trace.Similar)
	require.Empty(t, res.Unmentioned)
	require.Equal(t, []rag.SearchTerm{{Term: "zertifikat", Weight: 0.8}}, f.asked)
}
