package retrieve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

const surrounded = `# Broker certificates

They expire after 90 days.

## Prerequisites

You need the role kafka-admin.

## Rotate

> [!WARNING]
> Never rotate two at once.

Do this on each broker:

1. Drain the broker.
2. Replace the certificate.
3. Restart the broker.

Verify that the log is quiet.

## Rollback

1. Copy the old certificate back.
2. Restart again.

## Background

The authority is internal.
`

// A window that touches a procedure brings all of it, with what must be known
// before and after.
func TestProcedureComesWithWhatSurroundsIt(t *testing.T) { // T22
	t.Parallel()
	r := written(t, 1, "runbook", surrounded, 1024)
	require.Len(t, r.Outline.Procedures, 2)
	want := surrounded[strings.Index(surrounded, "## Prerequisites"):strings.Index(surrounded, "\n\n## Background")]
	for _, s := range []*rag.Strategy{window(0), window(1), section(1024), {Kind: rag.SentenceWindow, Extent: rag.ExtentParagraph}} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			p := only(t, retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "Replace the", 0.9)}, r), Request{Strategy: s}))
			require.Equal(t, want, strings.TrimSpace(p.Text))
			require.Equal(t, []string{"steps 1–3 of 3", "steps 1–2 of 2"}, []string{p.Parts[0].Label(), p.Parts[1].Label()})
			require.Empty(t, p.Gaps)
		})
	}
}

// When not all of it fits, the steps and the warning are kept, and what stands
// around them goes first.
func TestSurroundingsGiveWayToSteps(t *testing.T) { // T22, T39
	t.Parallel()
	r := written(t, 1, "runbook", strings.Replace(surrounded, "They expire after 90 days.", filler("a", 60), 1), 1024)
	for budget := 62; budget < 110; budget += 3 {
		p := only(t, retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "Replace the", 0.9)}, r), Request{BudgetTokens: budget}))
		require.LessOrEqual(t, p.Tokens+passageOverhead, budget)
		require.Equal(t, "steps 1–3 of 3", p.Parts[0].Label(), budget)
		require.Contains(t, p.Shown(), "Never rotate two at once.", budget)
	}
}

// A procedure is completed up to a length; a longer one says which steps are
// there, and these are whole.
func TestLongProcedureIsNotCompleted(t *testing.T) { // T22
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Rotate\n\n")
	for i := 1; i <= 60; i++ {
		fmt.Fprintf(&b, "%d. Do number%02d.\n\n    %s\n", i, i, filler("x", 12))
	}
	r := written(t, 1, "note", b.String(), 100_000)
	for _, k := range []int{0, 1, 5, 20} {
		p := only(t, retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "number30", 0.9)}, r), Request{Strategy: window(k), BudgetTokens: -1}))
		require.Len(t, p.Parts, 1)
		part := p.Parts[0]
		require.False(t, part.Whole())
		require.True(t, part.From <= 30 && 30 <= part.To, part.Label())
		first, last := r.Outline.Procedures[0].Steps[part.From-1].Span, r.Outline.Procedures[0].Steps[part.To-1].Span
		require.True(t, contains(p.Span, first, r.Text) && contains(p.Span, last, r.Text))
		require.Equal(t, strings.TrimSpace(first.Union(last).In(r.Text)), strings.TrimSpace(p.Text), "steps are whole")
	}
}

func TestPartsOfACapAreTheirOwnParents(t *testing.T) { // T39
	t.Parallel()
	r := written(t, 1, "runbook", "# Pump\n\n"+strings.Repeat(filler("a", 10)+"\n\n", 10)+"The hit.\n\n"+strings.Repeat(filler("b", 10)+"\n\n", 10)+"The other hit.\n", 128)
	hits := []rag.Hit{hit(t, r, "The hit", 0.9), hit(t, r, "The other", 0.8)}
	res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, r), Request{Strategy: section(128)})
	require.Len(t, res.Passages, 2, "two parts of one section")
	for _, p := range res.Passages {
		require.LessOrEqual(t, p.Tokens, 128)
		require.Empty(t, p.Gaps)
	}
	// A cap below that of the parts leaves out sentences.
	for _, p := range retrieve(t, retriever(rag.DefaultDocTypes(), hits, r), Request{Strategy: section(64)}).Passages {
		require.LessOrEqual(t, p.Tokens, 64)
	}
}
