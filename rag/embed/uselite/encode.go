package uselite

import (
	"math"

	"github.com/viterin/vek/vek32"

	"passage/rag"
)

// encoder runs the model over batches of sequences. The sequences of a batch
// stand one behind the other as rows of the same matrices, without padding:
// so the products are large however short the texts are, and no row is
// computed in vain. Only attention looks at one sequence at a time. An encoder
// holds the intermediate results and serves one goroutine at a time.
type encoder struct {
	model  *model
	kernel kernel

	in      matrix // rows × embedding: embeddings with the timing signal
	state   matrix // rows × dimension: what flows from layer to layer
	normed  matrix // rows × dimension
	wide    matrix // rows × inner: queries, keys and values; feed-forward
	context matrix // rows × dimension: what attention gathered
	scores  []float32
	keys    panels
	values  panels
}

// batchRows is the number of pieces in a batch: the longest sequence, and
// large enough for the products to run at full speed.
const batchRows = maxTokens

func newEncoder(m *model, k kernel) *encoder {
	buffer := func(width int) matrix {
		return matrix{data: make([]float32, (batchRows+maxTileRows)*width), stride: width}
	}
	return &encoder{
		model: m, kernel: k,
		in: buffer(embedding), state: buffer(dimension), normed: buffer(dimension),
		wide: buffer(inner), context: buffer(dimension), scores: buffer(batchRows).data,
	}
}

// encode gives one vector of length 1 per sequence of ids, for at most
// batchRows ids in all, none of the sequences empty.
func (e *encoder) encode(sequences [][]int32) [][]float32 {
	spans := make([]rag.Span, len(sequences)) // of rows
	n := 0
	for i, ids := range sequences {
		spans[i] = rag.Span{Start: n, End: n + len(ids)}
		e.lookUp(ids, n)
		n += len(ids)
	}
	m := e.model
	m.residual.apply(e.kernel, e.state, e.in, n)

	first, second := &m.layers[0], &m.layers[1]
	e.attend(first, e.in, spans, n)
	e.widen(first, n)
	first.ffnOut.addTo(e.kernel, e.state, e.wide, n)
	e.attend(second, e.state, spans, n)
	e.widen(second, n)
	return e.pool(spans)
}

// lookUp sets the rows from start on to the embeddings of ids. The graph adds
// the timing signal to the embedding and the sum to the embedding again.
func (e *encoder) lookUp(ids []int32, start int) {
	for place, id := range ids {
		row := e.in.row(start+place, embedding)
		e.model.embeddings.Floats(row, int(id)*embedding)
		vek32.MulNumber_Inplace(row, 2)
		vek32.Add_Inplace(row, e.model.timing[place])
	}
}

// attend adds the multi-head self-attention of the n rows of x to the state.
func (e *encoder) attend(l *layer, x matrix, spans []rag.Span, n int) {
	l.norm.apply(e.normed, x, n)
	l.qkv.apply(e.kernel, e.wide, e.normed, n)
	for _, s := range spans {
		for h := range heads {
			e.head(l.width, h, s)
		}
	}
	l.out.addTo(e.kernel, e.state, e.context, n)
}

// head computes softmax(queries·keysᵀ/√size)·values for one head and one
// sequence, the rows s of wide, into the same rows of context.
func (e *encoder) head(width, h int, s rag.Span) {
	size, n := width/heads, s.Len()
	queries := e.wide.from(s.Start, h*size)
	e.packKeys(e.wide.from(s.Start, width+h*size), n, size)
	e.packValues(e.wide.from(s.Start, 2*width+h*size), n, size)

	scores := matrix{data: e.scores, stride: e.keys.n}
	clear(e.scores[:n*e.keys.n])
	e.kernel.mulAdd(scores, queries, n, &e.keys)
	scale := float32(1 / math.Sqrt(float64(size)))
	out := e.context.from(s.Start, h*size)
	for r := range n {
		softmax(scores.row(r, n), scale)
		clear(out.row(r, size))
	}
	e.kernel.mulAdd(out, scores, n, &e.values)
}

// packKeys stores the n keys as the columns of panels, padded with zeros.
func (e *encoder) packKeys(keys matrix, n, size int) {
	e.keys.resize(size, n)
	clear(e.keys.data)
	for c := range n {
		column := e.keys.data[c/panelWidth*size*panelWidth+c%panelWidth:]
		for r, v := range keys.row(c, size) {
			column[r*panelWidth] = v
		}
	}
}

// packValues stores the n values as the rows of panels.
func (e *encoder) packValues(values matrix, n, size int) {
	e.values.resize(n, size)
	for r := range n {
		row := values.row(r, size)
		for i := range size / panelWidth {
			copy(e.values.row(i, r), row[i*panelWidth:])
		}
	}
}

// softmax turns scores times scale into weights that add up to 1.
func softmax(scores []float32, scale float32) {
	vek32.SubNumber_Inplace(scores, vek32.Max(scores))
	vek32.MulNumber_Inplace(scores, scale)
	vek32.Exp_Inplace(scores)
	vek32.MulNumber_Inplace(scores, 1/vek32.Sum(scores))
}

// widen sets the n rows of wide to the inner half of the feed-forward layer:
// relu(norm(state)·kernel + bias).
func (e *encoder) widen(l *layer, n int) {
	l.ffnNorm.apply(e.normed, e.state, n)
	l.ffnIn.apply(e.kernel, e.wide, e.normed, n)
	for r := range n {
		vek32.MaximumNumber_Inplace(e.wide.row(r, inner), 0)
	}
}

// pool averages each sequence's final state and maps it to the vector.
//
// The last product of the second layer is linear and so is the average: the
// average of the products is the product of the average. So it is computed
// once per sequence instead of once per piece, a sixth of all work less.
func (e *encoder) pool(spans []rag.Span) [][]float32 {
	n := len(spans)
	for i, s := range spans {
		average(e.state, i, s, dimension)
		average(e.wide, i, s, inner)
	}
	e.model.layers[1].ffnOut.addTo(e.kernel, e.state, e.wide, n)
	e.model.tanh.apply(e.kernel, e.normed, e.state, n)
	vectors := make([][]float32, n)
	for i := range vectors {
		vectors[i] = finish(e.normed.row(i, dimension))
	}
	return vectors
}

// average sets row i of m to the average of the rows s. Row i must not come
// after s: the rows before s are used up already.
func average(m matrix, i int, s rag.Span, width int) {
	dst := m.row(i, width)
	copy(dst, m.row(s.Start, width))
	for r := s.Start + 1; r < s.End; r++ {
		vek32.Add_Inplace(dst, m.row(r, width))
	}
	vek32.MulNumber_Inplace(dst, 1/float32(s.Len()))
}

// finish gives the vector of length 1 of the last layer's sums.
func finish(sums []float32) []float32 {
	v := make([]float32, len(sums))
	for i, x := range sums {
		v[i] = float32(math.Tanh(float64(x)))
	}
	return unit(v)
}

// unit scales v, in place, to length 1.
func unit(v []float32) []float32 {
	const least = 1e-12 // of the squared length, as in the graph
	square := max(vek32.Dot(v, v), least)
	vek32.MulNumber_Inplace(v, float32(1/math.Sqrt(float64(square))))
	return v
}
