package llm

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/outbound"
)

// What is judged when langchaingo and the wire disagree. A complete answer
// needs the end on the wire and all of its text.
func TestJudge(t *testing.T) {
	t.Parallel()
	idle, cancel := context.WithCancelCause(t.Context())
	cancel(errIdle)
	whole := record{ended: true, text: 2, summary: summary{stop: "stop"}}
	with := func(change func(r *record)) record {
		r := whole
		change(&r)
		return r
	}
	cases := []struct {
		name  string
		ctx   context.Context
		text  string
		given error // by langchaingo
		rec   record
		want  string // the error, "" for none
	}{
		{"whole", t.Context(), "ok", nil, whole, ""},
		{"whole, and silent after it", idle, "ok", nil, whole, ""},
		{"silent before the end", idle, "ok", nil, with(func(r *record) { r.ended = false }), "timeout, idle, after part of the reply: the server fell silent"},
		{"langchaingo fails after all", t.Context(), "ok", errors.New("x"), whole, "protocol, client, after part of the reply: x"},
		{"langchaingo never read to the end", t.Context(), "", nil, record{}, "cut, no_stop_reason"},
		{"langchaingo lost text", t.Context(), "o", nil, whole, "protocol, text_lost, after part of the reply"},
		{"langchaingo hides a fault", t.Context(), "ok", nil, with(func(r *record) { r.fault = &outbound.Error{Kind: outbound.KindCut} }), "cut, after part of the reply"},
		{"filtered", t.Context(), "ok", nil, with(func(r *record) { r.stop = "content_filter" }), "refused, content_filter, after part of the reply"},
		{"blank", t.Context(), " \n", nil, whole, "empty, after part of the reply"},
		{"used up on thinking", t.Context(), "", nil, record{ended: true, summary: summary{stop: "max_tokens"}}, "empty, length"},
		{"a reason nobody knows", t.Context(), "ok", nil, with(func(r *record) { r.stop = "tea_time" }), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := &collector{}
			got.text.WriteString(c.text)
			err := judge(t.Context(), c.ctx, got, c.given, c.rec)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.want)
		})
	}
}

func TestStopReason(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"stop": StopEnd, "end_turn": StopEnd, "stop_sequence": StopEnd,
		"length": StopLength, "max_tokens": StopLength, "model_context_window_exceeded": StopLength,
		"refusal": stopRefused, "content_filter": stopRefused, "tea_time": "tea_time",
	} {
		require.Equal(t, want, stopReason(word))
	}
}
