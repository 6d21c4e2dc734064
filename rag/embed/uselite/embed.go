package uselite

import (
	"context"
	"fmt"
	"runtime"

	"github.com/viterin/vek/vek32"
	"golang.org/x/sync/errgroup"
)

// window is a part of a text that goes through the model at once.
type window struct {
	text   int // index of the text
	ids    []int32
	vector []float32
}

// Embed gives one vector of length 1 per text, in the order of the texts. It
// uses all processors, and a text's vector is the same to the last bit
// whatever texts it comes with.
//
// A text of more than MaxTokens pieces is divided into the fewest windows that
// hold it, of equal length but for one piece, and its vector is the mean of
// the windows' vectors, each counted by its pieces, scaled to length 1. A text
// without a piece has the vector the model gives the empty sequence; it is
// close to nothing in particular, so better leave such texts out.
//
// The only error is that of ctx, looked at between batches of some 10 ms.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	windows, err := e.windows(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for _, batch := range batches(windows, cap(e.encoders)) {
		work.Go(func() error { return e.encode(ctx, batch) })
	}
	if err := work.Wait(); err != nil {
		return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	return e.join(windows, len(texts)), nil
}

// windows tokenizes the texts and divides those that are too long.
func (e *Embedder) windows(ctx context.Context, texts []string) ([]window, error) {
	all := make([]window, 0, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pieces := e.tokenizer.pieces(text)
		ids := make([]int32, len(pieces))
		for j, p := range pieces {
			ids[j] = int32(p.ID)
		}
		parts := (len(ids) + maxTokens - 1) / maxTokens
		for part := range parts {
			from, to := part*len(ids)/parts, (part+1)*len(ids)/parts
			all = append(all, window{text: i, ids: ids[from:to]})
		}
	}
	return all, nil
}

// batches cuts the windows into runs of at most batchRows pieces, and of fewer
// when there would not be one run for each of the workers otherwise.
func batches(windows []window, workers int) [][]window {
	const least = 16 // pieces; for less, sharing the work costs more than it saves
	total := 0
	for _, w := range windows {
		total += len(w.ids)
	}
	limit := min(batchRows, max(least, (total+workers-1)/workers))
	var out [][]window
	start, size := 0, 0
	for i, w := range windows {
		if size > 0 && size+len(w.ids) > limit {
			out = append(out, windows[start:i])
			start, size = i, 0
		}
		size += len(w.ids)
	}
	if size > 0 {
		out = append(out, windows[start:])
	}
	return out
}

// encode computes the vectors of one batch.
func (e *Embedder) encode(ctx context.Context, batch []window) error {
	enc, err := e.take(ctx)
	if err != nil {
		return err
	}
	defer e.put(enc)
	sequences := make([][]int32, len(batch))
	for i, w := range batch {
		sequences[i] = w.ids
	}
	for i, v := range enc.encode(sequences) {
		batch[i].vector = v
	}
	return nil
}

// join makes one vector per text from those of the windows.
func (e *Embedder) join(windows []window, texts int) [][]float32 {
	vectors := make([][]float32, texts)
	for len(windows) > 0 {
		text, n := windows[0].text, 1
		for n < len(windows) && windows[n].text == text {
			n++
		}
		vectors[text] = mean(windows[:n])
		windows = windows[n:]
	}
	for i, v := range vectors {
		if v == nil {
			vectors[i] = append([]float32(nil), e.empty...)
		}
	}
	return vectors
}

// mean is the mean of the windows' vectors by their pieces, of length 1.
func mean(windows []window) []float32 {
	if len(windows) == 1 {
		return windows[0].vector
	}
	sum := make([]float32, dimension)
	for _, w := range windows {
		vek32.Add_Inplace(sum, vek32.MulNumber(w.vector, float32(len(w.ids))))
	}
	return unit(sum)
}
