package evaluate

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// shelf is a corpus in memory.
type shelf struct {
	sources []rag.Source
	sets    []rag.UnitSet
}

func source(id int64, space, uri, docType, text string) rag.Source {
	return rag.Source{Document: rag.Document{ID: id, Space: space, SourceURI: uri, DocType: docType, VersionID: id * 10}, Text: text}
}

func (s *shelf) Sources(_ context.Context, _ rag.Scope, _ []int64, uris []string) ([]rag.Source, error) {
	var list []rag.Source
	for _, have := range s.sources {
		for _, uri := range uris {
			if have.Document.SourceURI == uri {
				list = append(list, have)
			}
		}
	}
	return list, nil
}

func (s *shelf) Texts(_ context.Context, _ rag.Scope, ids []int64) (map[int64]string, error) {
	texts := map[int64]string{}
	for _, have := range s.sources {
		for _, id := range ids {
			if have.Document.VersionID == id {
				texts[id] = have.Text
			}
		}
	}
	return texts, nil
}

func (s *shelf) CorpusSize(context.Context, rag.Scope, rag.Filter) (documents, units int, err error) {
	return len(s.sources), 7, nil
}

func (s *shelf) CommonSets(context.Context, rag.Scope, rag.Filter) ([]rag.UnitSet, error) {
	return s.sets, nil
}

func locate(t *testing.T, s *shelf, q Question) (located, []Problem) {
	t.Helper()
	require.NoError(t, q.Validate())
	l, problems, err := locator{corpus: s}.locate(t.Context(), q)
	require.NoError(t, err)
	return l, problems
}

func asked(spans ...AnswerSpan) Question {
	return Question{ID: "q", Text: "?", Kind: KindSpan, Target: Target{DocID: "a.md", Spans: spans}}
}

func TestSpansAreFoundInNewVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		span       AnswerSpan
		start, end int
		found      string
	}{
		{"where it was", "Öl ist warm.", AnswerSpan{3, 6, "ist"}, 3, 6, "ist"},
		{"without its text", "Öl ist warm.", AnswerSpan{3, 6, ""}, 3, 6, "ist"},
		{"moved back", "Neu: das Öl ist warm.", AnswerSpan{3, 6, "ist"}, 12, 15, "ist"},
		{"the nearest of several", "ist das? Öl ist warm. ist es?", AnswerSpan{10, 13, "ist"}, 12, 15, "ist"},
		{"the nearest before", "ist das? Öl ist warm. Ja, ist es?", AnswerSpan{20, 23, "ist"}, 26, 29, "ist"},
		{"overlapping places", "aaaa", AnswerSpan{1, 3, "aa"}, 1, 3, "aa"},
		{"with other white space", "Öl\n  ist\twarm.", AnswerSpan{40, 52, "Öl ist warm."}, 0, 14, "Öl\n  ist\twarm."},
		{"a start after the end of the text", "Öl ist warm.", AnswerSpan{900, 903, "ist"}, 3, 6, "ist"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, problems := locate(t, &shelf{sources: []rag.Source{source(1, "Ops", "a.md", "note", tt.text)}}, asked(tt.span))
			require.Empty(t, problems)
			require.Equal(t, []AnswerSpan{{tt.start, tt.end, tt.found}}, l.Target.Spans)
			require.Equal(t, "Ops", l.Target.Space)
			require.Equal(t, "note", l.docType)
		})
	}
}

func TestWhatIsNotThereIsReported(t *testing.T) {
	t.Parallel()
	s := &shelf{sources: []rag.Source{
		source(1, "Ops", "a.md", "note", "Das Öl ist warm."), source(2, "Clinic", "a.md", "guideline", "Das Öl ist warm."), source(3, "Ops", "b.md", "runbook", "1. Los."),
	}}
	in := func(q Question, space string) Question { q.Target.Space = space; return q }
	ref := AnswerSpan{4, 6, "Öl"}
	for _, tt := range []struct {
		name     string
		question Question
		leftOut  bool
		want     string
	}{
		{"unknown document", Question{ID: "q", Text: "?", Kind: KindSpan, Target: Target{DocID: "z.md", Spans: []AnswerSpan{ref}}}, true, `There is no document "z.md".`},
		{"in two spaces", asked(ref), true, `"a.md" stands in the spaces Clinic, Ops`},
		{"not in that space", in(asked(ref), "Lab"), true, `There is no document "a.md" in the space "Lab".`},
		{"text is gone", in(asked(ref, AnswerSpan{0, 9, "Das Gas ist kalt."}), "Ops"), true, `The text of answer span 2 is not in "a.md" any more: "Das Gas ist kalt.".`},
		{"after the end", in(asked(AnswerSpan{5, 99, ""}), "Ops"), true, "Answer span 1 ends at 99"},
		{"an alternative is gone", func() Question {
			q := in(asked(ref), "Ops")
			q.Alternatives = []Target{{DocID: "y.md", Spans: []AnswerSpan{ref}}}
			return q
		}(), false, `There is no document "y.md".`},
		{"a graded document is gone", Question{ID: "q", Text: "?", Kind: KindDocument, Relevant: []Relevance{{"b.md", "", 2}, {"y.md", "", 3}}}, false, `"y.md"`},
		{"only what is not relevant is left", Question{ID: "q", Text: "?", Kind: KindDocument, RelevantFrom: 3, Relevant: []Relevance{{"b.md", "", 2}, {"y.md", "", 3}}}, true, `"y.md"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, problems := locate(t, s, tt.question)
			require.Len(t, problems, 1)
			require.Equal(t, "q", problems[0].Question)
			require.Contains(t, problems[0].Why, tt.want)
			require.Equal(t, tt.leftOut, problems[0].LeftOut)
			require.Equal(t, !tt.leftOut, l.measurable())
		})
	}
	l, problems := locate(t, s, Question{ID: "q", Text: "?", Kind: KindDocument, Relevant: []Relevance{{"b.md", "", 2}}})
	require.Empty(t, problems)
	require.Equal(t, "runbook", l.docType)
	_, problems = locate(t, s, Question{ID: "q", Text: "?", Kind: KindUnanswerable})
	require.Empty(t, problems)
}

// Whatever stands before it and however its white space is changed, a text that
// stands once is found, and at the right place.
func FuzzFind(f *testing.F) {
	f.Add("Vor dem Satz. ", "Öl ist warm.", 3)
	f.Add("", "a", 0)
	f.Add("🧊🧊", " x\ny ", 90)
	f.Fuzz(func(t *testing.T, before, words string, start int) {
		if strings.TrimSpace(words) == "" || !utf8.ValidString(before+words) || start < 0 || start > 1<<20 {
			return
		}
		text := []rune(before + words)
		at, ok := find(text, AnswerSpan{Start: start, End: start + utf8.RuneCountInString(words), Text: words})
		require.True(t, ok)
		require.Equal(t, words, string(text[at.Start:at.End]))
		at, ok = find([]rune(before+strings.Join(strings.Fields(words), "\n\t")), AnswerSpan{Start: start, Text: words})
		require.True(t, ok)
		require.LessOrEqual(t, at.End, utf8.RuneCountInString(before+words)*3)
	})
}

// Code points are counted as []rune does, wherever the span lies.
func TestTextCountsCodePoints(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Übergröße 🩺 und mehr. ", 60)
	x := NewText(text, wordTokens{})
	n := 0
	for i := range text {
		require.Equal(t, n, x.point(i))
		n++
	}
	require.Equal(t, n, x.point(len(text)))
	require.Equal(t, AnswerSpan{10, 11, "🩺"}, SpanOf(text, rag.Span{Start: 13, End: 17}))
	require.Len(t, x.ends, 4*60+1)
	whole := x.tokens(rag.Span{Start: 0, End: n})
	for cut := range n { // two spans that meet share no token and lose none
		require.Equal(t, whole.Len(), x.tokens(rag.Span{Start: 0, End: cut}).Len()+x.tokens(rag.Span{Start: cut, End: n}).Len())
	}
}
