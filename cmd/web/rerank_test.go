package main

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/tokens"
)

func TestRerankerFollowsTheSettings(t *testing.T) {
	t.Parallel()
	open := func(environ ...string) *app {
		c, err := readConfig(environ)
		require.NoError(t, err)
		a := &app{config: c, log: slog.New(slog.DiscardHandler)}
		a.cut.Tokens, err = tokens.CL100K()
		require.NoError(t, err)
		require.NoError(t, a.openReranker())
		t.Cleanup(func() { require.NoError(t, a.close(t.Context())) })
		return a
	}
	a := open()
	require.Nil(t, a.reranker, "the order of the search is kept")
	require.Equal(t, 30, a.config.RerankCandidates)
	require.Equal(t, 3*time.Second, a.config.RerankTimeout)

	a = open("PASSAGE_RERANKER=tei", "PASSAGE_RERANK_BASE_URL=http://127.0.0.1:8081")
	require.Equal(t, "tei/tei", a.reranker.ID())
	require.Equal(t, 384, a.reranker.MaxTokens(), "a guessed tokenizer leaves a quarter free")

	a = open("PASSAGE_RERANKER=jina", "PASSAGE_RERANK_MODEL=m", "PASSAGE_RERANK_API_KEY=k", "PASSAGE_RERANK_TOKENIZER=use-lite", "PASSAGE_RERANK_MAX_TOKENS=8192")
	require.Equal(t, "jina/m", a.reranker.ID())
	require.Equal(t, 8192, a.reranker.MaxTokens())
}

func TestRerankerSettingsAreCheckedWhole(t *testing.T) {
	t.Parallel()
	_, err := readConfig([]string{
		"PASSAGE_RERANKER=cohere", "PASSAGE_RERANK_BASE_URL=host:80", "PASSAGE_RERANK_TOKENIZER=p50k",
		"PASSAGE_RERANK_MAX_TOKENS=5", "PASSAGE_RERANK_CANDIDATES=1", "PASSAGE_RERANK_TIMEOUT=2m",
	})
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	for _, fault := range []string{
		"PASSAGE_RERANK_MODEL must name a model when PASSAGE_RERANKER is cohere",
		"PASSAGE_RERANK_BASE_URL must be an http or https URL",
		"PASSAGE_RERANK_TOKENIZER must be cl100k",
		"PASSAGE_RERANK_MAX_TOKENS must be 0 or from 32",
		"PASSAGE_RERANK_CANDIDATES must be from 2 to 200",
		"PASSAGE_RERANK_TIMEOUT must be above zero and at most 1m",
	} {
		require.ErrorContains(t, err, fault)
	}
	for environ, fault := range map[string]string{
		"PASSAGE_RERANKER=voyage": "PASSAGE_RERANKER must be cohere, jina or tei, or empty",
		"PASSAGE_RERANKER=tei":    "PASSAGE_RERANK_BASE_URL must name the server when PASSAGE_RERANKER is tei",
	} {
		_, err := readConfig([]string{environ})
		require.ErrorContains(t, err, fault)
	}

	// What only the server's address tells is said when the program starts.
	c, err := readConfig([]string{"PASSAGE_RERANKER=cohere", "PASSAGE_RERANK_MODEL=rerank-v3.5"})
	require.NoError(t, err)
	err = (&app{config: c, log: slog.New(slog.DiscardHandler)}).openReranker()
	require.Equal(t, "The reranker is not set up: PASSAGE_RERANK_API_KEY is not set.", rag.ErrorMessage(err))
}
