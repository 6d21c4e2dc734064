package pdf

import (
	"context"
	"math/rand"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// TestBroken reads some hundred files with bytes changed, taken out and
// doubled. The fuzzer does the same, but is slow with PDFium's machine code.
func TestBroken(t *testing.T) {
	t.Parallel()
	slow(t)
	owner, err := os.ReadFile("testdata/locked/owner.pdf")
	require.NoError(t, err)
	seeds := [][]byte{
		owner,
		(&maker{}).page(set{x: 60, y: 60, text: "1. Stop it."}, set{x: 60, y: 75, text: "2. Wait."}).bytes(),
		(&maker{extra: []string{"/Rotate 270"}}).page(set{x: 9, y: 9, text: "a", font: mono}, set{x: 70, y: 9, text: "b", font: noMap}).bytes(),
	}
	random := rand.New(rand.NewSource(7))
	for range 240 {
		data := mutate(random, seeds[random.Intn(len(seeds))])
		doc, err := shared.read(context.Background(), data, 30*time.Second)
		if err != nil {
			require.Contains(t, []rag.Code{rag.CodeInvalid, rag.CodeTooLarge}, rag.ErrorCode(err), err)
			continue
		}
		require.NotEmpty(t, doc.Blocks)
	}
}

func mutate(random *rand.Rand, seed []byte) []byte {
	data := append([]byte(nil), seed...)
	for range random.Intn(12) + 1 {
		i := random.Intn(len(data) - 50)
		j := i + random.Intn(40)
		switch random.Intn(4) {
		case 0:
			data[i] = byte(random.Intn(256))
		case 1:
			data[i] = "0123456789-. "[random.Intn(13)]
		case 2:
			data = append(data[:i:i], data[j:]...)
		default:
			data = append(data[:j:j], data[i:]...)
		}
		if len(data) < 200 {
			break
		}
	}
	return data
}
