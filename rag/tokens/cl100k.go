package tokens

import (
	"fmt"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// cl100k is the size of the vocabulary of cl100k_base without special tokens.
const cl100k = 100_256

// CL100K reads the vocabulary of cl100k_base (GPT-3.5, GPT-4 and the
// text-embedding-3 models), which takes some 20 ms and 10 MB: call it once and
// share the result. Special tokens such as <|endoftext|> have no meaning in a
// document and count as the plain text they are. The error says that the
// program was built with a broken vocabulary.
func CL100K() (Tokenizer, error) {
	classes := asciiOf(classOf)
	return newBytePair("cl100k_base", cl100k, classes.piece)
}

// bytePair is a byte-pair encoder over a ranked vocabulary.
type bytePair struct {
	name  string
	words *vocabulary
	// piece ends the piece of s that starts at i: byte pairs merge within it.
	piece func(s string, i int) int
}

func newBytePair(name string, size int, piece func(s string, i int) int) (*bytePair, error) {
	file, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		return nil, fmt.Errorf("read vocabulary %s: %w", name, err)
	}
	words, err := readVocabulary(file, size)
	if err != nil {
		return nil, fmt.Errorf("read vocabulary %s: %w", name, err)
	}
	return &bytePair{name: name, words: words, piece: piece}, nil
}
