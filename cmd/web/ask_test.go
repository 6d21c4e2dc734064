package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// T63: what came nearest to a refused question is not printed as its sources.
func TestAskLabelsWhatCameNearest(t *testing.T) {
	t.Parallel()
	cited := []rag.Citation{{Number: 1, SourceURI: "pump.md", Path: []string{"Pump"}, Span: rag.Span{Start: 3, End: 9}}}
	for state, wanted := range map[rag.AnswerState]string{
		rag.AnswerRefused: "(Nothing answers this.)\n\nWhat came nearest (it may not answer the question):\n[1] pump.md — Pump, bytes 3–9\n",
		rag.AnswerDone:    "(Nothing answers this.)\n\n[1] pump.md — Pump, bytes 3–9\n",
	} {
		var out strings.Builder
		require.NoError(t, printAnswer(&program{stdout: &out}, rag.Message{State: state, Notice: "Nothing answers this.", Citations: cited}))
		require.Equal(t, wanted, out.String())
	}
}
