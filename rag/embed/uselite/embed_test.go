package uselite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/embed/uselite/weights"
)

// shared is one embedder for all tests: making one takes seconds under the
// race detector, and using it changes nothing in it.
var shared = sync.OnceValues(New)

func setup(t *testing.T) *Embedder {
	t.Helper()
	e, err := shared()
	require.NoError(t, err)
	return e
}

// fresh gives an embedder of its own to a test that looks at its encoders.
func fresh(t *testing.T) *Embedder {
	t.Helper()
	e, err := New()
	require.NoError(t, err)
	return e
}

// mustEmbed embeds texts that must not give an error.
func (e *Embedder) mustEmbed(t *testing.T, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := e.Embed(t.Context(), texts)
	require.NoError(t, err)
	require.Len(t, vectors, len(texts))
	return vectors
}

func TestWeightsAreTheCommittedOnes(t *testing.T) {
	t.Parallel()
	require.NoError(t, weights.Verify([]byte(packed)))
	sum := sha256.Sum256([]byte(packed))
	file, err := os.ReadFile("weights.bin.sha256")
	require.NoError(t, err)
	require.Equal(t, hex.EncodeToString(sum[:])+"  weights.bin\n", string(file))
}

func TestEmbedderDescribesItself(t *testing.T) {
	t.Parallel()
	e := setup(t)
	require.Equal(t, "use-lite/1-f16", e.ID())
	require.Equal(t, 512, e.Dimension())
	require.Equal(t, 128, e.MaxTokens())
	require.Equal(t, 6, e.Count("Restart the service."))
}

func TestEmbedNothing(t *testing.T) {
	t.Parallel()
	require.Empty(t, setup(t).mustEmbed(t))
}

func TestTextWithoutPieceHasTheVectorOfTheEmptySequence(t *testing.T) {
	t.Parallel()
	e := setup(t)
	all := e.mustEmbed(t, "", "word", " \n\t")
	require.Equal(t, all[0], all[2])
	require.NotEqual(t, all[0], all[1])
	var square float64
	for _, v := range all[0] {
		square += float64(v) * float64(v)
	}
	require.InDelta(t, 1, square, 1e-6)
	all[0][0] = 7 // belongs to the caller
	require.NotEqual(t, all[0], e.mustEmbed(t, "")[0])
}

// A text's vector is a function of the text alone, to the last bit: the same
// documents give the same scores however they were ingested (T02).
func TestVectorDoesNotDependOnTheBatch(t *testing.T) {
	t.Parallel()
	e := setup(t)
	var texts []string
	for _, g := range readGolden(t) {
		texts = append(texts, g.Text)
	}
	texts = append(texts, strings.Repeat("Stop the writer, then take a snapshot. ", 60))
	before := slices.Clone(texts)
	all := e.mustEmbed(t, texts...)
	require.Equal(t, before, texts)
	for i := len(texts) - 1; i >= 0; i -= 3 {
		require.Equal(t, all[i], e.mustEmbed(t, texts[i])[0], "text %d", i)
	}
	slices.Reverse(texts)
	turned := e.mustEmbed(t, texts...)
	slices.Reverse(turned)
	require.Equal(t, all, turned)
}

// A text over the limit is divided, never cut (T54).
func TestLongTextIsTheMeanOfItsWindows(t *testing.T) {
	t.Parallel()
	e := setup(t)
	// Every word here is one piece, so parts of the text have the same pieces.
	words := strings.Fields(strings.Repeat("the system of the power ", 100))
	cases := map[int][]int{ // pieces of the text to pieces of its windows
		128: {128},
		129: {64, 65},
		256: {128, 128},
		257: {85, 86, 86},
		500: {125, 125, 125, 125},
	}
	for n, sizes := range cases {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			text := strings.Join(words[:n], " ")
			require.Equal(t, n, e.Count(text))
			want := make([]float64, e.Dimension())
			from := 0
			for _, size := range sizes {
				part := e.mustEmbed(t, strings.Join(words[from:from+size], " "))[0]
				for i, v := range part {
					want[i] += float64(v) * float64(size)
				}
				from += size
			}
			var square float64
			for _, v := range want {
				square += v * v
			}
			for i, got := range e.mustEmbed(t, text)[0] {
				require.InDelta(t, want[i]/math.Sqrt(square), got, 1e-6)
			}
		})
	}
}

func TestLastWordOfALongTextCounts(t *testing.T) {
	t.Parallel()
	e := setup(t)
	long := strings.Repeat("Drain the node before you replace its disk. ", 100)
	v := e.mustEmbed(t, long+"Then page the database team.", long+"Then restart the compressor.")
	require.NotEqual(t, v[0], v[1])
}

func TestBatchesHoldEveryWindowOnce(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		sizes   []int
		workers int
		want    []int // pieces of each batch
	}{
		"nothing":              {nil, 2, nil},
		"few stay together":    {[]int{5, 5}, 4, []int{10}},
		"shared by workers":    {[]int{20, 20, 20, 20}, 2, []int{40, 40}},
		"full batches":         {[]int{100, 28, 128, 1}, 1, []int{128, 128, 1}},
		"longest stands alone": {[]int{1, 128, 1}, 1, []int{1, 128, 1}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			windows := make([]window, len(c.sizes))
			for i, n := range c.sizes {
				windows[i] = window{text: i, ids: make([]int32, n)}
			}
			var got []int
			next := 0
			for _, batch := range batches(windows, c.workers) {
				size := 0
				for _, w := range batch {
					require.Equal(t, next, w.text)
					size += len(w.ids)
					next++
				}
				require.LessOrEqual(t, size, batchRows)
				got = append(got, size)
			}
			require.Equal(t, c.want, got)
			require.Equal(t, len(windows), next)
		})
	}
}

func TestEmbedFromManyGoroutines(t *testing.T) {
	t.Parallel()
	e := fresh(t)
	texts := []string{"Drain the node.", "Give 5 mg every 8 hours.", "", "How do I restore a backup?"}
	want := e.mustEmbed(t, texts...)
	var wg sync.WaitGroup
	got := make([][][]float32, 16)
	errs := make([]error, len(got))
	for i := range got {
		wg.Go(func() { got[i], errs[i] = e.Embed(t.Context(), texts) })
	}
	wg.Wait()
	for i := range got {
		require.NoError(t, errs[i])
		require.Equal(t, want, got[i])
	}
	require.Len(t, e.encoders, cap(e.encoders), "every encoder was given back")
}

func TestEmbedStopsWithItsContext(t *testing.T) {
	t.Parallel()
	e := fresh(t)
	texts := slices.Repeat([]string{strings.Repeat("Drain the node before you replace its disk. ", 10)}, 400)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for len(e.encoders) == cap(e.encoders) { // until a batch is under way
			runtime.Gosched()
		}
		cancel()
	}()
	_, err := e.Embed(ctx, texts)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, e.encoders, cap(e.encoders), "every encoder was given back")

	_, err = e.Embed(ctx, []string{"already ended"})
	require.ErrorIs(t, err, context.Canceled)
}

// Example shows that vectors of like meaning point the same way.
func Example() {
	e, err := New()
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := e.Embed(context.Background(), []string{
		"How do I restore the database from a backup?",
		"To recover the data, load the latest snapshot into Postgres.",
		"The clinic opens at nine on Saturdays.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	cosine := func(a, b []float32) (sum float32) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	fmt.Println(cosine(v[0], v[1]) > cosine(v[0], v[2]))
	// Output: true
}
