package weights

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
)

// Parse reads the bytes of a file without copying the tensors. It checks the
// magic and every length, not the checksum: see Verify.
func Parse(data string) (*File, error) {
	if len(data) < len(Magic)+sha256.Size || data[:len(Magic)] != Magic {
		return nil, fmt.Errorf("weights: does not start with %q", Magic)
	}
	r := reader{rest: data[len(Magic) : len(data)-sha256.Size]}
	f := &File{}
	for range r.count(9) {
		f.Vocabulary = append(f.Vocabulary, Entry{Score: math.Float64frombits(r.uint(8)), Piece: r.text()})
	}
	for range r.count(3) {
		f.Tensors = append(f.Tensors, r.tensor())
	}
	switch {
	case r.short:
		return nil, errors.New("weights: the file ends too early")
	case r.rest != "":
		return nil, fmt.Errorf("weights: %d bytes too many", len(r.rest))
	}
	return f, nil
}

// Tensor finds a tensor by name and checks its shape.
func (f *File) Tensor(name string, shape ...int) (Tensor, error) {
	for _, t := range f.Tensors {
		if t.Name != name {
			continue
		}
		if fmt.Sprint(t.Shape) != fmt.Sprint(shape) {
			return Tensor{}, fmt.Errorf("weights: tensor %q has the shape %v, not %v", name, t.Shape, shape)
		}
		return t, nil
	}
	return Tensor{}, fmt.Errorf("weights: no tensor %q", name)
}

// reader takes fields off the front of rest. After a field that is not all
// there, short is set and everything read is zero.
type reader struct {
	rest  string
	short bool
}

func (r *reader) take(n int) string {
	if n < 0 || n > len(r.rest) {
		r.short, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// uint reads n bytes, little-endian.
func (r *reader) uint(n int) uint64 {
	var v uint64
	for i, b := range []byte(r.take(n)) {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// count reads the number of items that follow, each at least size bytes.
func (r *reader) count(size int) int {
	n := int(r.uint(4))
	if n*size > len(r.rest) {
		r.short = true
		return 0
	}
	return n
}

func (r *reader) text() string {
	return r.take(int(r.uint(1)))
}

func (r *reader) tensor() Tensor {
	t := Tensor{Name: r.text(), Kind: Kind(r.uint(1))}
	size := t.Kind.size()
	for range r.uint(1) {
		d := int(r.uint(4))
		t.Shape = append(t.Shape, d)
		if size *= d; size > len(r.rest) {
			r.short = true
			return t
		}
	}
	t.Data = r.take(size)
	return t
}
