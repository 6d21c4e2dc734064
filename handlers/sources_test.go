package handlers_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/answer"
)

// What compression left out of a passage is marked in its card, and not shown.
func TestSourceMarksItsGaps(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(_ context.Context, s *site, _ string, say func(answer.Snapshot)) {
		c := s.store.cite(t, 1, s.broker, "1. Check", "6. Give the leaders back.", "Restart the broker")
		left := s.store.cite(t, 1, s.broker, "2. Drain", "systemctl reload kafka-broker --no-block\n   ```")
		c.Gaps = []rag.Span{left.Span}
		first := rag.Part{Procedure: 1, From: 1, To: 1, N: 6, Span: c.Span}
		last := first
		last.From, last.To = 4, 6
		c.Parts = []rag.Part{first, last}
		say(answer.Snapshot{Stage: answer.StageReady, Message: rag.Message{State: rag.AnswerDone, Text: "Do it [1].", Citations: []rag.Citation{c}}})
	})
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	_, page := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}})
	card := one(t, page, "article", "card")
	require.Equal(t, "Passage, shortened", words(one(t, card, "summary")))
	require.Equal(t, []string{"step 1 of 6", "steps 4–6 of 6"}, texts(all(card, "span", "warning")))
	require.Equal(t, []string{"Open in the document", "Show every step"}, texts(all(one(t, card, "p", "links"), "a")), "one link to the rest")
	require.Equal(t, "[…]", words(one(t, card, "span", "gap")))
	require.NotContains(t, words(card), "Drain")
	require.NotContains(t, words(card), "vault")
	require.Equal(t, []string{"Restart the broker"}, texts(all(card, "mark")))
	var numbers []string
	for _, li := range all(card, "li") {
		numbers = append(numbers, attr(li, "value"))
	}
	require.Equal(t, []string{"1", "4", "5", "6"}, numbers)
}
