// Package rerank orders passages by how well they answer a question, with a
// server: Cohere or Jina, any server that speaks like them, or Hugging Face's
// text-embeddings-inference (TEI). Such a model reads the question and one text
// together, which tells more than two vectors do and takes longer; so it sees
// few candidates, each cut to what it reads, and has little time.
//
// Whatever the server sends goes through one guard: a score leaves this package
// only at its text's place, every text has one, and all are finite. A reranker
// that is away costs the better order, never the answer: the caller goes on
// without it.
package rerank
