package pdf

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// FuzzPDF: whatever the bytes are, Read gives a document or an error for the
// user, in time, and the next file is read as if nothing had been.
func FuzzPDF(f *testing.F) {
	slow(f)
	files, err := filepath.Glob("testdata/*/*.pdf")
	require.NoError(f, err)
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add((&maker{}).page(body()...).bytes())
	f.Add((&maker{info: "/Title (x)", extra: []string{"/Rotate 270"}}).page(set{x: 9, y: 9, text: "1. a", font: mono}, set{x: 70, y: 9, text: "b"}).bytes())
	f.Add((&maker{}).raw(scanned).page(set{x: 60, y: 60, font: noMap, text: "x"}).bytes())
	f.Add([]byte("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R >>\nendobj\ntrailer << /Root 1 0 R >>"))
	good := (&maker{}).page(set{x: 60, y: 60, text: "Stop."}).bytes()
	// Compiling takes longer than a fuzzed call may.
	_, err = Read(context.Background(), good)
	require.NoError(f, err)
	tried := 0
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			return
		}
		doc, err := shared.read(context.Background(), data, 20*time.Second)
		if err != nil {
			require.Contains(t, []rag.Code{rag.CodeInvalid, rag.CodeTooLarge}, rag.ErrorCode(err), err)
		} else {
			require.NotEmpty(t, doc.Blocks)
		}
		if tried++; tried%50 == 1 {
			doc, err := Read(context.Background(), good)
			require.NoError(t, err)
			require.Equal(t, "paragraph ⟨1⟩Stop.\n", dump(doc))
		}
	})
}
