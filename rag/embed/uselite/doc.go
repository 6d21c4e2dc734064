// Package uselite is the embedder that is built into the program: it turns
// English text into vectors with the Universal Sentence Encoder Lite, in Go
// alone, without cgo, network or files.
//
// A text is divided into pieces of a vocabulary of 8,000 (a SentencePiece
// unigram model), a transformer of two layers turns up to 128 pieces into 512
// numbers, and the result is scaled to length 1, so that the cosine of two
// texts is the dot product of their vectors. The weights, some 14 MB as
// float16, are part of the binary; NOTICE says where they come from, and
// tools/pack-use-lite makes them.
//
// A text of more than 128 pieces is never cut: it is divided into windows of
// equal length, and its vector is the mean of theirs (see Embedder.Embed).
// The model was trained on English; other scripts are mostly unknown to its
// vocabulary, and texts in them can hardly be told apart.
package uselite
