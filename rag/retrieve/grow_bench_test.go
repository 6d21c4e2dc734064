package retrieve

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
	"passage/rag/tokens"
)

// longDocument is a document of about so many words: sections of paragraphs, a
// table and a procedure of ten steps.
func longDocument(b *testing.B, version int64, size int, tok tokens.Tokenizer) *rag.Reading {
	b.Helper()
	rng := rand.New(rand.NewPCG(uint64(version), 9))
	var text strings.Builder
	for n := 0; n < size; n += 700 {
		fmt.Fprintf(&text, "## Section %d\n\n", n)
		for range 6 {
			for range 8 {
				text.WriteString(randomSentence(rng) + " ")
			}
			text.WriteString("\n\n")
		}
		for i := range 10 {
			fmt.Fprintf(&text, "%d. %s\n\n   ```sh\n   run --step %d\n   ```\n\n", i+1, randomSentence(rng), i)
		}
		text.WriteString("| Drug | Dose |\n|------|------|\n| a | 1 mg |\n| b | 2 mg |\n\n")
	}
	x, err := extract.File(b.Context(), "a.md", []byte(text.String()))
	require.NoError(b, err)
	o, err := split.Split(x, split.Options{Tokens: tok})
	require.NoError(b, err)
	for i := range o.Units {
		o.Units[i].ID = version*1_000_000 + int64(i)
	}
	return &rag.Reading{Version: version, Text: x.Text, Outline: o, Document: rag.Document{ID: version, VersionID: version, DocType: "note"}}
}

// BenchmarkGrow is everything after the search: 400 hits in documents of 100,000
// and 5,000 words become 5 to 15 passages within a budget.
func BenchmarkGrow(b *testing.B) {
	tok, err := tokens.CL100K()
	require.NoError(b, err)
	long, short := longDocument(b, 1, 100_000, tok), longDocument(b, 2, 5_000, tok)
	rng := rand.New(rand.NewPCG(1, 1))
	var hits []rag.Hit
	for i := range 400 {
		r := []*rag.Reading{long, short}[i%2]
		units := r.Outline.UnitsOf(rag.SentenceSet)
		u := units[rng.IntN(len(units))]
		hits = append(hits, rag.Hit{UnitID: u.ID, VersionID: r.Version, DocType: "note", Set: u.Set, Ordinal: u.Ordinal, Span: u.Span, Cosine: 0.9, Score: 1.8 - float64(i)/400})
	}
	ret := retriever(rag.DefaultDocTypes(), hits, long, short)
	ret.tokens = tok
	for _, bb := range []struct {
		name     string
		strategy rag.Strategy
		top      int
		budget   int
	}{
		{"windows of 3, 5 passages", rag.Strategy{Kind: rag.SentenceWindow, K: 3}, 5, 3000},
		{"parents, 5 passages", rag.Strategy{Kind: rag.ParentSection}, 5, 3000},
		{"parents, 15 passages, ample budget", rag.Strategy{Kind: rag.ParentSection}, 15, 16_000},
		{"parents with a small cap, 15 passages", rag.Strategy{Kind: rag.ParentSection, Cap: 128}, 15, 3000},
		{"whole sections, 15 passages", rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentSection}, 15, 3000},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			var tokens int
			for b.Loop() {
				req := Request{Top: bb.top, BudgetTokens: bb.budget, Scope: rag.Scope{All: true}}
				p := plan{strategies: map[string]rag.Strategy{"note": bb.strategy}, words: []string{"question", "broker"}, pages: map[int64]*page{}}
				p.query = newQuery(p.words, nil)
				var trace Trace
				all, err := ret.collect(b.Context(), req, p, hits, &trace)
				require.NoError(b, err)
				tokens = 0
				for _, c := range ret.fit(req, all, &trace) {
					tokens += c.finish(p.words).Tokens
				}
			}
			b.ReportMetric(float64(tokens), "tokens")
		})
	}
}
