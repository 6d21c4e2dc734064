package answer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func TestEarlierPlaces(t *testing.T) { // T62
	t.Parallel()
	cited := func(version int64, start int, used bool) rag.Citation {
		return rag.Citation{VersionID: version, Span: rag.Span{Start: start, End: start + 5}, Used: used}
	}
	gone, replaced, empty := cited(1, 90, true), cited(1, 91, true), cited(1, 92, true)
	gone.Deleted, replaced.Newer, empty.Span.End = true, true, 92
	history := talk("a", "", "b", "", "c", "")
	history[1].Citations = []rag.Citation{cited(1, 0, false), cited(1, 10, true)}
	history[3].Citations = []rag.Citation{cited(2, 0, false), gone, replaced, empty, cited(2, 10, true), cited(1, 10, true)}
	place := func(version int64, start int) rag.Place {
		return rag.Place{Version: version, Span: rag.Span{Start: start, End: start + 5}}
	}
	require.Equal(t, []rag.Place{place(2, 10), place(1, 10), place(2, 0), place(1, 0)}, earlierPlaces(history),
		"used ones first, of each kind those of the last answer, each once, none that is gone")
	require.Equal(t, []rag.Place{place(2, 10), place(1, 10), place(2, 0)}, earlierPlaces(history[2:]))
	require.Empty(t, earlierPlaces(nil))

	for i := range 30 {
		history[5].Citations = append(history[5].Citations, cited(3, 10*i, true))
	}
	require.Len(t, earlierPlaces(history), mostEarlier)
}

// A first question that names nothing has its subject from the title of the
// document that was cited first.
func TestTitleIsTheSubjectWhereThereIsNone(t *testing.T) {
	t.Parallel()
	history := talk("What are the steps?", "")
	history[1].Citations = []rag.Citation{
		{Title: "Gone", Used: true, Deleted: true}, {Title: "On call"}, {Title: "Rotate certificates", Used: true},
	}
	require.Equal(t, "Rotate certificates: and on EKS?", read("and on EKS?", history).question)
	history[1].Citations = history[1].Citations[:2]
	require.Equal(t, "call", read("yes", history).question)
	history[1].Citations = nil
	require.Equal(t, "yes", read("yes", history).question, "nothing to go by")
}
