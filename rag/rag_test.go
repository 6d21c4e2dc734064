package rag_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func TestStrategyIsCheckedInOnePlace(t *testing.T) { // T17, T33, T38
	t.Parallel()
	for _, tt := range []struct {
		name     string
		strategy rag.Strategy
		fault    string // part of the message; "" when it is fine
		text     string
		set      rag.UnitSet
	}{
		{"window", rag.Strategy{Kind: rag.SentenceWindow, K: 3}, "", "sentence_window k=3", rag.SentenceSet},
		{"window of a paragraph", rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentParagraph}, "", "sentence_window paragraph", rag.SentenceSet},
		{"parent with the default cap", rag.Strategy{Kind: rag.ParentSection}, "", "parent_section cap=1024", rag.SentenceSet},
		{"tokens", rag.Strategy{Kind: rag.FixedTokens, Size: 256, Overlap: 32}, "", "fixed_tokens 256/32", "tokens-256-32"},
		{"characters", rag.Strategy{Kind: rag.FixedChars, Size: 1000, Overlap: 100}, "", "fixed_chars 1000/100", "chars-1000-100"},
		{"no kind", rag.Strategy{}, "There is no strategy", "", ""},
		{"negative k", rag.Strategy{Kind: rag.SentenceWindow, K: -1}, "from 0 to 50", "", ""},
		{"unknown extent", rag.Strategy{Kind: rag.SentenceWindow, Extent: "page"}, "a paragraph or a section", "", ""},
		{"cap too small", rag.Strategy{Kind: rag.ParentSection, Cap: 1}, "from 64 to 16384", "", ""},
		{"overlap equals size", rag.Strategy{Kind: rag.FixedTokens, Size: 200, Overlap: 200}, "from 0 to 199", "", ""},
		{"size zero", rag.Strategy{Kind: rag.FixedChars}, "from 1 to 8192", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := tt.strategy.Validate()
			if tt.fault != "" {
				require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
				require.Contains(t, rag.ErrorMessage(err), tt.fault)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.text, tt.strategy.String())
			require.Equal(t, tt.set, tt.strategy.UnitSet("cl100k_base"))
			other := tt.strategy.UnitSet("use-lite")
			require.Equal(t, tt.strategy.Kind == rag.FixedTokens, other != tt.set, "tokens of another kind are another set: %s", other)
			stored, err := json.Marshal(tt.strategy)
			require.NoError(t, err)
			var back rag.Strategy
			require.NoError(t, json.Unmarshal(stored, &back))
			require.Equal(t, tt.strategy, back)
		})
	}
	for _, d := range rag.DefaultDocTypes() {
		require.NoError(t, d.Strategy.Validate(), d.Name)
	}
}

func TestParseWindow(t *testing.T) {
	t.Parallel()
	for k, want := range map[string]string{"0": "sentence_window k=0", "5": "sentence_window k=5", "paragraph": "sentence_window paragraph", "section": "sentence_window section"} {
		s, err := rag.ParseWindow(k)
		require.NoError(t, err)
		require.Equal(t, want, s.String())
	}
	for _, k := range []string{"", "many", "-1", "51", "1.5"} {
		_, err := rag.ParseWindow(k)
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), k)
	}
}

func TestErrorsShowNoInternals(t *testing.T) {
	t.Parallel()
	cause := errors.New("dial tcp 10.0.0.7: secret")
	safe := rag.WithCause(cause, rag.CodeUnavailable, "The store is away.")
	wrapped := fmt.Errorf("reading chat 5: %w", safe)
	require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(wrapped))
	require.Equal(t, "The store is away.", rag.ErrorMessage(wrapped))
	require.ErrorIs(t, wrapped, cause)
	for _, err := range []error{cause, rag.WithCause(cause, rag.CodeInternal, "secret table")} {
		require.Equal(t, rag.CodeInternal, rag.ErrorCode(err))
		require.Equal(t, "Something went wrong here. The fault has been logged.", rag.ErrorMessage(err))
	}
	require.Empty(t, rag.ErrorMessage(nil))
	require.Empty(t, rag.ErrorCode(nil))
}

func TestPartSaysWhatIsThere(t *testing.T) { // T22
	t.Parallel()
	for _, tt := range []struct {
		part  rag.Part
		label string
		whole bool
	}{
		{rag.Part{From: 1, To: 6, N: 6}, "steps 1–6 of 6", true},
		{rag.Part{From: 3, To: 5, N: 6}, "steps 3–5 of 6", false},
		{rag.Part{From: 4, To: 4, N: 6}, "step 4 of 6", false},
		{rag.Part{N: 6}, "part of a procedure of 6 steps", false},
	} {
		require.Equal(t, tt.label, tt.part.Label())
		require.Equal(t, tt.whole, tt.part.Whole())
	}
}

func TestScopeReadsItsSpacesOnly(t *testing.T) { // T74
	t.Parallel()
	require.False(t, rag.Scope{}.Reads(1))
	require.True(t, rag.Scope{Spaces: []int64{1, 3}}.Reads(3))
	require.False(t, rag.Scope{Spaces: []int64{1, 3}}.Reads(2))
	require.True(t, rag.Scope{All: true}.Reads(2))
}

func TestUnitsOfASet(t *testing.T) {
	t.Parallel()
	o := rag.Outline{Units: []rag.Unit{{Set: "sentence", Ordinal: 0}, {Set: "sentence", Ordinal: 1}, {Set: "tokens-9-0", Ordinal: 0}}}
	require.Len(t, o.UnitsOf("sentence"), 2)
	require.Len(t, o.UnitsOf("tokens-9-0"), 1)
	require.Empty(t, o.UnitsOf("chars-9-0"))
}

func TestPagesOf(t *testing.T) {
	t.Parallel()
	starts := []int{0, 100, 100, 250} // nothing stands on page 2
	for _, c := range []struct {
		span  rag.Span
		label string
	}{
		{rag.Span{Start: 0, End: 100}, "page 1"},
		{rag.Span{Start: 99, End: 101}, "pages 1–3"},
		{rag.Span{Start: 100, End: 250}, "page 3"},
		{rag.Span{Start: 240, End: 900}, "pages 3–4"},
		{rag.Span{Start: 250, End: 250}, "page 4"},
	} {
		require.Equal(t, c.label, rag.PagesOf(starts, c.span).Label())
	}
	require.Empty(t, rag.PagesOf(nil, rag.Span{End: 5}).Label())
	require.Equal(t, "page 1", rag.PagesOf([]int{3}, rag.Span{Start: 0, End: 2}).Label(), "white space before the first page")
}
