package retrieve

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// Thirty hits in one parent push no other parent out, also when the budget is
// too small for the first.
func TestManyHitsInOneParentLeaveRoomForAnother(t *testing.T) { // T31
	t.Parallel()
	a := written(t, 1, "runbook", "# A\n\n"+filler("a", 150)+"\n", 4096)
	b := written(t, 2, "runbook", "# B\n\nThe other answer. "+filler("b", 100)+"\n", 4096)
	var hits []rag.Hit
	for i := range 30 {
		hits = append(hits, hit(t, a, fmt.Sprintf("a%d says", i*5), 0.9-float64(i)/1000))
	}
	hits = append(hits, hit(t, b, "The other", 0.5))
	for _, budget := range []int{-1, 1200, 500, 200, 120} {
		res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, a, b), Request{BudgetTokens: budget, Top: 5})
		require.Len(t, res.Passages, 2, budget)
		require.Contains(t, res.Passages[0].Shown(), "a0 says", budget)
		require.Contains(t, res.Passages[1].Shown(), "The other answer.", budget)
	}
}

// A passage that takes all the budget by itself gives up what is far from the
// question, so that the next still has its hit.
func TestWholePassageLeavesRoomForTheHitsAfterIt(t *testing.T) {
	t.Parallel()
	a := written(t, 1, "note", "# A\n\nThe first answer. "+filler("a", 40)+"\n", 4096)
	b := written(t, 2, "note", "# B\n\n"+filler("b", 9)+" The other answer. "+filler("c", 9)+"\n", 4096)
	hits := []rag.Hit{hit(t, a, "The first", 0.9), hit(t, b, "The other", 0.8)}
	whole := words{}.Count(a.Text) + passageOverhead
	res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, a, b), Request{BudgetTokens: whole, Strategy: section(1024)})
	require.Len(t, res.Passages, 2)
	require.NotContains(t, res.Passages[0].Shown(), "a39 says")
	require.Contains(t, res.Passages[1].Shown(), "The other answer.")
}

// A long passage of which not even the hit fits is left out, and a short one of
// lower rank still given.
func TestShortPassageOfLowerRankIsTried(t *testing.T) {
	t.Parallel()
	a := reading(t, 1, "note", strings.Repeat("long ", 60)+"\n")
	b := reading(t, 2, "note", "Short one.\n")
	hits := []rag.Hit{hit(t, a, "long", 0.9), hit(t, b, "Short", 0.5)}
	res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, a, b), Request{BudgetTokens: passageOverhead + 5})
	require.Equal(t, []string{"Short one."}, texts(res))
	require.Equal(t, []TraceCut{{Version: 1, Span: hits[0].Span, Why: whyFull}}, res.Trace.Cut)
}

// Windows that merge leave room for others: k counts passages, not hits.
func TestMergedWindowsMakeRoom(t *testing.T) { // T31
	t.Parallel()
	r := reading(t, 1, "note", strings.Repeat("# H\n", 1)+"A1.\nA2.\nA3.\nA4.\n# H\nB1.\nB2.\n# H\nC1.\nC2.\n# H\nD1.\n")
	var hits []rag.Hit
	for i, w := range []string{"A1", "A4", "B2", "A2", "A3", "D1"} {
		hits = append(hits, hit(t, r, w, 0.9-float64(i)/100))
	}
	res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, r), Request{Strategy: window(0), Top: 4})
	// A1 and A4 are passages of their own until A2 and A3 join them.
	require.Equal(t, []string{"A1.\nA2.\nA3.\nA4.", "B2.", "D1."}, texts(res))
	require.Zero(t, res.Trace.Beyond)
}

func TestPassageNamesTheStrategyThatGrewIt(t *testing.T) { // T33
	t.Parallel()
	text := "# Pump\n\n" + filler("a", 80) + " The hit itself. " + filler("b", 80) + "\n"
	for _, docType := range rag.DefaultDocTypes()[:4] {
		r := written(t, 1, docType.Name, text, 4096)
		hits := []rag.Hit{hit(t, r, "The hit", 0.9), hit(t, r, "b40 says", 0.88)}
		ret := retriever(rag.DefaultDocTypes(), hits, r)
		for _, budget := range []int{-1, 100} { // compressed too
			for _, p := range retrieve(t, ret, Request{BudgetTokens: budget}).Passages {
				require.Equal(t, docType.Strategy, p.Strategy)
			}
			for _, p := range retrieve(t, ret, Request{BudgetTokens: budget, Strategy: window(1)}).Passages {
				require.Equal(t, *window(1), p.Strategy)
			}
		}
	}
}

// The same section in two documents is two parents, each of its own document.
func TestEqualSectionsOfTwoDocumentsStayApart(t *testing.T) { // T35
	t.Parallel()
	const safety = "# Safety\n\nNever open a hot pump.\n"
	a, b := written(t, 1, "runbook", safety, 1024), written(t, 2, "runbook", safety, 1024)
	a.Document.Title, b.Document.Title = "Pump A", "Pump B"
	res := retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, a, "Never", 0.9), hit(t, b, "Never", 0.9)}, a, b), Request{})
	require.Len(t, res.Passages, 2)
	require.Equal(t, "Pump A", res.Passages[0].Document.Title)
	require.Equal(t, "Pump B", res.Passages[1].Document.Title)
	require.Equal(t, res.Passages[0].Text, res.Passages[1].Text)
	require.NotEqual(t, res.Passages[0].Marks[0].UnitID, res.Passages[1].Marks[0].UnitID)
}

// A section that is missing, which foreign keys make impossible, does not break
// the question: the unit stands alone, and the trace says so.
func TestMissingParentGivesTheUnit(t *testing.T) { // T37
	t.Parallel()
	for _, s := range []*rag.Strategy{section(1024), {Kind: rag.SentenceWindow, Extent: rag.ExtentSection}, window(0)} {
		r := reading(t, 1, "note", fiveLines)
		r.Outline.Sections = nil
		res := retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "Three", 0.9)}, r), Request{Strategy: s})
		require.Equal(t, []string{"Three."}, texts(res))
		require.Contains(t, res.Trace.Cut[0].Why, "section is missing")
	}
}

// A version that went while it was searched is left out and named; the others
// are given.
func TestVersionThatWentIsLeftOut(t *testing.T) { // T37, T42
	t.Parallel()
	a, b := reading(t, 1, "note", fiveLines), reading(t, 2, "note", fiveLines)
	hits := []rag.Hit{hit(t, a, "Two", 0.9), hit(t, b, "Two", 0.8)}
	res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, b), Request{Strategy: window(0)})
	require.Equal(t, []string{"Two."}, texts(res))
	require.Equal(t, int64(2), res.Passages[0].Version)
	require.Contains(t, res.Trace.Cut[0].Why, "changed while it was searched")
}

// The question is not part of the budget and never cut.
func TestQuestionIsNeverCut(t *testing.T) { // T39
	t.Parallel()
	r := reading(t, 1, "note", fiveLines)
	long := strings.Repeat("question ", 2000)
	res, err := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "Two", 0.9)}, r).
		Retrieve(context.Background(), Request{Scope: rag.Scope{All: true}, Question: long, BudgetTokens: 60})
	require.NoError(t, err)
	require.Equal(t, long, res.Trace.Question)
	require.Len(t, res.Passages, 1)
}
