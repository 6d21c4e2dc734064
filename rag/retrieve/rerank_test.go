package retrieve

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// fakeReranker prefers texts that hold a word, or fails.
type fakeReranker struct {
	word  string
	err   error
	texts *[]string
}

func (fakeReranker) ID() string     { return "fake-reranker" }
func (fakeReranker) MaxTokens() int { return 20 }
func (f fakeReranker) Rerank(_ context.Context, _ string, texts []string) ([]float64, error) {
	*f.texts = texts
	scores := make([]float64, len(texts))
	for i, t := range texts {
		scores[i] = float64(strings.Count(t, f.word))
	}
	return scores, f.err
}

const threeTopics = "# Alpha\nOne.\n# Beta\nTwo.\n# Gamma\nThree.\n"

func TestRerankerOrdersGrownCandidates(t *testing.T) {
	t.Parallel()
	r := reading(t, 1, "runbook", threeTopics)
	hits := []rag.Hit{hit(t, r, "One", 0.9), hit(t, r, "Two", 0.8), hit(t, r, "Three", 0.7)}
	var texts []string
	plain := retriever(rag.DefaultDocTypes(), hits, r)
	with := plain.WithReranker(fakeReranker{word: "Gamma", texts: &texts}, 30)

	res := retrieve(t, with, Request{Top: 1})
	require.Equal(t, []string{"# Gamma\nThree."}, textsOf(res), "the third candidate was grown although one passage is wanted")
	require.Len(t, texts, 3)
	require.Equal(t, "fake-reranker", res.Trace.Reranker)
	require.Empty(t, res.Trace.RerankFault)

	require.Equal(t, []string{"# Alpha\nOne."}, textsOf(retrieve(t, with, Request{Top: 1, PlainOrder: true})))
	require.Equal(t, []string{"# Alpha\nOne."}, textsOf(retrieve(t, plain, Request{Top: 1})))
}

func TestRerankerThatIsAwayKeepsTheOrder(t *testing.T) {
	t.Parallel()
	r := reading(t, 1, "runbook", threeTopics)
	hits := []rag.Hit{hit(t, r, "One", 0.9), hit(t, r, "Three", 0.7)}
	var texts []string
	with := retriever(rag.DefaultDocTypes(), hits, r).
		WithReranker(fakeReranker{word: "Gamma", texts: &texts, err: rag.Errorf(rag.CodeUnavailable, "The reranker does not answer.")}, 30)
	res := retrieve(t, with, Request{Top: 1})
	require.Equal(t, []string{"# Alpha\nOne."}, textsOf(res))
	require.Equal(t, "The reranker does not answer.", res.Trace.RerankFault)
}

// A candidate longer than the reranker reads is judged by the part with its hit.
func TestRerankerReadsThePartWithTheHit(t *testing.T) {
	t.Parallel()
	text := "# Guide\n" + strings.Repeat("Filler stands here.\n", 100) + "Needle lies here.\n" + strings.Repeat("More filler.\n", 100)
	r := reading(t, 1, "runbook", text)
	other := reading(t, 2, "runbook", "# Other\nOne.\n")
	var texts []string
	with := retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "Needle", 0.9), hit(t, other, "One", 0.5)}, r, other).
		WithReranker(fakeReranker{word: "Needle", texts: &texts}, 30)
	res := retrieve(t, with, Request{Strategy: &rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentSection}, BudgetTokens: -1})
	require.Contains(t, strings.Join(texts, "\n"), "Needle lies here.")
	for _, text := range texts {
		require.Less(t, len(text), 200)
	}
	require.Greater(t, len(res.Passages[0].Text), 2_000, "the passage itself is not cut")
}

// textsOf is texts where a variable has that name.
func textsOf(res Result) []string { return texts(res) }
