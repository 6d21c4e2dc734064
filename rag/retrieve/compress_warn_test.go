package retrieve

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
	"passage/rag/tokens"
)

// plainWarning is what the tests take for a warning, whatever the code does.
var plainWarning = regexp.MustCompile(`^[\s>*\-\d.⚠️]*(Warning|Careful|Caution|Danger|Important|Never|Do not|Note:|Contraindicated|STOP)\b|^[\s>*\-\d.]*⚠️`)

// hollowQuote is the mark of a quote whose words a gap took.
var hollowQuote = regexp.MustCompile(`(?m)^[ \t]*> ?\[…\]\s*$`)

func isPlainWarning(r *rag.Reading, u rag.Unit) bool {
	if u.Kind == rag.UnitHeading || u.Kind == rag.UnitCode {
		return false
	}
	beside := slices.ContainsFunc(r.Outline.Procedures, func(p rag.Procedure) bool {
		return slices.ContainsFunc(p.Around, func(s rag.Surrounding) bool {
			return (s.Kind == rag.Warning || s.Kind == rag.Precondition) && s.Span.Overlaps(u.Span)
		})
	})
	return beside || plainWarning.MatchString(u.Span.In(r.Text))
}

// lostWarnings are the warnings that a passage left out in compression, of
// sections of which it keeps something; kept is how many it did not.
func lostWarnings(r *rag.Reading, res Result, p rag.Passage) (lost []rag.Unit, kept int) {
	whole := p.Span
	var named []rag.Span
	for _, cut := range res.Trace.Cut {
		if cut.Version == p.Version && !cut.Kept.Empty() && cut.Kept.Contains(p.Span) {
			whole = whole.Union(cut.Span)
			named = append(named, cut.Warnings...)
		}
	}
	if len(p.Gaps) == 0 && whole == p.Span {
		return nil, 0
	}
	units := r.Outline.UnitsOf(rag.SentenceSet)
	some := map[int]bool{}
	for _, u := range units {
		if within(p, u.Span) {
			some[u.Section] = true
		}
	}
	for _, u := range units {
		switch {
		case !whole.Contains(u.Span) || !some[u.Section] || !isPlainWarning(r, u):
		case within(p, u.Span):
			kept++
		case !slices.Contains(named, u.Span):
			lost = append(lost, u)
		}
	}
	return lost, kept
}

// warnings checks that compression leaves none out that the trace does not name,
// and counts those it kept.
func (c checker) warnings() int {
	c.t.Helper()
	n := 0
	for _, p := range c.res.Passages {
		r := c.readings[p.Version-1]
		lost, kept := lostWarnings(r, c.res, p)
		n += kept
		for _, u := range lost {
			require.Failf(c.t, "a warning is left out", "%s: %q of\n%s", c.name, u.Span.In(r.Text), p.Shown())
		}
		require.NotRegexp(c.t, hollowQuote, p.Shown(), c.name)
	}
	return n
}

// Every sentence of the documents that come with the program, as a hit, at small
// budgets: no warning of what is shown is left out.
func TestCompressionKeepsTheWarningsOfTheExamples(t *testing.T) {
	t.Parallel()
	tok, err := tokens.CL100K()
	require.NoError(t, err)
	paths, err := filepath.Glob(filepath.Join("..", "..", "examples", "*", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	kept, named := 0, 0
	for _, path := range paths {
		data, err := os.ReadFile(filepath.Clean(path))
		require.NoError(t, err)
		x, err := extract.File(t.Context(), path, data)
		require.NoError(t, err)
		o, err := split.Split(x, split.Options{Tokens: tok, SectionCap: rag.DefaultCap})
		require.NoError(t, err)
		for i := range o.Units {
			o.Units[i].ID = int64(i + 1)
		}
		r := &rag.Reading{Version: 1, Text: x.Text, Outline: o, Document: rag.Document{ID: 1, VersionID: 1, DocType: "note"}}
		for i, u := range o.UnitsOf(rag.SentenceSet) {
			if i%4 != 0 {
				continue
			}
			h := rag.Hit{UnitID: u.ID, VersionID: 1, DocType: "note", Set: u.Set, Ordinal: u.Ordinal, Span: u.Span, Cosine: 0.9}
			ret := retriever(rag.DefaultDocTypes(), []rag.Hit{h}, r)
			ret.tokens = tok
			for _, budget := range []int{150, 400, 900} {
				s := rag.Strategy{Kind: rag.ParentSection}
				res := retrieve(t, ret, Request{Strategy: &s, BudgetTokens: budget})
				c := checker{t: t, res: res, readings: []*rag.Reading{r}, name: path + ": " + u.Span.In(r.Text)}
				kept += c.warnings()
				for _, cut := range res.Trace.Cut {
					named += len(cut.Warnings)
				}
			}
		}
	}
	require.Greater(t, kept, 50)
	require.Less(t, named, kept, "few do not fit")
}

func TestCompressionKeepsWarnings(t *testing.T) {
	t.Parallel()
	section := &rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentSection}
	for _, tt := range []struct {
		name, text, hit string
		kept            []string
	}{
		{"a quote whole, with its mark", filler("a", 30) + "\n\n> **Careful:** do not delete it.\n> Each order counts.\n\n" + filler("b", 30) + " The hit. " + filler("c", 30), "The hit", []string{"> **Careful:** do not delete it.\n> Each order counts."}},
		{"a callout with its head", filler("a", 30) + "\n\n> [!CAUTION]\n> Slowly.\n\n" + filler("b", 30) + " The hit.", "The hit", []string{"> [!CAUTION]\n> Slowly."}},
		{"an admonition with all that is in it", filler("a", 30) + "\n\n!!! danger\n    Slowly.\n\n    Very slowly.\n\n" + filler("b", 30) + " The hit.", "The hit", []string{"!!! danger\n    Slowly.\n\n    Very slowly."}},
		{"a sentence within a paragraph", filler("a", 30) + " Never into a vein. " + filler("b", 30) + " The hit.", "The hit", []string{"Never into a vein."}},
		{"the list that a warning leads to", filler("a", 30) + "\n\nDo not give it with:\n\n- eGFR below 15\n- dialysis\n\n" + filler("b", 30) + " The hit.", "The hit", []string{"Do not give it with:\n\n- eGFR below 15\n- dialysis"}},
		{"one far from the hit", "Caution: far away.\n\n" + filler("a", 900) + " The hit. " + filler("c", 900), "The hit", []string{"Caution: far away."}},
		{"one in a step that is not kept", "1. start " + filler("a", 8) + "\n2. go " + filler("b", 8) + "\n3. The hit.\n4. wait\n\n   Never add force.\n5. end " + filler("c", 8) + "\n", "The hit", []string{"Never add force."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := written(t, 1, "note", "# Pump\n\n"+tt.text+"\n", 1_000_000)
			res := retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, tt.hit, 0.9)}, r), Request{Strategy: section, BudgetTokens: 90})
			p := only(t, res)
			require.NotEmpty(t, p.Gaps)
			require.Contains(t, p.Shown(), tt.hit)
			for _, want := range tt.kept {
				require.Contains(t, p.Shown(), want)
			}
			require.Equal(t, whyBudget, res.Trace.Cut[0].Why)
			require.LessOrEqual(t, p.Tokens+passageOverhead, 90)
		})
	}
}

func TestWarningsThatDoNotFitAreNamed(t *testing.T) {
	t.Parallel()
	far, near := "Never "+strings.Repeat("far ", 30)+"away.", "Never near."
	text := "# Pump\n\n" + far + "\n\n" + filler("a", 20) + "\n\n" + near + "\n\nThe hit itself. " + filler("b", 20) + "\n"
	r := written(t, 1, "note", text, 1_000_000)
	res := retrieve(t, retriever(rag.DefaultDocTypes(), []rag.Hit{hit(t, r, "The hit", 0.9)}, r), Request{BudgetTokens: 50, Strategy: &rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentSection}})
	p := only(t, res)
	require.Equal(t, near+"\n\nThe hit itself.", p.Shown(), "nothing else takes their room")
	cut := res.Trace.Cut[len(res.Trace.Cut)-1]
	require.Equal(t, whyBudget+whyWarnings, cut.Why)
	require.Len(t, cut.Warnings, 1)
	require.Equal(t, far, cut.Warnings[0].In(r.Text))
}

func TestGapTakesTheMarkOfItsQuote(t *testing.T) {
	t.Parallel()
	r := written(t, 1, "note", "# Pump\n\nThe hit. "+filler("a", 30)+"\n\n> "+filler("q", 10)+"\n\n"+filler("b", 30)+" The other.\n", 1_000_000)
	hits := []rag.Hit{hit(t, r, "The hit", 0.9), hit(t, r, "The other", 0.85)}
	p := only(t, retrieve(t, retriever(rag.DefaultDocTypes(), hits, r), Request{BudgetTokens: 80, Strategy: &rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentSection}}))
	require.NotEmpty(t, p.Gaps)
	require.NotContains(t, p.Shown(), ">")
}
