package tokens

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
)

// none is the rank of what is no token.
const none = math.MaxUint32

// shortToken is the most bytes of a token that fits into a number together with
// its length.
const shortToken = 7

// vocabulary gives the rank of a token. Nearly every look-up is for a short one,
// so these are in a flat table of their own, which takes a third of a map's time.
type vocabulary struct {
	pairs [1 << 16]uint32 // ranks of tokens of two bytes
	keys  []uint64        // of short tokens: an open table, twice as large as what it holds
	ranks []uint32        // of the keys
	long  map[string]uint32
	shift int
}

// readVocabulary reads lines of a token in base64, a space and its rank.
func readVocabulary(file []byte, size int) (*vocabulary, error) {
	bits := 1
	for 1<<bits < 2*size {
		bits++
	}
	v := &vocabulary{keys: make([]uint64, 1<<bits), ranks: make([]uint32, 1<<bits), long: make(map[string]uint32, size/2), shift: 64 - bits}
	for i := range v.pairs {
		v.pairs[i] = none
	}
	var token []byte
	n := 0
	for line := 1; len(file) > 0; line++ {
		var row []byte
		row, file, _ = bytes.Cut(file, []byte{'\n'})
		if len(row) == 0 {
			continue
		}
		code, rank, found := bytes.Cut(row, []byte{' '})
		if !found {
			return nil, fmt.Errorf("line %d holds no rank", line)
		}
		var err error
		if token, err = base64.StdEncoding.AppendDecode(token[:0], code); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		r, err := strconv.ParseUint(string(rank), 10, 32)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		v.put(token, uint32(r))
		n++
	}
	if n != size {
		return nil, fmt.Errorf("%d tokens instead of %d", n, size)
	}
	return v, nil
}

func (v *vocabulary) put(token []byte, rank uint32) {
	if len(token) == 2 {
		v.pairs[int(token[0])<<8|int(token[1])] = rank
	}
	if len(token) > shortToken {
		v.long[string(token)] = rank
		return
	}
	key := pack(token)
	i := v.slot(key)
	for v.keys[i] != 0 {
		i = (i + 1) & (len(v.keys) - 1)
	}
	v.keys[i], v.ranks[i] = key, rank
}

// rank gives the rank of a token, none for any other text.
func (v *vocabulary) rank(token string) uint32 {
	if len(token) > shortToken {
		if r, ok := v.long[token]; ok {
			return r
		}
		return none
	}
	key := pack(token)
	for i := v.slot(key); v.keys[i] != 0; i = (i + 1) & (len(v.keys) - 1) {
		if v.keys[i] == key {
			return v.ranks[i]
		}
	}
	return none
}

// pair gives the rank of two bytes together.
func (v *vocabulary) pair(a, b byte) uint32 { return v.pairs[int(a)<<8|int(b)] }

// pack makes a number of a short token, never 0.
func pack[T string | []byte](token T) uint64 {
	key := uint64(len(token)) + 1
	for i := range len(token) {
		key = key<<8 | uint64(token[i])
	}
	return key
}

func (v *vocabulary) slot(key uint64) int {
	return int(key * 0x9e3779b97f4a7c15 >> v.shift)
}
