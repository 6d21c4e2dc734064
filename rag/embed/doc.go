// Package embed turns texts into vectors with a server: one that speaks
// OpenAI's /embeddings, or Ollama. Whatever the server sends goes through one
// guard, so that a vector leaves this package only at its text's place, with
// the expected dimension, finite, and of length 1. The embedder that needs no
// server is the sub-package uselite.
//
// The requests are this package's own, small and in batches, and stand behind
// langchaingo's EmbedderClientFunc; langchaingo's own clients ignore the index
// of a vector, change the caller's texts, and check nothing.
package embed
