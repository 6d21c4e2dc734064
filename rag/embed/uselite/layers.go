package uselite

import (
	"fmt"
	"math"

	"github.com/viterin/vek/vek32"

	"passage/rag/embed/uselite/weights"
)

// The sizes of the model.
const (
	dimension  = 512  // of the vectors, and of the state between layers
	embedding  = 256  // of a piece's embedding, the input of the first layer
	inner      = 1536 // of the feed-forward layers
	heads      = 4
	maxTokens  = 128  // of one sequence
	vocabulary = 8002 // rows of the embedding table
)

// dense is x·kernel + bias.
type dense struct {
	kernel *panels
	bias   []float32
}

// normalization is a layer normalisation (Ba, Kiros, Hinton 2016) with a
// learnt scale and bias per element.
type normalization struct{ scale, bias []float32 }

// layer is one layer of the transformer (Vaswani et al. 2017), normalising
// before each of its two halves.
type layer struct {
	width    int // of the input, and of queries, keys and values each
	norm     normalization
	qkv, out dense
	ffnNorm  normalization
	ffnIn    dense
	ffnOut   dense
}

// model holds the weights as the encoder needs them.
type model struct {
	embeddings weights.Tensor // decoded row by row when looked up
	timing     [][]float32    // per place: the signal added to the embedding
	residual   dense          // widens the first layer's input to its output
	layers     [2]layer
	tanh       dense
}

// loader decodes tensors and keeps the first error.
type loader struct {
	file *weights.File
	err  error
}

func (l *loader) tensor(name string, shape ...int) (weights.Tensor, bool) {
	t, err := l.file.Tensor(name, shape...)
	if err != nil && l.err == nil {
		l.err = err
	}
	return t, err == nil
}

func (l *loader) vector(name string, n int) []float32 {
	v := make([]float32, n)
	if t, ok := l.tensor(name, n); ok {
		t.Floats(v, 0)
	}
	return v
}

func (l *loader) dense(name string, in, out int) dense {
	d := dense{bias: l.vector(name+".bias", out)}
	if t, ok := l.tensor(name+".kernel", in, out); ok {
		d.kernel = loadPanels(t)
	}
	return d
}

func (l *loader) normalization(name string, n int) normalization {
	return normalization{scale: l.vector(name+".scale", n), bias: l.vector(name+".bias", n)}
}

func (l *loader) layer(i, width int) layer {
	name := fmt.Sprintf("layer%d.", i)
	return layer{
		width:   width,
		norm:    l.normalization(name+"norm", width),
		qkv:     l.dense(name+"qkv", width, 3*width),
		out:     l.dense(name+"out", width, dimension),
		ffnNorm: l.normalization(name+"ffn.norm", dimension),
		ffnIn:   l.dense(name+"ffn.in", dimension, inner),
		ffnOut:  l.dense(name+"ffn.out", inner, dimension),
	}
}

func loadModel(f *weights.File) (*model, error) {
	l := &loader{file: f}
	m := &model{
		residual: l.dense("layer0.residual", embedding, dimension),
		layers:   [2]layer{l.layer(0, embedding), l.layer(1, dimension)},
		tanh:     l.dense("tanh", dimension, dimension),
	}
	m.embeddings, _ = l.tensor("embeddings", vocabulary, embedding)
	m.timing = timingSignal(l.vector("timing", embedding/2))
	if l.err != nil {
		return nil, l.err
	}
	return m, nil
}

// timingSignal gives, for every place of a sequence, the sines and then the
// cosines of the place times each frequency.
func timingSignal(frequencies []float32) [][]float32 {
	signal := make([][]float32, maxTokens)
	for place := range signal {
		v := make([]float32, 2*len(frequencies))
		for i, f := range frequencies {
			sin, cos := math.Sincos(float64(float32(place) * f))
			v[i], v[len(frequencies)+i] = float32(sin), float32(cos)
		}
		signal[place] = v
	}
	return signal
}

// addTo adds x·kernel + bias to the first n rows of dst.
func (d dense) addTo(k kernel, dst, x matrix, n int) {
	for r := range n {
		vek32.Add_Inplace(dst.row(r, len(d.bias)), d.bias)
	}
	k.mulAdd(dst, x, n, d.kernel)
}

// apply sets the first n rows of dst to x·kernel + bias.
func (d dense) apply(k kernel, dst, x matrix, n int) {
	for r := range n {
		copy(dst.row(r, len(d.bias)), d.bias)
	}
	k.mulAdd(dst, x, n, d.kernel)
}

// apply sets the first n rows of dst to the normalised rows of x.
func (z normalization) apply(dst, x matrix, n int) {
	const epsilon = 1e-6
	width := len(z.scale)
	for r := range n {
		d := dst.row(r, width)
		src := x.row(r, width)
		vek32.SubNumber_Into(d, src, vek32.Mean(src))
		variance := vek32.Dot(d, d) / float32(width)
		vek32.MulNumber_Inplace(d, float32(1/math.Sqrt(float64(variance)+epsilon)))
		vek32.Mul_Inplace(d, z.scale)
		vek32.Add_Inplace(d, z.bias)
	}
}
