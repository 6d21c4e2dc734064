package retrieve

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
	"passage/rag/tokens"
)

// vocabulary is what random sentences are made of; "question" is the word that
// the question holds.
var vocabulary = strings.Fields("broker certificate rotate alert node Größe 🩺 日本 dose pause restart config /etc/app --force 5 mg v1.2 question")

// randomWarnings are how some of the sentences begin.
var randomWarnings = []string{"Warning: ", "**Careful:** ", "Never ", "Do not ", "⚠️ ", "**Note:** ", "Contraindicated with ", "STOP the "}

func randomSentence(rng *rand.Rand) string {
	list := make([]string, 3+rng.IntN(9))
	for i := range list {
		list[i] = vocabulary[rng.IntN(len(vocabulary))]
	}
	begin := "The "
	if rng.IntN(15) == 0 {
		begin = randomWarnings[rng.IntN(len(randomWarnings))]
	}
	return begin + strings.Join(list, " ") + "."
}

// randomRunbook writes Markdown of everything that an outline is made of.
func randomRunbook(rng *rand.Rand) string {
	var b strings.Builder
	for range 3 + rng.IntN(14) {
		switch rng.IntN(10) {
		case 0, 1:
			name := []string{"Overview", "Prerequisites", "Steps", "Rollback", "Verify", "Background"}[rng.IntN(6)]
			fmt.Fprintf(&b, "%s %s %d\n\n", strings.Repeat("#", 1+rng.IntN(3)), name, rng.IntN(9))
		case 2:
			b.WriteString("> [!WARNING]\n> " + randomSentence(rng) + "\n\n")
		case 3, 4:
			if rng.IntN(2) == 0 {
				b.WriteString("Follow these steps:\n\n")
			}
			for i := range 3 + rng.IntN(12) {
				fmt.Fprintf(&b, "%d. %s\n", i+1, randomSentence(rng))
				switch rng.IntN(6) {
				case 0:
					b.WriteString("\n   ```sh\n   # " + randomSentence(rng) + "\n   run --now\n   ```\n\n")
				case 1:
					b.WriteString("   - " + randomSentence(rng) + "\n   - " + randomSentence(rng) + "\n")
				}
			}
			b.WriteString("\n")
		case 5:
			b.WriteString("| Drug | Dose |\n|------|------|\n")
			for range 1 + rng.IntN(8) {
				fmt.Fprintf(&b, "| %s | %d mg |\n", vocabulary[rng.IntN(len(vocabulary))], rng.IntN(99))
			}
			b.WriteString("\n")
		case 6:
			b.WriteString("```\n" + randomSentence(rng) + "\n\n" + randomSentence(rng) + "\n```\n\n")
		default:
			for range 1 + rng.IntN(7) {
				b.WriteString(randomSentence(rng) + []string{" ", "\n"}[rng.IntN(2)])
			}
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

const randomChunks = rag.UnitSet("chars-200-50")

// randomReading reads such a document as an ingest does.
func randomReading(t *testing.T, rng *rand.Rand, version int64, tok tokens.Tokenizer) *rag.Reading {
	t.Helper()
	x, err := extract.File(t.Context(), "runbook.md", []byte(randomRunbook(rng)))
	require.NoError(t, err)
	o, err := split.Split(x, split.Options{Tokens: tok, SectionCap: 64 + rng.IntN(400), Sets: []rag.UnitSet{randomChunks}})
	require.NoError(t, err)
	for i := range o.Units {
		o.Units[i].ID = version*100_000 + int64(i)
	}
	return &rag.Reading{Version: version, Text: x.Text, Outline: o, Document: rag.Document{ID: version, VersionID: version, DocType: "note", Title: strconv.FormatInt(version, 10)}}
}

func randomStrategy(rng *rand.Rand) rag.Strategy {
	switch rng.IntN(5) {
	case 0:
		return rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentSection}
	case 1:
		return rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentParagraph}
	case 2:
		return rag.Strategy{Kind: rag.ParentSection, Cap: 64 + rng.IntN(600)}
	case 3:
		return rag.Strategy{Kind: rag.FixedChars, Size: 200, Overlap: 50}
	default:
		return rag.Strategy{Kind: rag.SentenceWindow, K: rng.IntN(6)}
	}
}

// Invariants 2 to 5 of the design, over documents, hits, strategies and budgets
// made at random, always the same ones; PASSAGE_RANDOM asks for more of them.
func TestRandomPassages(t *testing.T) { // T01, T03, T22, T33, T39
	t.Parallel()
	tok, err := tokens.CL100K()
	require.NoError(t, err)
	rounds := 200
	if more, err := strconv.Atoi(os.Getenv("PASSAGE_RANDOM")); err == nil {
		rounds = more
	}
	gaps, warned := 0, 0
	for round := range rounds {
		rng := rand.New(rand.NewPCG(uint64(round), 7))
		req := Request{Top: 1 + rng.IntN(6), Exact: rng.IntN(4) == 0, BudgetTokens: -1, Scope: rag.Scope{All: true}, Question: "question"}
		s := randomStrategy(rng)
		req.Strategy = &s
		if rng.IntN(3) > 0 {
			req.BudgetTokens = 20 + rng.IntN(1200)
		}
		if rng.IntN(3) == 0 {
			req.BudgetChars = 20 + rng.IntN(4000)
		}
		readings := []*rag.Reading{randomReading(t, rng, 1, tok), randomReading(t, rng, 2, tok)}
		var hits []rag.Hit
		for range 1 + rng.IntN(25) {
			r := readings[rng.IntN(2)]
			if units := r.Outline.UnitsOf(s.UnitSet("")); len(units) > 0 {
				u := units[rng.IntN(len(units))]
				hits = append(hits, rag.Hit{UnitID: u.ID, VersionID: r.Version, DocType: "note", Set: u.Set, Ordinal: u.Ordinal, Span: u.Span, Cosine: 0.4 + rng.Float64()/2})
			}
		}
		if rng.IntN(3) == 0 {
			for range 1 + rng.IntN(3) {
				r := readings[rng.IntN(2)]
				lo := rng.IntN(len(r.Outline.Units))
				span := r.Outline.Units[lo].Span.Union(r.Outline.Units[min(lo+rng.IntN(9), len(r.Outline.Units)-1)].Span)
				req.Earlier = append(req.Earlier, rag.Place{Version: r.Version, Span: span})
			}
			req.EarlierFirst = rng.IntN(2) == 0
		}
		ret := retriever(rag.DefaultDocTypes(), hits, readings...)
		ret.tokens = tok
		res, err := ret.Retrieve(t.Context(), req)
		require.NoError(t, err)
		if res.Refused {
			continue
		}
		c := checker{t: t, req: req, res: res, tok: tok, readings: readings, name: fmt.Sprintf("round %d, %s", round, s)}
		c.passages()
		c.budget()
		c.hits(hits)
		warned += c.warnings()
		for _, p := range res.Passages {
			gaps += len(p.Gaps)
		}
	}
	require.Greater(t, gaps, rounds/10, "passages were compressed")
	require.Greater(t, warned, rounds/10, "and kept their warnings")
}

// checker checks one result.
type checker struct {
	t        *testing.T
	req      Request
	res      Result
	tok      tokens.Tokenizer
	readings []*rag.Reading
	name     string
}

func (c checker) passages() {
	c.t.Helper()
	require.LessOrEqual(c.t, len(c.res.Passages), c.req.Top, c.name)
	for i, p := range c.res.Passages {
		text := c.readings[p.Version-1].Text
		require.Equal(c.t, p.Span.In(text), p.Text, c.name)
		require.True(c.t, utf8.ValidString(p.Text), c.name)
		require.Equal(c.t, c.req.Strategy.String(), p.Strategy.String(), c.name)
		require.NotEmpty(c.t, p.Marks, c.name)
		for _, q := range c.res.Passages[:i] {
			require.False(c.t, p.Version == q.Version && p.Span.Overlaps(q.Span), c.name)
			require.GreaterOrEqual(c.t, q.Score, p.Score, c.name)
		}
		at := p.Span.Start
		for _, g := range p.Gaps {
			require.Greater(c.t, g.Start, at, c.name)
			require.Greater(c.t, g.End, g.Start, c.name)
			at = g.End
		}
		if len(p.Gaps) > 0 {
			require.Greater(c.t, p.Span.End, at, c.name)
		}
		for _, piece := range p.Pieces() {
			require.NotEmpty(c.t, strings.TrimSpace(piece.In(text)), c.name)
		}
		for _, m := range p.Marks {
			require.True(c.t, within(p, m.Span), c.name)
		}
		c.parts(p)
	}
}

// within says that a span lies in one piece of a passage.
func within(p rag.Passage, s rag.Span) bool {
	return slices.ContainsFunc(p.Pieces(), func(piece rag.Span) bool { return piece.Contains(s) })
}

// parts checks that a passage that shows anything of a procedure says which
// steps of it are whole, and only of those.
func (c checker) parts(p rag.Passage) {
	c.t.Helper()
	reading := c.readings[p.Version-1]
	for _, proc := range reading.Outline.Procedures {
		var steps, labelled []int
		touched := slices.ContainsFunc(p.Pieces(), func(piece rag.Span) bool {
			return piece.Overlaps(proc.Span) && strings.TrimSpace(overlap(piece, proc.Span).In(reading.Text)) != ""
		})
		for i, step := range proc.Steps {
			if slices.ContainsFunc(p.Pieces(), func(piece rag.Span) bool { return contains(piece, step.Span, reading.Text) }) {
				steps = append(steps, i+1)
			}
		}
		n := 0
		for _, part := range p.Parts {
			if part.Procedure != proc.Ordinal {
				continue
			}
			n++
			for i := part.From; i <= part.To && part.From > 0; i++ {
				labelled = append(labelled, i)
			}
			if !part.Whole() || c.cutting() {
				continue
			}
			for _, a := range proc.Around {
				inGap := slices.ContainsFunc(p.Gaps, func(g rag.Span) bool { return g.Overlaps(a.Span) })
				require.False(c.t, a.Kind == rag.Warning && inGap, "%s: a warning beside a procedure is left out", c.name)
			}
		}
		require.Equal(c.t, steps, labelled, "%s: steps of procedure %d", c.name, proc.Ordinal)
		require.Equal(c.t, touched, n > 0, "%s: label of procedure %d", c.name, proc.Ordinal)
		if touched && !c.cutting() && !c.req.Exact && c.req.Strategy.Kind != rag.FixedChars && len(c.req.Earlier) == 0 {
			whole := len(steps) == len(proc.Steps)
			require.True(c.t, whole || c.tok.Count(p.Span.Union(proc.Span).In(reading.Text)) > completeCap/2, "%s: procedure %d is not completed", c.name, proc.Ordinal)
		}
	}
}

// cutting says that there is a budget.
func (c checker) cutting() bool { return c.req.BudgetTokens > 0 || c.req.BudgetChars > 0 }

func (c checker) budget() {
	c.t.Helper()
	tokens, chars := 0, 0
	for _, p := range c.res.Passages {
		n := 0
		for _, piece := range p.Pieces() {
			n += c.tok.Count(piece.In(c.readings[p.Version-1].Text))
			chars += utf8.RuneCountInString(piece.In(c.readings[p.Version-1].Text))
		}
		require.Equal(c.t, n, p.Tokens, c.name)
		tokens += n + passageOverhead
	}
	if c.req.BudgetTokens > 0 {
		require.LessOrEqual(c.t, tokens, c.req.BudgetTokens, c.name)
	}
	if c.req.BudgetChars > 0 {
		require.LessOrEqual(c.t, chars, c.req.BudgetChars, c.name)
	}
}

// hits checks that each lies in exactly one passage, or was cut, or is counted
// as one too many.
func (c checker) hits(hits []rag.Hit) {
	c.t.Helper()
	beyond := 0
	seen := map[int64]bool{}
	for _, h := range hits {
		if seen[h.UnitID] {
			continue
		}
		seen[h.UnitID] = true
		n := 0
		for _, p := range c.res.Passages {
			if p.Version == h.VersionID && within(p, h.Span) {
				n++
			}
		}
		cut := slices.ContainsFunc(c.res.Trace.Cut, func(t TraceCut) bool {
			return t.Version == h.VersionID && t.Span.Contains(h.Span) && !strings.HasPrefix(t.Why, "read before")
		})
		require.LessOrEqual(c.t, n, 1, c.name)
		if n == 0 && !cut {
			beyond++
		}
	}
	require.Equal(c.t, c.res.Trace.Beyond, beyond, "%s: hits that are nowhere", c.name)
}
