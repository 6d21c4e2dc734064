package answer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/llm"
	"passage/rag/retrieve"
)

const atlantis = "What is the capital of Atlantis?"

// atlas is a searcher that refuses questions about a capital and gives the
// passages as what came nearest.
func atlas() *found {
	return &found{
		passages: passages(), nearest: []string{"Rotate certificates"},
		refuses: func(q string) bool { return strings.Contains(q, "capital") },
	}
}

func TestRefusalKeepsWhatCameNearest(t *testing.T) { // T63
	t.Parallel()
	model := &script{chunks: []string{"x"}, stop: llm.StopEnd}
	d, store := desk(t, atlas(), model)
	m := ask(t, d, atlantis)
	require.Equal(t, rag.AnswerRefused, m.State)
	require.Equal(t, noticeRefused+" Nearest documents: Rotate certificates.", m.Notice)
	require.Equal(t, Citations(passages()), m.Citations, "none is used")
	require.Empty(t, m.Text)
	require.Empty(t, m.Model)
	require.Empty(t, Text(m), "nothing is quoted")
	require.Zero(t, model.calls)
	stored, err := store.Message(t.Context(), local, m.ID)
	require.NoError(t, err)
	require.Equal(t, m, stored)
}

// What came nearest to a refused question is no answer, so a follow-up takes
// neither its subject nor its passages from there.
func TestFollowUpsOfARefusal(t *testing.T) { // T61, T63
	t.Parallel()
	for _, tt := range []struct {
		name     string
		before   []string
		asked    string
		searched string
		earlier  []rag.Place
	}{
		{"yes", []string{atlantis}, "yes", "capital Atlantis", nil},
		{"another country", []string{atlantis}, "and of France?", "capital Atlantis: and of France?", nil},
		{"yes, to nothing that has a name", []string{"What is the capital?"}, "yes", "capital", nil},
		{"a refused follow-up of an answer", []string{rotate, "And in the capital?"}, "yes", "rotate broker certificates capital", placesOf(passages())},
		{"a refused subject after an answer", []string{rotate, "What about the capital?"}, "yes", "broker capital", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			search := atlas()
			d, _ := desk(t, search, nil)
			converse(t, d, append(tt.before, tt.asked)...)
			last := search.requests[len(search.requests)-1]
			require.Equal(t, tt.searched, last.Question)
			require.Equal(t, tt.earlier, last.Earlier)
		})
	}
}

func placesOf(list []rag.Passage) []rag.Place {
	var places []rag.Place
	for _, p := range list {
		places = append(places, rag.Place{Version: p.Version, Span: p.Span})
	}
	return places
}

func TestNoticeSaysWhatWasSearched(t *testing.T) {
	t.Parallel()
	similar := retrieve.Trace{Similar: map[string][]string{stem("certficate"): {stem("certificate")}, stem("broekr"): {"broker", "brok"}}}
	for _, tt := range []struct {
		name   string
		search *found
		asked  []string
		notice string
	}{
		{"a first question", &found{passages: passages()}, []string{rotate}, noticeNoModel},
		{"a follow-up", &found{passages: passages()}, []string{rotate, "and on EKS?"}, "Your question was understood as: “rotate broker certificates: and on EKS?”. " + noticeNoModel},
		{"a follow-up that is refused", atlas(), []string{atlantis, "and of France?"}, noticeRefused + " Nearest documents: Rotate certificates. Your question was understood as: “capital Atlantis: and of France?”."},
		{
			"words that stood in",
			&found{passages: passages(), trace: similar},
			[]string{"Restart the broekr, renew the certficate?"},
			"Searched also for: broker, brok (for broekr); certificates (for certficate). " + noticeNoModel,
		},
		{
			"words that stood in, refused",
			&found{passages: passages(), trace: similar, refuses: func(string) bool { return true }},
			[]string{"Restart the broekr, renew the certficate?"},
			noticeRefused + " Searched also for: broker, brok (for broekr); certificates (for certficate).",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, _ := desk(t, tt.search, nil)
			answers := converse(t, d, tt.asked...)
			require.Equal(t, tt.notice, answers[len(answers)-1].Notice)
		})
	}
}

// The scores are the search's, so they say nothing of what a reranker chose.
func TestRerankedPassagesAreQuotedByRank(t *testing.T) {
	t.Parallel()
	var list []rag.Passage
	for _, score := range []float64{0.2, 1, 0.1, 0.9} {
		p := passages()[1]
		p.Score = score
		list = append(list, p)
	}
	for _, tt := range []struct {
		name            string
		reranker, fault string
		used            []bool
	}{
		{"as the search scored them", "", "", []bool{true, true, false, false}},
		{"by rank", "bge", "", []bool{true, true, true, false}},
		{"the reranker was away", "bge", "timeout", []bool{true, true, false, false}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := retrieve.Result{Passages: list, Trace: retrieve.Trace{Reranker: tt.reranker, RerankFault: tt.fault}}
			m := quote(rag.Message{Citations: Citations(list)}, res, "")
			var used []bool
			for _, c := range m.Citations {
				used = append(used, c.Used)
			}
			require.Equal(t, tt.used, used)
		})
	}
}
