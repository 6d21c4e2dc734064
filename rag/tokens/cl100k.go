package tokens

import (
	"fmt"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// cl100k is the size of the vocabulary of cl100k_base without special tokens.
const cl100k = 100_256

// bytePair is a byte-pair encoder over a ranked vocabulary.
type bytePair struct {
	name  string
	words *vocabulary
	ascii *ascii
}

// CL100K reads the vocabulary of cl100k_base (GPT-3.5, GPT-4 and the
// text-embedding-3 models), which takes some 20 ms and 10 MB: call it once and
// share the result. Special tokens such as <|endoftext|> have no meaning in a
// document and count as the plain text they are. The error says that the
// program was built with a broken vocabulary.
func CL100K() (Tokenizer, error) {
	const name = "cl100k_base"
	file, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		return nil, fmt.Errorf("read vocabulary %s: %w", name, err)
	}
	words, err := readVocabulary(file, cl100k)
	if err != nil {
		return nil, fmt.Errorf("read vocabulary %s: %w", name, err)
	}
	return &bytePair{name: name, words: words, ascii: asciiClasses()}, nil
}
