package uselite

import (
	"unicode/utf8"

	"passage/rag"
	"passage/rag/embed/uselite/weights"
)

// unknown is the id of whatever the vocabulary does not have.
const unknown = 0

// reserved is the number of entries at the start of the vocabulary that are
// marks of the model and never match text.
const reserved = 6

// Piece is one piece of a text: its row in the vocabulary, and the bytes of
// the original text it stands for.
type Piece struct {
	ID int
	rag.Span
}

// tokenizer divides text into the pieces of a unigram vocabulary, after Kudo,
// "Subword Regularization" (2018): each piece has a log probability, and the
// division with the highest sum is taken (Viterbi).
type tokenizer struct {
	lengths []int // of each entry, in symbols
	scores  []float64
	next    edges   // the trie: node and symbol to node; node 0 is the root
	ids     []int32 // the entry that ends at a node, or -1
}

// edges is an open hash table of the trie's edges, which a division asks at
// every symbol: several times as fast as a map. Its length is a power of two.
type edges []struct {
	key  uint64 // node and symbol, never 0 for a symbol but NUL
	node int32
}

// slot finds the place of an edge, or a free one (key 0) where it would be.
func (e edges) slot(node int32, symbol rune) (int, uint64) {
	key := uint64(node)<<32 | uint64(symbol)
	for i := int(key * 0x9e3779b97f4a7c15 >> 48); ; i++ {
		i &= len(e) - 1
		if e[i].key == key || e[i].key == 0 {
			return i, key
		}
	}
}

// child gives the node an edge leads to.
func (e edges) child(node int32, symbol rune) (int32, bool) {
	i, _ := e.slot(node, symbol)
	return e[i].node, e[i].key != 0
}

func newTokenizer(vocabulary []weights.Entry) *tokenizer {
	const nodes = 20_000 // about what the vocabulary needs
	const slots = 1 << 16
	t := &tokenizer{
		lengths: make([]int, len(vocabulary)),
		scores:  make([]float64, len(vocabulary)),
		next:    make(edges, slots),
		ids:     append(make([]int32, 0, nodes), -1),
	}
	for id, e := range vocabulary {
		t.scores[id] = e.Score
		t.lengths[id] = utf8.RuneCountInString(e.Piece)
		if id >= reserved {
			t.insert(e.Piece, int32(id))
		}
	}
	return t
}

// insert adds a piece to the trie; of two equal pieces the later one counts.
func (t *tokenizer) insert(piece string, id int32) {
	node := int32(0)
	for _, r := range piece {
		i, key := t.next.slot(node, r)
		if t.next[i].key == 0 {
			t.next[i].key, t.next[i].node = key, int32(len(t.ids))
			t.ids = append(t.ids, -1)
		}
		node = t.next[i].node
	}
	t.ids[node] = id
}

// pieces divides text. The pieces' spans, in order, cover the whole text
// without gap or overlap; a text of white space alone has none. A span may be
// empty: see symbols.
func (t *tokenizer) pieces(text string) []Piece {
	s := normalize(text)
	last, _ := t.bestEnds(s.runes, 0)

	// Walk back from the end, then turn the pieces round.
	var out []Piece
	for end := len(s.runes); end > 0; {
		id := int(last[end])
		start := end - t.lengths[id]
		p := Piece{ID: id, Span: rag.Span{Start: s.at[start], End: s.at[end]}}
		if n := len(out); n > 0 && id == unknown && out[n-1].ID == unknown {
			out[n-1].Start = p.Start // neighbours that are unknown make one piece
		} else {
			out = append(out, p)
		}
		end = start
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// bestEnds gives, for each place between symbols, the last piece of the best
// division of the symbols before it.
//
// Two habits of the published runtime are kept, as the vectors are compared
// with it: an unknown symbol scores 0, and a place whose best sum is 0 counts
// as not reached, so a later candidate always replaces it.
//
// The sum that symbols before these have reached is before; the sum of all is
// returned.
func (t *tokenizer) bestEnds(runes []rune, before float64) ([]int32, float64) {
	best := make([]float64, len(runes)+1)
	best[0] = before
	last := make([]int32, len(runes)+1)
	take := func(end int, score float64, id int32) {
		if best[end] == 0 || score >= best[end] {
			best[end], last[end] = score, id
		}
	}
	for start := range runes {
		found := false
		node := int32(0)
		for i := start; i < len(runes); i++ {
			child, ok := t.next.child(node, runes[i])
			if !ok {
				break
			}
			node = child
			if id := t.ids[node]; id >= 0 {
				found = true
				take(i+1, best[start]+t.scores[id], id)
			}
		}
		if !found {
			take(start+1, best[start], unknown)
		}
	}
	return last, best[len(runes)]
}
