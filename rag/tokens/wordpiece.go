package tokens

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"

	"passage/rag"
)

const (
	unknownWord = "[UNK]"
	inside      = "##" // stands before a piece that does not begin its word
	longestWord = 100  // characters of a word that is looked up; a longer one is unknown
	maxEntry    = 512  // bytes of a line of a vocabulary
)

// wordPiece is the tokenizer of BERT and the models after it: words and signs,
// each divided into the longest pieces of a vocabulary from the left (Devlin and
// others, "BERT", 2018; the rules are those of its published BasicTokenizer and
// WordpieceTokenizer).
type wordPiece struct {
	name  string
	fold  bool           // lower case, no accents
	first map[string]int // pieces that begin a word, and their line
	next  map[string]int // pieces inside a word, without their mark
	most  int            // bytes of the longest piece
	none  int            // line of [UNK]
}

// WordPiece reads a vocabulary: a vocab.txt with a piece on each line, its id
// the number of the line from 0. With fold the text is taken in lower case and
// without accents, as "uncased" models do. [CLS] and [SEP], which a model puts
// around every text, are not counted. The name holds a hash of the vocabulary,
// so two of them are never taken for one. Errors: CodeInvalid for a file that is
// no such vocabulary.
func WordPiece(vocabulary []byte, fold bool) (Tokenizer, error) {
	w := &wordPiece{fold: fold, first: map[string]int{}, next: map[string]int{}, none: -1}
	sum := sha256.New()
	for id := 0; len(vocabulary) > 0; id++ {
		var line []byte
		line, vocabulary, _ = bytes.Cut(vocabulary, []byte{'\n'})
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if len(line) > maxEntry || !utf8.Valid(line) {
			return nil, rag.Errorf(rag.CodeInvalid, "Line %d is no entry of a WordPiece vocabulary (vocab.txt).", id+1)
		}
		sum.Write(append(line, '\n'))
		if string(line) == unknownWord {
			w.none = id
		}
		if rest, ok := bytes.CutPrefix(line, []byte(inside)); ok && len(rest) > 0 {
			w.next[string(rest)] = id
		}
		w.first[string(line)] = id
		w.most = max(w.most, len(line))
	}
	if w.none < 0 {
		return nil, rag.Errorf(rag.CodeInvalid, "There is no entry [UNK]: this is no WordPiece vocabulary (vocab.txt).")
	}
	w.name = "wordpiece-"
	if !fold {
		w.name += "cased-"
	}
	w.name += hex.EncodeToString(sum.Sum(nil)[:4])
	return w, nil
}

// Name is wordpiece- or wordpiece-cased- and a hash of the vocabulary.
func (w *wordPiece) Name() string { return w.name }

// Count is the number of pieces. A word of more than 100 characters, which the
// model takes for one unknown piece however long it is, counts one for each
// character: cut anywhere, its parts are never more.
func (w *wordPiece) Count(text string) int {
	n := 0
	w.words(text, func(word *word) {
		if word.long() {
			n += len(word.from)
			return
		}
		w.divide(word, func(int, int) { n++ })
	})
	return n
}

// Ends gives the byte offset where each piece ends, with the accents, joiners
// and control characters after it; white space belongs to the piece after it.
func (w *wordPiece) Ends(text string) []int {
	ends, at := make([]int, 0, len(text)/4+1), 0
	add := func(end int) { // a piece that ends inside a character is joined with the next
		if end > at {
			ends, at = append(ends, end), end
		}
	}
	w.words(text, func(word *word) {
		if word.long() {
			for i := range word.from {
				add(word.endOf(i + 1))
			}
			return
		}
		w.divide(word, func(_, end int) { add(word.endOf(end)) })
	})
	switch n := len(ends); {
	case text == "":
	case n == 0:
		ends = append(ends, len(text))
	default:
		ends[n-1] = len(text)
	}
	return ends
}

// divide gives the id of each piece of a word and the number of its characters
// up to the end of the piece: each time the longest piece there is. A word that
// cannot be divided whole is one unknown piece.
func (w *wordPiece) divide(word *word, piece func(id, end int)) {
	if word.long() {
		piece(w.none, len(word.from))
		return
	}
	var ids, ends [longestWord]int
	n, pieces := 0, w.first
	for at := 0; at < len(word.from); n++ {
		start := word.from[at].text
		end := min(len(word.from), at+w.most)
		id, found := 0, false
		for ; end > at && !found; end-- {
			if to := word.offset(end); to-start <= w.most {
				id, found = pieces[string(word.text[start:to])]
			}
		}
		if !found {
			piece(w.none, len(word.from))
			return
		}
		at = end + 1
		ids[n], ends[n] = id, at
		pieces = w.next
	}
	for i := range n {
		piece(ids[i], ends[i])
	}
}
