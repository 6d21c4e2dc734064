package answer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// cited makes a history in which each answer quotes the document with the title
// given after its question.
func cited(turns ...string) []rag.Message {
	history := talk(turns...)
	for i := 1; i < len(history); i += 2 {
		history[i].Model, history[i].Text = modelExtractive, ""
		history[i].Citations = []rag.Citation{{Number: 1, Used: true, Title: turns[i], Path: []string{turns[i], "Plenvarol"}, VersionID: 3, Span: rag.Span{Start: 1, End: 5}}}
	}
	return history
}

// A follow-up that names another subject is not answered from the one before.
func TestAnotherSubjectTakesThePlaceOfTheLast(t *testing.T) {
	t.Parallel()
	dose := []string{"What is the starting dose of plenvarol?", "Plenvarol"}
	drain := []string{"How do I drain a node?", "Drain a Kubernetes node"}
	expired := []string{"What do I do when the Kafka certificate has expired?", "Renew Kafka certificates"}
	for _, tt := range []struct {
		before   []string
		asked    string
		searched string
		swaps    bool
	}{
		{dose, "and warfarin?", "starting dose: and warfarin?", true},
		{dose, "what about ombradyl?", "starting dose: what about ombradyl?", true},
		{dose, "How about Ombradyl?", "starting dose: How about Ombradyl?", true},
		{dose, "And what about ombradyl in children?", "starting dose: And what about ombradyl in children?", true},
		{dose, "ombradyl?", "starting dose: ombradyl?", true},
		{[]string{dose[0], "Plenvarol: starting dose"}, "and warfarin?", "starting dose: and warfarin?", true},
		{[]string{dose[0], "Formulary"}, "and warfarin?", "starting dose: and warfarin?", true},
		{drain, "what about postgres failover?", "what about postgres failover?", true},
		{expired, "what about the expired ingress certificate?", "what about the expired ingress certificate?", true},
		{append(dose[:2:2], "and warfarin?", "Warfarin"), "and ombradyl?", "starting dose: and ombradyl?", true},
		{append(dose[:2:2], "and in children?", "Plenvarol"), "and warfarin?", "starting dose children: and warfarin?", true},
		{append(dose[:2:2], "and the side effects?", "Plenvarol"), "and warfarin?", "starting dose side effects: and warfarin?", true},

		// The subject that took the place stays.
		{append(dose[:2:2], "and warfarin?", "Warfarin"), "and in children?", "starting dose warfarin: and in children?", false},
		{append(dose[:2:2], "and warfarin?", "Warfarin"), "how often is it given?", "starting dose warfarin: how often is it given?", false},
		{append(drain[:2:2], "what about postgres failover?", "Postgres failover"), "How long does that take?", "postgres failover: How long does that take?", false},

		// A circumstance, an aspect and a part of the subject are added to it.
		{dose, "and in children?", "starting dose plenvarol: and in children?", false},
		{dose, "what about children?", "starting dose plenvarol: what about children?", false},
		{dose, "what about in pregnancy?", "starting dose plenvarol: what about in pregnancy?", false},
		{dose, "and with warfarin?", "starting dose plenvarol: and with warfarin?", false},
		{dose, "and the side effects?", "starting dose plenvarol: and the side effects?", false},
		{dose, "and the plenvarol tablets?", "starting dose: and the plenvarol tablets?", false},
		{drain, "and on EKS?", "drain node: and on EKS?", false},
		{drain, "for staging?", "drain node: for staging?", false},
		{drain, "what about that operator?", "drain node: what about that operator?", false},
	} {
		t.Run(tt.asked, func(t *testing.T) {
			t.Parallel()
			history := cited(tt.before...)
			got := read(tt.asked, history)
			require.Equal(t, follows, got.kind)
			require.Equal(t, tt.searched, got.question)
			require.Equal(t, tt.swaps, got.swaps)
			c := NewDesk(nil, nil, nil, nil).condense(t.Context(), job{question: tt.asked, history: history})
			require.Equal(t, tt.swaps, len(c.earlier) == 0, "what was read about the other subject does not come along")
		})
	}
}

func TestWholeQuestionBehindAnAndStandsAlone(t *testing.T) {
	t.Parallel()
	history := cited("How do I drain a node?", "Drain a Kubernetes node")
	for asked, want := range map[string]kind{
		"And how do I fail over Postgres?":           alone,
		"and what is the starting dose of warfarin?": alone,
		"So, where can I find the Grafana alerts?":   alone,
		"And restart the ingress":                    alone,
		"And how do I verify?":                       follows,
		"And how long does that take on Postgres?":   follows,
		"And who is on call?":                        follows,
		"and if the pod is stuck?":                   follows,
	} {
		got := read(asked, history)
		require.Equal(t, want, got.kind, asked)
		if want == alone {
			require.Equal(t, asked, got.question)
		}
	}
}

// A model may word the question about the other subject as it likes.
func TestModelWordsAnotherSubject(t *testing.T) {
	t.Parallel()
	history := cited("How do I rotate the broker certificates?", "Rotate certificates")
	turn := read("what about the registry?", history)
	text, fault := judgeCondensed("How do I rotate the registry certificates?", turn, "what about the registry?", chatLines(history))
	require.Empty(t, fault)
	require.Equal(t, "How do I rotate the registry certificates?", text)
}
