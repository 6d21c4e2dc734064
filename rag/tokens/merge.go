package tokens

import (
	"container/heap"
	"unicode/utf8"
)

// shortPiece is the longest piece, in bytes, that is merged by searching all
// pairs for the lowest each time. Words are far shorter; what is longer (base64,
// a run of dashes) would take time in the square of its length that way.
const shortPiece = 96

// Name gives the name of the vocabulary.
func (b *bytePair) Name() string { return b.name }

// Count is the number of tokens of the text.
func (b *bytePair) Count(text string) int {
	n := 0
	for i := 0; i < len(text); {
		end := b.piece(text, i)
		piece := text[i:end]
		i = end
		if b.words.rank(piece) != none {
			n++
			continue
		}
		var ends [shortPiece]int
		n += len(b.merge(piece, ends[:0]))
	}
	return n
}

// Ends gives the byte offset where each token ends, on rune boundaries.
func (b *bytePair) Ends(text string) []int {
	ends := make([]int, 0, len(text)/4+1)
	for i := 0; i < len(text); {
		end := b.piece(text, i)
		piece, from := text[i:end], i
		i = end
		if b.words.rank(piece) != none {
			ends = append(ends, end)
			continue
		}
		var inside [shortPiece]int
		for _, at := range b.merge(piece, inside[:0]) {
			if at == len(piece) || utf8.RuneStart(piece[at]) {
				ends = append(ends, from+at)
			}
		}
	}
	return ends
}

// merge joins the bytes of a piece, always the pair of lowest rank and of those
// the leftmost, until no pair is a token, and appends the ends of the tokens
// within the piece to ends.
func (b *bytePair) merge(piece string, ends []int) []int {
	if len(piece) <= shortPiece {
		return b.mergeShort(piece, ends)
	}
	return b.mergeLong(piece, ends)
}

// mergeShort keeps the starts of the parts in an array, with the rank of each
// part joined to the next.
func (b *bytePair) mergeShort(piece string, ends []int) []int {
	type part struct {
		start int
		rank  uint32
	}
	var array [shortPiece + 1]part
	parts := array[:len(piece)+1]
	for i := range parts {
		parts[i] = part{start: i, rank: none}
		if i+2 <= len(piece) {
			parts[i].rank = b.words.pair(piece[i], piece[i+1])
		}
	}
	join := func(i int) uint32 { // the rank of part i with the next one
		if i+2 >= len(parts) {
			return none
		}
		return b.words.rank(piece[parts[i].start:parts[i+2].start])
	}
	for {
		low := 0
		for i := range parts {
			if parts[i].rank < parts[low].rank {
				low = i
			}
		}
		if parts[low].rank == none {
			break
		}
		parts = append(parts[:low+1], parts[low+2:]...)
		parts[low].rank = join(low)
		if low > 0 {
			parts[low-1].rank = join(low - 1)
		}
	}
	for _, p := range parts[1:] {
		ends = append(ends, p.start)
	}
	return ends
}

// pair is a candidate of mergeLong: the part that starts at start joined with
// the one after it, up to end.
type pair struct {
	rank       uint32
	start, end int
}

// pairs is a heap of candidates, lowest rank first, then leftmost.
type pairs []pair

func (p pairs) Len() int      { return len(p) }
func (p pairs) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p pairs) Less(i, j int) bool {
	if p[i].rank != p[j].rank {
		return p[i].rank < p[j].rank
	}
	return p[i].start < p[j].start
}
func (p *pairs) Push(x any) { *p = append(*p, x.(pair)) }
func (p *pairs) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

// mergeLong does the same with a heap: n log n for a piece of n bytes.
// Candidates whose parts have changed meanwhile are skipped when they come up.
func (b *bytePair) mergeLong(piece string, ends []int) []int {
	n := len(piece)
	next, prev := make([]int, n+1), make([]int, n+1) // next[n] is n; next[i] is -1 when no part starts at i
	var queue pairs
	push := func(start int) {
		middle := next[start]
		if middle >= n {
			return
		}
		to := next[middle]
		if r := b.words.rank(piece[start:to]); r != none {
			heap.Push(&queue, pair{r, start, to})
		}
	}
	for i := range n + 1 {
		next[i], prev[i] = min(i+1, n), i-1
	}
	for i := range n {
		push(i)
	}
	for len(queue) > 0 {
		p := heap.Pop(&queue).(pair)
		middle := next[p.start]
		if middle < 0 || middle >= n || next[middle] != p.end {
			continue
		}
		next[p.start], next[middle], prev[p.end] = p.end, -1, p.start
		push(p.start)
		if p.start > 0 {
			push(prev[p.start])
		}
	}
	for i := next[0]; ; i = next[i] {
		ends = append(ends, i)
		if i == n {
			return ends
		}
	}
}
