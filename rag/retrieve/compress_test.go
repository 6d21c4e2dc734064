package retrieve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
)

// counter counts words and stands for a tokenizer in a split.
type counter struct{ words }

func (counter) Name() string        { return "words" }
func (counter) Ends(s string) []int { return []int{len(s)} }

// written reads Markdown as an ingest does, with sections divided at a cap.
func written(t *testing.T, version int64, docType, text string, limit int) *rag.Reading {
	t.Helper()
	x, err := extract.File(t.Context(), "a.md", []byte(text))
	require.NoError(t, err)
	o, err := split.Split(x, split.Options{Tokens: counter{}, SectionCap: limit})
	require.NoError(t, err)
	for i := range o.Units {
		o.Units[i].ID = version*1000 + int64(i)
	}
	return &rag.Reading{
		Version: version, Text: x.Text, Outline: o,
		Document: rag.Document{ID: version * 10, VersionID: version, Title: "Doc", DocType: docType},
	}
}

// filler is n sentences of 6 words that tell nothing.
func filler(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Filler %s%d says nothing here. ", name, i)
	}
	return strings.TrimSpace(b.String())
}

// only is the one passage of a result.
func only(t *testing.T, res Result) rag.Passage {
	t.Helper()
	require.Len(t, res.Passages, 1)
	return res.Passages[0]
}

func section(limit int) *rag.Strategy { return &rag.Strategy{Kind: rag.ParentSection, Cap: limit} }

func TestCompressionKeepsWhatWasAsked(t *testing.T) { // T39
	t.Parallel()
	const table = "| Drug | Dose |\n|------|------|\n| a | 1 mg |\n| b | 2 mg |\n| c | 3 mg |\n| d | 4 mg |\n| e | 5 mg |\n"
	for _, tt := range []struct {
		name, text    string
		hits          []string
		kept, dropped []string
	}{
		{
			"hits, their neighbours, the heading and the lead",
			"# Pump\n\nLead of the section. " + filler("a", 40) + " Before it. The hit itself. After it. " + filler("b", 40) + "\n",
			[]string{"The hit"},
			[]string{"# Pump\n\nLead of the section. […] Filler", "Before it. The hit itself. After it."},
			[]string{"Filler a5 ", "Filler b35 "},
		},
		{
			"two hits far apart",
			"# Pump\n\nLead. " + filler("a", 30) + " One hit. " + filler("b", 60) + " Other hit. " + filler("c", 30) + "\n",
			[]string{"One hit", "Other hit"},
			[]string{"Lead.", "One hit.", "Other hit."},
			[]string{"Filler b30 "},
		},
		{
			"sentences with the words of the question",
			"# Pump\n\nLead. The hit. " + filler("a", 60) + " This answers the question well. " + filler("b", 20) + "\n",
			[]string{"The hit"},
			[]string{"This answers the question well."},
			[]string{"Filler b10 "},
		},
		{
			"the head of a table with its rows",
			"# Doses\n\n" + filler("a", 50) + "\n\n" + table + "\n" + filler("b", 50) + "\n",
			[]string{"| d |"},
			[]string{"# Doses\n\n", "| Drug | Dose |\n|------|------|\n", "| d | 4 mg |"},
			[]string{"Filler a20 "},
		},
		{
			"a procedure whole, with its warning",
			"# Rotate\n\n" + filler("a", 40) + "\n\n> [!WARNING]\n> Never two at once.\n\n1. first step\n2. second step\n3. third step\n4. fourth step\n5. fifth step\n\n" + filler("b", 40) + "\n",
			[]string{"3. third"},
			[]string{"Never two at once.\n\n1. first step\n2. second step\n3. third step\n4. fourth step\n5. fifth step"},
			[]string{"Filler a20 ", "Filler b30 "},
		},
		{
			"code whole",
			"# Run\n\n" + filler("a", 40) + "\n\n```sh\n" + strings.Repeat("run --now\n\n", 6) + "```\n\n" + filler("b", 40) + "\n",
			[]string{"run --now"},
			[]string{"```sh\n" + strings.Repeat("run --now\n\n", 6) + "```"},
			[]string{"Filler b30 "},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := written(t, 1, "runbook", tt.text, 4096)
			var hits []rag.Hit
			for i, h := range tt.hits {
				hits = append(hits, hit(t, r, h, 0.9-float64(i)/100))
			}
			p := only(t, retrieve(t, retriever(rag.DefaultDocTypes(), hits, r), Request{Strategy: section(80)}))
			require.NotEmpty(t, p.Gaps)
			require.LessOrEqual(t, p.Tokens, 80)
			require.Greater(t, p.Tokens, 60, "the room is used")
			for _, want := range tt.kept {
				require.Contains(t, p.Shown(), want)
			}
			for _, gone := range tt.dropped {
				require.NotContains(t, p.Shown(), gone)
			}
			require.Equal(t, p.Span.In(r.Text), p.Text)
		})
	}
}

// Compression keeps both answers where sentences around the best hit would lose
// one, at the same budget.
func TestCompressionKeepsMoreThanAWindow(t *testing.T) {
	t.Parallel()
	r := written(t, 1, "runbook", "# Pump\n\n"+filler("a", 200)+" The first answer. "+filler("b", 2000)+" The second answer. "+filler("c", 200)+"\n", 100_000)
	hits := []rag.Hit{hit(t, r, "The first", 0.9), hit(t, r, "The second", 0.85)}
	res := retrieve(t, retriever(rag.DefaultDocTypes(), hits, r), Request{Strategy: &rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentSection}, BudgetTokens: 500})
	p := only(t, res)
	require.Contains(t, p.Shown(), "The first answer.")
	require.Contains(t, p.Shown(), "The second answer.")
	require.LessOrEqual(t, p.Tokens+passageOverhead, 500)
	require.Len(t, res.Trace.Cut, 1)
	require.Equal(t, whyBudget, res.Trace.Cut[0].Why)
	require.Equal(t, p.Gaps, res.Trace.Cut[0].Gaps)
}

func TestHugeParentGivesItsMiddleLayer(t *testing.T) { // T39
	t.Parallel()
	r := written(t, 1, "runbook", "# Pump\n\n"+strings.Repeat(filler("a", 20)+"\n\n", 140)+"The hit itself.\n\n"+strings.Repeat(filler("b", 20)+"\n\n", 70), 1024)
	require.Greater(t, r.Outline.Sections[0].Tokens, 19_000)
	h := hit(t, r, "The hit", 0.9)
	p := only(t, retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{h}, r), Request{BudgetTokens: 4000}))
	require.Empty(t, p.Gaps)
	require.LessOrEqual(t, p.Tokens, 1024)
	require.Contains(t, p.Text, "The hit itself.")
	p = only(t, retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{h}, r), Request{BudgetTokens: 300}))
	require.LessOrEqual(t, p.Tokens+passageOverhead, 300)
	require.Contains(t, p.Shown(), "The hit itself.")
}

func TestProcedureTooLongForTheBudgetKeepsWholeSteps(t *testing.T) { // T22, T39
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Rotate\n\n**Warning:** never two at once.\n\n")
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&b, "%d. Do number%02d and %s\n", i, i, filler("x", 5))
	}
	r := written(t, 1, "runbook", b.String(), 4096)
	p := only(t, retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "number20", 0.9)}, r), Request{BudgetTokens: 300}))
	require.Contains(t, p.Shown(), "# Rotate\n\n**Warning:** never two at once.\n\n[…]\n")
	require.Len(t, p.Parts, 1)
	part := p.Parts[0]
	require.False(t, part.Whole())
	require.Equal(t, 40, part.N)
	require.True(t, part.From > 1 && part.From <= 20 && part.To >= 20 && part.To < 40, part.Label())
	for i, step := range r.Outline.Procedures[0].Steps {
		require.Equal(t, i+1 >= part.From && i+1 <= part.To, strings.Contains(p.Shown(), strings.TrimSpace(step.Span.In(r.Text))), i+1)
	}
}

func TestStepsInTwoRunsAreLabelledAsTwo(t *testing.T) { // T22
	t.Parallel()
	r := reading(t, 1, "runbook", runbook)
	p := newPage(r, words{}, nil)
	gap := rag.Span{Start: strings.Index(runbook, "3. Copy"), End: strings.Index(runbook, "5. Check")}
	var labels []string
	for _, part := range p.parts(rag.Span{Start: 0, End: len(runbook)}, []rag.Span{gap}) {
		labels = append(labels, part.Label())
		require.False(t, part.Whole())
	}
	require.Equal(t, []string{"steps 1–2 of 6", "steps 5–6 of 6"}, labels)
}
