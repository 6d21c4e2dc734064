package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func TestTokenizersFollowTheModels(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"gpt-4o-mini": "o200k", "gpt-4.1": "o200k", "openai/gpt-5-nano": "o200k", "o3-mini": "o200k", "o1": "o200k",
		"chatgpt-4o-latest": "o200k", "gpt-oss:20b": "o200k",
		"gpt-4": "cl100k", "gpt-4-turbo": "cl100k", "gpt-3.5-turbo": "cl100k", "llama3.1": "cl100k", "claude-opus-4": "cl100k",
		"olmo-2": "cl100k", "": "cl100k",
	} {
		require.Equal(t, want, config{LLMModel: model}.chatTokenizer(), model)
	}
	require.Equal(t, "use-lite", config{LLMModel: "gpt-4o", LLMTokenizer: "use-lite"}.chatTokenizer())

	for _, c := range []struct {
		config config
		want   string
		known  bool
	}{
		{config{Embedder: "use-lite"}, "use-lite", true},
		{config{Embedder: "none"}, "use-lite", true},
		{config{Embedder: "openai", EmbedModel: "text-embedding-3-small"}, "cl100k", true},
		{config{Embedder: "ollama", EmbedModel: "nomic-embed-text"}, "cl100k", false},
		{config{Embedder: "ollama", EmbedModel: "bge", EmbedTokenizer: "wordpiece:/v.txt"}, "wordpiece:/v.txt", true},
	} {
		name, known := c.config.embedTokenizer()
		require.Equal(t, c.want, name)
		require.Equal(t, c.known, known, "%+v", c.config)
	}
}

func TestTokenizersAreOpened(t *testing.T) {
	t.Parallel()
	vocabulary := filepath.Join("..", "..", "rag", "tokens", "testdata", "vocab.txt")
	for name, want := range map[string]string{
		"cl100k": "cl100k_base", "o200k": "o200k_base", "use-lite": "use-lite",
		"wordpiece:" + vocabulary: "wordpiece-", "wordpiece-cased:" + vocabulary: "wordpiece-cased-",
	} {
		require.True(t, isTokenizer(name), name)
		tok, err := openTokenizer(name)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(tok.Name(), want), tok.Name())
	}
	for _, name := range []string{"wordpiece:" + t.TempDir() + "/missing.txt", "wordpiece:tokenizers.go"} {
		_, err := openTokenizer(name)
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), name)
	}
	_, err := readConfig([]string{"PASSAGE_EMBED_TOKENIZER=p50k", "PASSAGE_LLM_TOKENIZER=wordpiece:", "PASSAGE_EMBED_MAX_TOKENS=5"})
	for _, fault := range []string{"PASSAGE_EMBED_TOKENIZER must be cl100k", "PASSAGE_LLM_TOKENIZER must be", "PASSAGE_EMBED_MAX_TOKENS must be"} {
		require.ErrorContains(t, err, fault)
	}
}

// A change of the tokenizer makes the chunks anew instead of mixing them, and a
// change of the embedder's limit divides the document anew.
func TestAnotherTokenizerCutsAnew(t *testing.T) {
	t.Parallel()
	environ := empty(t)
	dir := t.TempDir()
	file := write(t, dir, "limits.md", "# Limits\n\n"+strings.Repeat("The broker keeps 512 partitions of every topic. ", 60)+"\n\n```\n"+strings.Repeat("ls -l /var/log\n", 40)+"```\n")
	ingest := []string{"ingest", "--doc-type", "reference", "--root", dir, file}
	require.Contains(t, must(t, environ, ingest...), "warning: 1 code block is longer than the embedder takes at once (128 tokens)")
	require.Contains(t, must(t, environ, ingest...), "unchanged")

	other := slices.Concat(environ, []string{"PASSAGE_EMBED_TOKENIZER=cl100k"})
	require.Contains(t, askJSON(t, other, "How many partitions does the broker keep?").Answer, "512 partitions", "the chunks are made when they are needed")
	questions := write(t, dir, "q.jsonl", `{"id":"a","question":"How many partitions does the broker keep?"}`+"\n")
	length := func(environ []string) int {
		out := filepath.Join(dir, "out.jsonl")
		must(t, environ, "retrieve", "--questions", questions, "--out", out, "--top", "1")
		type line struct {
			Contexts []struct{ Start, End int }
		}
		c := jsonLines[line](t, out)[0].Contexts
		require.NotEmpty(t, c)
		return c[0].End - c[0].Start
	}
	require.NotEqual(t, length(environ), length(other))

	limited := slices.Concat(environ, []string{"PASSAGE_EMBED_MAX_TOKENS=64"})
	out := must(t, limited, ingest...)
	require.Contains(t, out, "updated")
	require.Contains(t, out, "is indexed in")
	require.NoError(t, os.Remove(file))
}
