package outbound_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag/outbound"
)

func TestSentence(t *testing.T) {
	t.Parallel()
	s := outbound.Server{Name: "embedding", Env: "PASSAGE_EMBED", Provider: "PASSAGE_EMBEDDER", Model: "m"}
	cases := []struct {
		e    outbound.Error
		want string
	}{
		{outbound.Error{Kind: outbound.KindUnauthorized}, "The embedding server refused the key: check PASSAGE_EMBED_API_KEY."},
		{outbound.Error{Kind: outbound.KindRateLimited, RetryAfter: 90 * time.Second}, "The embedding server has too many requests. Try again in 1m30s."},
		{outbound.Error{Kind: outbound.KindRateLimited}, "The embedding server has too many requests. Try again in a moment."},
		{outbound.Error{Kind: outbound.KindModel}, `The embedding server does not have the model "m": check PASSAGE_EMBED_MODEL.`},
		{outbound.Error{Kind: outbound.KindAddress}, "No embedding server answers at this address: check PASSAGE_EMBED_BASE_URL and PASSAGE_EMBEDDER."},
		{outbound.Error{Kind: outbound.KindUnavailable}, "The embedding server cannot be reached. Try again; if it stays so, check PASSAGE_EMBED_BASE_URL."},
	}
	for _, c := range cases {
		require.Equal(t, c.want, s.Sentence(&c.e))
	}
	s.Pull = true
	require.Equal(t, `The Ollama server does not have the model "m": run "ollama pull m" there, or check PASSAGE_EMBED_MODEL.`,
		s.Sentence(&outbound.Error{Kind: outbound.KindModel}))
}
