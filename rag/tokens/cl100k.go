package tokens

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// cl100k is the size of the vocabulary of cl100k_base without special tokens.
const cl100k = 100_256

// bytePair is a byte-pair encoder over a ranked vocabulary.
type bytePair struct {
	name  string
	ranks map[string]uint32
	ascii *ascii
}

// CL100K reads the vocabulary of cl100k_base (GPT-3.5, GPT-4 and the
// text-embedding-3 models), which takes some 20 ms and 12 MB: call it once and
// share the result. Special tokens such as <|endoftext|> have no meaning in a
// document and count as the plain text they are. The error says that the
// program was built with a broken vocabulary.
func CL100K() (Tokenizer, error) {
	const name = "cl100k_base"
	file, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		return nil, fmt.Errorf("read vocabulary %s: %w", name, err)
	}
	ranks, err := readRanks(file, cl100k)
	if err != nil {
		return nil, fmt.Errorf("read vocabulary %s: %w", name, err)
	}
	return &bytePair{name: name, ranks: ranks, ascii: asciiClasses()}, nil
}

// readRanks reads lines of a token in base64, a space and its rank. All tokens
// share one array.
func readRanks(file []byte, size int) (map[string]uint32, error) {
	words := make([]byte, 0, base64.StdEncoding.DecodedLen(len(file)))
	rows := make([]struct{ end, rank uint32 }, 0, size)
	for line := 1; len(file) > 0; line++ {
		var row []byte
		row, file, _ = bytes.Cut(file, []byte{'\n'})
		if len(row) == 0 {
			continue
		}
		token, rank, found := bytes.Cut(row, []byte{' '})
		if !found {
			return nil, fmt.Errorf("line %d holds no rank", line)
		}
		var err error
		if words, err = base64.StdEncoding.AppendDecode(words, token); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		n, err := strconv.ParseUint(string(rank), 10, 32)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		rows = append(rows, struct{ end, rank uint32 }{uint32(len(words)), uint32(n)}) //nolint:gosec // the file is 1.6 MB
	}
	ranks, all, from := make(map[string]uint32, len(rows)), string(words), uint32(0)
	for _, row := range rows {
		ranks[all[from:row.end]] = row.rank
		from = row.end
	}
	if len(ranks) != size {
		return nil, fmt.Errorf("%d tokens instead of %d", len(ranks), size)
	}
	return ranks, nil
}
