package uselite

import "unicode/utf8"

// tokenizerID names the vocabulary and how text is divided.
const tokenizerID = "use-lite"

// segment is about how many bytes are divided at once, so that a long text
// needs no table of its own length. A segment ends before white space, where no
// piece of the vocabulary reaches across.
const segment = 4 << 10

// Tokenizer counts and cuts text in the pieces of the model's vocabulary: a
// tokens.Tokenizer. It is safe for concurrent use.
//
// Characters that the vocabulary does not have count one each. The model takes
// neighbours among them for a single piece, so Count is never below
// Embedder.Count; a page in a script that is unknown would be one token else.
type Tokenizer struct{ tokenizer *tokenizer }

// NewTokenizer gives the tokenizer of the model, which embedders share; the
// first use reads the vocabulary, in some 10 ms. An error means that
// the program was built with a broken weights.bin.
func NewTokenizer() (*Tokenizer, error) {
	u, err := unpack()
	if err != nil {
		return nil, err
	}
	return &Tokenizer{u.tokenizer}, nil
}

// Name identifies the vocabulary: "use-lite".
func (t *Tokenizer) Name() string { return tokenizerID }

// Count is the number of pieces of the text; white space alone has none.
func (t *Tokenizer) Count(text string) int {
	n := 0
	t.segments(text, func(_ int, s symbols, last []int32) {
		for end := len(s.runes); end > 0; end -= t.tokenizer.lengths[last[end]] {
			n++
		}
	})
	return n
}

// Ends gives the byte offset where each piece ends, on rune boundaries. White
// space belongs to the piece after it, at the end of the text to the last one.
// A character that makes several pieces (a ligature, a composed letter that is
// not in the vocabulary) has one end. The last end is len(text).
func (t *Tokenizer) Ends(text string) []int {
	ends := make([]int, 0, len(text)/4+1)
	t.segments(text, func(from int, s symbols, last []int32) {
		first := len(ends)
		for end := len(s.runes); end > 0; end -= t.tokenizer.lengths[last[end]] {
			ends = append(ends, from+s.at[end])
		}
		for i, j := first, len(ends)-1; i < j; i, j = i+1, j-1 {
			ends[i], ends[j] = ends[j], ends[i]
		}
	})
	// A piece without a byte of its own ends where the one before it does.
	kept, at := ends[:0], 0
	for _, end := range ends {
		if end > at {
			kept = append(kept, end)
			at = end
		}
	}
	if at < len(text) {
		if len(kept) == 0 {
			return append(kept, len(text))
		}
		kept[len(kept)-1] = len(text)
	}
	return kept
}

// segments divides the text segment by segment and gives each with the offset
// it starts at. The sums go on from one to the next, so that the pieces are
// those of the whole.
func (t *Tokenizer) segments(text string, do func(from int, s symbols, last []int32)) {
	sum := 0.0
	for from := 0; from < len(text); {
		to := cutAfter(text, from+segment)
		s := normalize(text[from:to])
		var last []int32
		last, sum = t.tokenizer.bestEnds(s.runes, sum)
		do(from, s, last)
		from = to
	}
}

// cutAfter finds a place from i on where white space begins.
func cutAfter(text string, i int) int {
	for ; i < len(text); i++ {
		if text[i] > ' ' {
			continue
		}
		if r, _ := utf8.DecodeLastRuneInString(text[:i]); !isBlank(r) {
			return i
		}
	}
	return len(text)
}
