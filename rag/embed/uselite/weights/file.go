package weights

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Magic starts every file; its last byte is the version of the format.
const Magic = "USELITE1"

// Kind says how a tensor's values are stored.
type Kind uint8

// The kinds of values.
const (
	Float32 Kind = 0
	Float16 Kind = 1
)

// size is the number of bytes of one value.
func (k Kind) size() int {
	if k == Float16 {
		return 2
	}
	return 4
}

// Entry is one piece of the vocabulary with its log probability.
type Entry struct {
	Piece string
	Score float64
}

// Tensor is one array of the model. Data holds its values as stored, row by
// row; it is a part of the file's bytes and must not be changed.
type Tensor struct {
	Name  string
	Kind  Kind
	Shape []int
	Data  string
}

// Len is the number of values.
func (t Tensor) Len() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Floats decodes the values [from, from+len(dst)) into dst.
func (t Tensor) Floats(dst []float32, from int) {
	size := t.Kind.size()
	data := t.Data[from*size : (from+len(dst))*size]
	if t.Kind == Float16 {
		for i := range dst {
			dst[i] = FromFloat16(uint16(data[2*i]) | uint16(data[2*i+1])<<8)
		}
		return
	}
	for i := range dst {
		dst[i] = math.Float32frombits(uint32(data[4*i]) | uint32(data[4*i+1])<<8 |
			uint32(data[4*i+2])<<16 | uint32(data[4*i+3])<<24)
	}
}

// File is the decoded form: the vocabulary in the order of ids, the tensors in
// the order of the file.
type File struct {
	Vocabulary []Entry
	Tensors    []Tensor
}

// Append writes the file's bytes behind b. The same File always gives the same
// bytes.
func (f *File) Append(b []byte) ([]byte, error) {
	start := len(b)
	b = append(b, Magic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.Vocabulary)))
	for id, e := range f.Vocabulary {
		if len(e.Piece) > math.MaxUint8 {
			return nil, fmt.Errorf("vocabulary entry %d: %d bytes, at most 255 fit", id, len(e.Piece))
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(e.Score))
		b = append(b, uint8(len(e.Piece)))
		b = append(b, e.Piece...)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.Tensors)))
	for _, t := range f.Tensors {
		if len(t.Name) > math.MaxUint8 || len(t.Shape) > math.MaxUint8 || len(t.Data) != t.Len()*t.Kind.size() {
			return nil, fmt.Errorf("tensor %q: shape %v does not fit %d bytes", t.Name, t.Shape, len(t.Data))
		}
		b = append(b, uint8(len(t.Name)))
		b = append(b, t.Name...)
		b = append(b, uint8(t.Kind), uint8(len(t.Shape)))
		for _, d := range t.Shape {
			b = binary.LittleEndian.AppendUint32(b, uint32(d))
		}
		b = append(b, t.Data...)
	}
	sum := sha256.Sum256(b[start:])
	return append(b, sum[:]...), nil
}

// Verify checks the SHA-256 at the end of the file. It takes some 10 ms for
// the whole model, so it is left to tests: embedded bytes do not rot.
func Verify(data []byte) error {
	if len(data) < sha256.Size {
		return errors.New("weights: shorter than a checksum")
	}
	body, want := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if got := sha256.Sum256(body); string(got[:]) != string(want) {
		return fmt.Errorf("weights: checksum is %x, the file says %x", got, want)
	}
	return nil
}
