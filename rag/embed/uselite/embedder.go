package uselite

import (
	"context"
	_ "embed"
	"fmt"
	"runtime"
	"sync"

	"passage/rag/embed/uselite/weights"
)

// packed is weights.bin, see package weights. It stays in the binary's
// read-only part; the embedding table is read from there.
//
//go:embed weights.bin
var packed string

// modelID names everything the vectors depend on: the model, the revision of how
// this package tokenizes, divides and computes, and the form of the weights.
// Raise the revision with every change that moves vectors by more than the
// golden test allows: stored vectors of another id are not comparable.
const modelID = "use-lite/1-f16"

// Embedder embeds texts. It is safe for concurrent use and holds some 21 MB of
// weights, and 2 MB more for every processor once that has been at work.
type Embedder struct {
	tokenizer *tokenizer
	model     *model
	empty     []float32     // the vector of a text without a piece
	encoders  chan *encoder // as many as processors; nil ones are made when taken
	kernel    kernel
}

// New decodes the weights, which takes some 20 ms. An error means that the
// program was built with a broken weights.bin.
func New() (*Embedder, error) {
	available := kernels()
	return newEmbedder(available[len(available)-1])
}

// unpacked is what weights.bin holds, and the tokenizer made of its vocabulary.
type unpacked struct {
	file      *weights.File
	tokenizer *tokenizer
}

// unpack reads weights.bin once: embedders and tokenizers share what it gives
// and only read it.
var unpack = sync.OnceValues(func() (unpacked, error) {
	file, err := weights.Parse(packed)
	if err != nil {
		return unpacked{}, fmt.Errorf("read the embedded weights: %w", err)
	}
	return unpacked{file: file, tokenizer: newTokenizer(file.Vocabulary)}, nil
})

func newEmbedder(k kernel) (*Embedder, error) {
	u, err := unpack()
	if err != nil {
		return nil, err
	}
	m, err := loadModel(u.file)
	if err != nil {
		return nil, fmt.Errorf("read the embedded weights: %w", err)
	}
	e := &Embedder{
		tokenizer: u.tokenizer,
		model:     m,
		empty:     finish(m.tanh.bias),
		encoders:  make(chan *encoder, runtime.GOMAXPROCS(0)),
		kernel:    k,
	}
	for range cap(e.encoders) {
		e.encoders <- nil
	}
	return e, nil
}

// ID names the model, the revision of this package's arithmetic and the form
// of the weights. Vectors of different ids must not be compared.
func (e *Embedder) ID() string { return modelID }

// Dimension is the length of every vector.
func (e *Embedder) Dimension() int { return dimension }

// MaxTokens is the number of pieces the model takes at once. A text for which
// Count gives more is embedded in several windows.
func (e *Embedder) MaxTokens() int { return maxTokens }

// Count is the number of pieces of text. It is 0 for white space alone.
func (e *Embedder) Count(text string) int { return len(e.tokenizer.pieces(text)) }

// Pieces divides text as the model sees it. The spans are bytes of text, start
// and end between characters, and cover it without gap or overlap, so a text
// can be cut wherever a piece starts. White space belongs to the piece that
// follows it, at the end of the text to the last piece. A span is empty when
// one character makes several pieces: the first of them has its bytes.
// A text of white space alone has no piece.
//
// A part of a text, divided by itself, may have a piece more or less than it
// had inside the text, as its first word then starts with a word mark.
func (e *Embedder) Pieces(text string) []Piece { return e.tokenizer.pieces(text) }

// take gives an encoder that nobody else uses; give it back with put. Waiting
// callers are served in the order they came, so that a question does not wait
// for the end of a long list of texts.
func (e *Embedder) take(ctx context.Context) (*encoder, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case enc := <-e.encoders:
		if enc == nil {
			enc = newEncoder(e.model, e.kernel)
		}
		return enc, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (e *Embedder) put(enc *encoder) { e.encoders <- enc }
