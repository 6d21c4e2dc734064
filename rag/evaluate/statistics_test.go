package evaluate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/retrieve"
)

func TestIntervalsOfKnownCases(t *testing.T) {
	t.Parallel()
	low, high := interval(nil, 1)
	require.Zero(t, low)
	require.Zero(t, high)
	low, high = interval([]float64{0.5, 0.5, 0.5}, 1)
	require.Equal(t, []float64{0.5, 0.5}, []float64{low, high})

	// Of 100 values, half of them 1, the mean varies with √(0.25/100) = 0.05.
	var coins []float64
	for i := range 100 {
		coins = append(coins, float64(i%2))
	}
	low, high = interval(coins, 1)
	require.InDelta(t, 0.5-1.96*0.05, low, 0.015)
	require.InDelta(t, 0.5+1.96*0.05, high, 0.015)
	again, _ := interval(coins, 1)
	require.InDelta(t, low, again, 0, "the same seed gives the same")

	// The interval of a normal mean is near the textbook's.
	r := rand.New(rand.NewPCG(1, 2))
	var normal []float64
	for range 400 {
		normal = append(normal, 10+2*r.NormFloat64())
	}
	m := mean(normal)
	low, high = interval(normal, 3)
	require.InDelta(t, m-1.96*2/20, low, 0.03)
	require.InDelta(t, m+1.96*2/20, high, 0.03)
}

// Over many draws the interval holds the true mean about 95 times in 100.
func TestIntervalsHoldTheMean(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	held := 0
	const draws = 200
	for i := range draws {
		var values []float64
		for range 60 {
			values = append(values, flag(r.Float64() < 0.7))
		}
		low, high := interval(values, uint64(i))
		if low <= 0.7 && 0.7 <= high {
			held++
		}
	}
	require.InDelta(t, 0.95, float64(held)/draws, 0.05)
}

func TestQuantiles(t *testing.T) {
	t.Parallel()
	list := []float64{1, 2, 3, 4, 10}
	require.InDelta(t, 3, quantile(list, 0.5), 0)
	require.InDelta(t, 8.8, quantile(list, 0.95), 1e-9)
	require.InDelta(t, 10, quantile(list, 1), 0)
	require.InDelta(t, 1, quantile(list, 0), 0)
	require.InDelta(t, 7, quantile([]float64{7}, 0.95), 0)
	require.Zero(t, quantile(nil, 0.5))
}

// outcomes makes one for each value of a measure.
func outcomes(m Measure, docType string, tokens float64, values ...float64) []Outcome {
	var list []Outcome
	for i, v := range values {
		list = append(list, Outcome{Question: fmt.Sprintf("%s-%d", docType, i), Kind: KindSpan, DocType: docType, Values: Values{m: v, Tokens: tokens}})
	}
	return list
}

func TestSummaryLeavesOutWhatDoesNotApply(t *testing.T) {
	t.Parallel()
	list := append(outcomes(Found, "runbook", 100, 1, 0), outcomes(Complete, "note", 300, 1)...)
	s := Summarise(list, 1)
	require.Len(t, s, 3)
	require.Equal(t, 2, s[Found].N)
	require.InDelta(t, 0.5, s[Found].Mean, 0)
	require.Equal(t, Estimate{Mean: 1, Low: 1, High: 1, N: 1}, s[Complete])
	require.InDelta(t, 500.0/3, s[Tokens].Mean, 1e-9)
	require.InDelta(t, 100, s[Tokens].P50, 0)
	require.InDelta(t, 280, s[Tokens].P95, 1e-9)
	types := summariseTypes(append(list, Outcome{Question: "never", Values: Values{RefusedRightly: 1}}), 1)
	require.Len(t, types, 2)
	require.Equal(t, 1, types["note"][Tokens].N)
}

// What is hard for both settings does not hide a difference that every question
// shows.
func TestComparisonIsPaired(t *testing.T) {
	t.Parallel()
	var a, b []float64
	for i := range 40 {
		a = append(a, float64(i)/50)
		b = append(b, float64(i)/50+0.02+float64(i%2)/100)
	}
	from, to := Result{Outcomes: outcomes(Found, "note", 10, a...)}, Result{Outcomes: outcomes(Found, "note", 10, b...)}
	slices.Reverse(to.Outcomes) // the order does not matter
	d := Compare(from, to, 1)
	require.Len(t, d, 2)
	require.Equal(t, Found, d[0].Measure)
	require.Equal(t, 40, d[0].N)
	require.InDelta(t, 0.025, d[0].Mean, 1e-9)
	require.False(t, d[0].Noise())
	require.Greater(t, d[0].Low, 0.02)
	require.Less(t, d[0].High, 0.03)
	require.True(t, d[1].Noise(), "the tokens are the same")

	back := Compare(to, from, 1)
	require.InDelta(t, -d[0].Mean, back[0].Mean, 1e-12)
	require.Empty(t, Compare(from, Result{Outcomes: outcomes(Found, "other", 10, 1)}, 1))
	one := Compare(from, Result{Outcomes: to.Outcomes[:1]}, 1)
	require.Equal(t, 1, one[0].N)
}

func window(k int) *rag.Strategy { return &rag.Strategy{Kind: rag.SentenceWindow, K: k} }

// hits makes n values of which the first are 1.
func hits(n, ones int) []float64 {
	list := make([]float64, n)
	for i := range ones {
		list[i] = 1
	}
	return list
}

func result(s Setting, tokens float64, values []float64) Result {
	return Result{Setting: s, Outcomes: outcomes(Found, "runbook", tokens, values...)}
}

func TestAdviceIsTheSmallestWithinNoise(t *testing.T) {
	t.Parallel()
	section := &rag.Strategy{Kind: rag.ParentSection, Cap: 1024}
	run := Run{Results: []Result{
		result(Setting{}, 5, hits(120, 120)), // the chat's own: no strategy to apply
		result(Setting{Strategy: section}, 1240, hits(120, 103)),
		result(Setting{Strategy: window(0)}, 120, hits(120, 60)),
		result(Setting{Strategy: window(2)}, 310, hits(120, 101)),
		result(Setting{Strategy: window(1), Legs: retrieve.LexicalOnly}, 1, hits(120, 120)), // another group
	}}
	list, err := Advise(run, Found)
	require.NoError(t, err)
	require.Len(t, list, 1)
	a := list[0]
	require.Equal(t, "runbook", a.DocType)
	require.Equal(t, 3, a.Chosen.Index)
	require.Equal(t, 1, a.Best.Index)
	require.Equal(t, window(2), a.Strategy)
	require.InDelta(t, 2.0/120, a.Difference.Mean, 1e-9)
	require.Equal(t, "sentence_window k=2 finds 0.84 of the answers with 310 tokens; the best, parent_section cap=1024, finds 0.86 with 1,240, which is within the noise of 120 questions.", a.Reason)
}

func TestReasonsOfAdvice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		measure Measure
		results []Result
		chosen  int
		applies bool
		want    string
	}{
		{
			"the best is not within noise of anything smaller", Found,
			[]Result{result(Setting{Strategy: window(0)}, 100, hits(50, 10)), result(Setting{Strategy: window(1)}, 200, hits(50, 45))},
			1, true,
			"sentence_window k=1 finds 0.90 of the answers with 200 tokens; it is the best, and every smaller setting is worse by more than the noise of 50 questions.",
		},
		{
			"the best is the smallest too", Found,
			[]Result{result(Setting{Strategy: window(0)}, 100, hits(50, 45)), result(Setting{Strategy: window(1)}, 200, hits(50, 40))},
			0, true,
			"sentence_window k=0 finds 0.90 of the answers with 100 tokens; no other of the 2 settings is better or smaller on 50 questions.",
		},
		{
			"equal settings: the smaller", Found,
			[]Result{result(Setting{Strategy: window(3)}, 300, hits(50, 50)), result(Setting{Strategy: window(1)}, 200, hits(50, 50))},
			1, true,
			"sentence_window k=1 finds 1.00 of the answers with 200 tokens; no other of the 2 settings is better or smaller on 50 questions.",
		},
		{
			"too few questions", Found,
			[]Result{result(Setting{Strategy: window(0)}, 100, hits(9, 4)), result(Setting{Strategy: window(1)}, 200, hits(9, 9))},
			1, false,
			"Only 9 questions: too few to advise, 10 are needed (so far sentence_window k=1 finds 1.00 of the answers with 200 tokens).",
		},
		{
			"one setting", Found,
			[]Result{result(Setting{Strategy: window(0)}, 100, hits(20, 20))},
			0, true,
			"sentence_window k=0 finds 1.00 of the answers with 100 tokens; the run compares it with no other strategy.",
		},
		{
			"another measure", CharRecall,
			[]Result{{Setting: Setting{Strategy: window(0)}, Outcomes: outcomes(CharRecall, "note", 90, hits(20, 12)...)}, {Setting: Setting{Strategy: window(1)}, Outcomes: outcomes(CharRecall, "note", 1234567, hits(20, 13)...)}},
			0, true,
			"sentence_window k=0 reaches recall (chars) 0.60 with 90 tokens; the best, sentence_window k=1, reaches 0.65 with 1,234,567, which is within the noise of 20 questions.",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			list, err := Advise(Run{Results: tt.results}, tt.measure)
			require.NoError(t, err)
			require.Len(t, list, 1)
			require.Equal(t, tt.chosen, list[0].Chosen.Index)
			require.Equal(t, tt.applies, list[0].Strategy != nil)
			require.Equal(t, tt.want, list[0].Reason)
		})
	}
	for _, m := range []Measure{Tokens, RefusedWrongly, "fun"} {
		_, err := Advise(Run{Results: []Result{result(Setting{Strategy: window(0)}, 1, hits(9, 9))}}, m)
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	}
	_, err := Advise(Run{Results: []Result{result(Setting{}, 1, hits(9, 9))}}, Found)
	require.ErrorContains(t, err, "no setting with a strategy of its own")
}

// found and whole of questions for procedures, which are the same for each.
func procedures(s Setting, tokens float64, found, complete []float64) Result {
	r := result(s, tokens, found)
	for i := range r.Outcomes {
		r.Outcomes[i].Kind, r.Outcomes[i].Values[Complete] = KindProcedure, complete[i%len(complete)]
	}
	return r
}

func TestSettingsThatLeaveProceduresIncompleteAreNotAdvised(t *testing.T) {
	t.Parallel()
	section := &rag.Strategy{Kind: rag.ParentSection, Cap: 1024}
	for _, tt := range []struct {
		name    string
		results []Result
		chosen  int
		want    string
	}{
		{
			"by more than noise, though it finds as much",
			[]Result{procedures(Setting{Strategy: window(0)}, 100, hits(400, 400), hits(400, 384)), procedures(Setting{Strategy: section}, 900, hits(400, 400), hits(400, 400))},
			1, "parent_section cap=1024 finds 1.00 of the answers with 900 tokens. Another setting is not advised: it brings fewer procedures back whole.",
		},
		{
			"by more than 0.05, though it may be noise",
			[]Result{procedures(Setting{Strategy: window(0)}, 100, hits(12, 12), append(hits(11, 11), 0)), procedures(Setting{Strategy: section}, 900, hits(12, 12), hits(12, 12))},
			1, "parent_section cap=1024 finds 1.00 of the answers with 900 tokens. Another setting is not advised: it brings fewer procedures back whole.",
		},
		{
			"not even when it finds most",
			[]Result{procedures(Setting{Strategy: window(0)}, 100, hits(40, 40), hits(40, 20)), procedures(Setting{Strategy: window(1)}, 200, hits(40, 40), hits(40, 10)), procedures(Setting{Strategy: section}, 900, hits(40, 30), hits(40, 40))},
			2, "parent_section cap=1024 finds 0.75 of the answers with 900 tokens. 2 other settings are not advised: they bring fewer procedures back whole.",
		},
		{
			"within noise and 0.05",
			[]Result{procedures(Setting{Strategy: window(0)}, 100, hits(20, 20), hits(20, 19)), procedures(Setting{Strategy: section}, 900, hits(20, 20), hits(20, 20))},
			0, "sentence_window k=0 finds 1.00 of the answers with 100 tokens; no other of the 2 settings is better or smaller on 20 questions.",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			list, err := Advise(Run{Results: tt.results}, Found)
			require.NoError(t, err)
			require.Equal(t, tt.chosen, list[0].Chosen.Index)
			require.Equal(t, tt.results[tt.chosen].Setting.Strategy, list[0].Strategy)
			require.Equal(t, tt.want, list[0].Reason)
		})
	}
}

func TestRepeatedQuestionsCountOnceInAdvice(t *testing.T) {
	t.Parallel()
	repeated := func(s Setting, tokens float64, values []float64) Result {
		r := result(s, tokens, values)
		for i := 1; i < len(r.Outcomes); i += 2 {
			r.Outcomes[i].Repeats = r.Outcomes[i-1].Question
		}
		return r
	}
	list, err := Advise(Run{Results: []Result{repeated(Setting{Strategy: window(0)}, 100, hits(18, 9)), repeated(Setting{Strategy: window(1)}, 200, hits(18, 18))}}, Found)
	require.NoError(t, err)
	require.Equal(t, 9, list[0].Questions)
	require.Nil(t, list[0].Strategy)
	require.Equal(t, "Only 9 questions: too few to advise, 10 are needed (so far sentence_window k=1 finds 1.00 of the answers with 200 tokens).", list[0].Reason)
	merged := once(repeated(Setting{}, 100, []float64{1, 0, 1, 1}).Outcomes)
	require.Len(t, merged, 2)
	require.InDelta(t, 0.5, merged[0].Values[Found], 0)
	require.InDelta(t, 100, merged[1].Values[Tokens], 0)
}

func TestSweeps(t *testing.T) {
	t.Parallel()
	chunks := []rag.Strategy{{Kind: rag.FixedTokens, Size: 256, Overlap: 32}, {Kind: rag.FixedChars, Size: 900}}
	count := map[string]int{"default": 15, "windows": 8, "sections": 4, "chunks": 3, "legs": 3, "top": 5, "fusion": 23}
	for _, name := range SweepNames() {
		sweep, err := NamedSweep(name, chunks)
		require.NoError(t, err)
		list, err := sweep.Settings()
		require.NoError(t, err)
		require.Len(t, list, count[name], name)
		for _, s := range list {
			require.NoError(t, s.Validate())
		}
	}
	_, err := NamedSweep("all", nil)
	require.ErrorContains(t, err, `no sweep "all"`)

	list, err := Sweep{
		Strategies: []*rag.Strategy{nil, window(2), window(2)}, Tops: []int{5, 0, 10}, Legs: []retrieve.Legs{"", retrieve.Hybrid, retrieve.DenseOnly},
		Base: Setting{BudgetChars: 8000},
	}.Settings()
	require.NoError(t, err)
	var labels []string
	for _, s := range list {
		labels = append(labels, s.String())
	}
	require.Equal(t, []string{
		"auto, 8000 characters at most", "auto, dense, 8000 characters at most",
		"auto, top 10, 8000 characters at most", "auto, top 10, dense, 8000 characters at most",
		"sentence_window k=2, 8000 characters at most", "sentence_window k=2, dense, 8000 characters at most",
		"sentence_window k=2, top 10, 8000 characters at most", "sentence_window k=2, top 10, dense, 8000 characters at most",
	}, labels)

	for _, bad := range []Sweep{
		{Strategies: []*rag.Strategy{window(51)}}, {Tops: []int{-1}}, {Tops: []int{101}}, {Legs: []retrieve.Legs{"both"}},
	} {
		_, err := bad.Settings()
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	}
	var many []*rag.Strategy
	for k := range 51 {
		many = append(many, window(k))
	}
	_, err = Sweep{Strategies: many, Tops: []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}.Settings()
	require.ErrorContains(t, err, "510 settings")
}

func TestFusionsAreReadAndWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rag.Fusion{
		"ranks": {RankOnly: true}, "cosine=1": {Cosine: 1}, "cosine=.5,words=1,  steps=0.25": {Cosine: 0.5, Words: 1, Steps: 0.25},
	} {
		f, err := ParseFusion(text)
		require.NoError(t, err)
		require.Equal(t, want, *f)
		again, err := ParseFusion(weights(*f))
		require.NoError(t, err)
		require.Equal(t, f, again)
	}
	f, err := ParseFusion("own")
	require.NoError(t, err)
	require.Nil(t, f)
	for text, want := range map[string]string{
		"": "above 0", "cosine": "must be a number", "luck=1": `no weight "luck"`, "cosine=-1": "from 0 to 10", "cosine=NaN": "from 0 to 10", "words=x": "must be a number",
	} {
		_, err := ParseFusion(text)
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), text)
		require.ErrorContains(t, err, want)
	}
	require.Equal(t, "auto, cosine=0.5 words=1", Setting{Fusion: &rag.Fusion{Cosine: 0.5, Words: 1}}.String())
	require.Equal(t, &rag.Fusion{Words: 1}, Setting{Fusion: &rag.Fusion{Words: 1}}.Request(rag.Scope{}, rag.Filter{}, "?").Fusion)
}

func TestChunksAreKnownByTheNameOfTheirSet(t *testing.T) {
	t.Parallel()
	for set, want := range map[rag.UnitSet]rag.Strategy{
		"tokens-256-32-use-lite": {Kind: rag.FixedTokens, Size: 256, Overlap: 32},
		"chars-1000-100":         {Kind: rag.FixedChars, Size: 1000, Overlap: 100},
	} {
		got, ok := chunkStrategy(set, "use-lite")
		require.True(t, ok, set)
		require.Equal(t, want, got)
	}
	for _, set := range []rag.UnitSet{rag.SentenceSet, "tokens-256-32", "tokens-256-32-other", "tokens-10-10-use-lite", "chars-x-y", ""} {
		_, ok := chunkStrategy(set, "use-lite")
		require.False(t, ok, set)
	}
}

func TestHalvesDivideASet(t *testing.T) {
	t.Parallel()
	var list []Question
	for i := range 1000 {
		list = append(list, Question{ID: fmt.Sprintf("set-q%03d", i)})
	}
	a, b := HalfA.Of(list), HalfB.Of(list)
	require.Len(t, list, len(a)+len(b))
	require.Less(t, math.Abs(float64(len(a)-len(b))), 100.0)
	require.Equal(t, list, HalfAll.Of(list))
	for _, q := range a {
		require.NotContains(t, b, q)
	}
	require.Equal(t, a[:3], HalfA.Of(list[:slices.IndexFunc(list, func(q Question) bool { return q.ID == a[3].ID })]), "a question stays in its half")
	_, err := ParseHalf("c")
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
}
