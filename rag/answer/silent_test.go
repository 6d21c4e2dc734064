package answer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// What says nothing is not answered from whatever comes nearest to it.
func TestFirstMessageThatSaysNothing(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"yes", "ok", "thanks", "thank you!", "how long does that take?", "and then?", "??", "…", "👍", "🙏🏽 !!", "Hello", "hi there", "help", "why?", "ja", "YES", "tell me more"} {
		t.Run(q, func(t *testing.T) {
			t.Parallel()
			search := &found{passages: passages()}
			model := &script{chunks: []string{"x"}}
			d, _ := desk(t, search, model)
			answers := converse(t, d, q, q, rotate)
			for _, m := range answers[:2] {
				require.Equal(t, rag.AnswerRefused, m.State)
				require.Equal(t, noticeNothing, m.Notice)
				require.Empty(t, m.Citations)
				require.Empty(t, m.Text)
			}
			require.Equal(t, []string{rotate}, search.asked, "a whole question is searched for as it is")
			require.Empty(t, search.requests[0].Earlier)
			require.Equal(t, 1, model.calls)
		})
	}
}

func TestFirstMessageThatSaysSomething(t *testing.T) {
	t.Parallel()
	for _, q := range []string{rotate, "warfarin", "ERR-4012", "and on EKS?", "rollback?", "What is the maximum dose?", "重启", "IT policy", "5 mg", "How long does it take to restore etcd?", "thanks to whom do we owe the postmortem?", "OK, how do I drain node-17?"} {
		search := &found{passages: passages()}
		d, _ := desk(t, search, nil)
		require.Equal(t, rag.AnswerDone, converse(t, d, q)[0].State, q)
		require.Equal(t, []string{q}, search.asked)
	}
}

func TestThanksAreNotAnsweredFromTheDocuments(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"thanks", "Thank you", "ok thanks", "great, thanks!", "no thanks", "thanks, that worked", "Thanks a lot for your help", "danke", "thx 👍"} {
		t.Run(q, func(t *testing.T) {
			t.Parallel()
			search := &found{passages: passages()}
			d, store := desk(t, search, nil)
			answers := converse(t, d, rotate, q, "and on EKS?")
			m := answers[1]
			require.Equal(t, rag.AnswerDone, m.State)
			require.Equal(t, noticeThanks, m.Notice)
			require.Empty(t, Text(m))
			require.Empty(t, m.Citations)
			require.Equal(t, []string{rotate, "rotate broker certificates: and on EKS?"}, search.asked, "the chat goes on from before the thanks")
			require.Len(t, search.requests[1].Earlier, 2)
			stored, err := store.Message(t.Context(), local, m.ID)
			require.NoError(t, err)
			require.Equal(t, m, stored)
		})
	}
}

func TestThanksWithAQuestionAreAQuestion(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"thanks, and on EKS?", "thanks, how do I verify?", "yes thanks", "Thanks. How do I restore etcd from a snapshot?"} {
		search := &found{passages: passages()}
		d, _ := desk(t, search, nil)
		converse(t, d, rotate, q)
		require.Len(t, search.asked, 2, q)
	}
}
