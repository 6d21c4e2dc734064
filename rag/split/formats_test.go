package split_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
)

// samples are the documents that the readers of the formats are tested with.
func samples(tb testing.TB, ending string) map[string][]byte {
	tb.Helper()
	out := map[string][]byte{}
	for _, pattern := range []string{"testdata/*", "testdata/*/*", "*/testdata/*", "*/testdata/*/*"} {
		paths, err := filepath.Glob(filepath.Join("..", "extract", pattern+ending))
		require.NoError(tb, err)
		for _, p := range paths {
			data, err := os.ReadFile(filepath.Clean(p))
			require.NoError(tb, err)
			out[p] = data
		}
	}
	require.NotEmpty(tb, out, "no samples that end in %s", ending)
	return out
}

// requireWhole reads a file and checks invariant 1 on it: sections tile the
// text, units are exact spans of it in order, and between them is nothing that
// a reader would see as words; of chunks of every kind as well. It gives the
// words of the file, nil when it is refused.
func requireWhole(tb testing.TB, name string, data []byte) *rag.Extraction {
	tb.Helper()
	x, err := extract.File(tb.Context(), name, data)
	if err != nil {
		code := rag.ErrorCode(err)
		require.True(tb, code == rag.CodeInvalid || code == rag.CodeTooLarge, "%v", err)
		return nil
	}
	sets := []rag.UnitSet{"tokens-7-3", "chars-5-4"}
	o, err := split.Split(x, split.Options{Tokens: cl100k(tb), SectionCap: 20, Sets: sets})
	require.NoError(tb, err)
	requireOutline(tb, x, o)
	for _, set := range sets {
		requireChunks(tb, x.Text, o.UnitsOf(set))
	}
	for i, page := range x.Pages {
		require.LessOrEqual(tb, page, len(x.Text))
		require.True(tb, i == 0 || x.Pages[i-1] <= page)
	}
	return &x
}

// Invariant 1 holds for every format, and the samples of the readers are read;
// see also TestPDFIsSplitWhole.
func TestEveryFormatIsSplitWhole(t *testing.T) {
	t.Parallel()
	for _, ending := range []string{".md", ".txt", ".html", ".docx"} {
		t.Run(ending, func(t *testing.T) {
			t.Parallel()
			requireSamples(t, ending)
		})
	}
}

func requireSamples(t *testing.T, ending string) {
	t.Helper()
	read := 0
	for name, data := range samples(t, ending) {
		if requireWhole(t, name, data) != nil {
			read++
		}
	}
	require.Positive(t, read)
}

func fuzzFormat(f *testing.F, ending string) {
	f.Helper()
	for _, data := range samples(f, ending) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { requireWhole(t, "a"+ending, data) })
}

func FuzzHTMLWhole(f *testing.F) { fuzzFormat(f, ".html") }

// FuzzDOCXWhole changes what stands in a Word file, which is packed anew, so
// that the changes reach the reader.
func FuzzDOCXWhole(f *testing.F) {
	for _, data := range samples(f, ".docx") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		require.NoError(f, err)
		f.Add(member(f, z, "word/document.xml"), member(f, z, "word/numbering.xml"), member(f, z, "word/styles.xml"))
	}
	f.Fuzz(func(t *testing.T, document, numbering, styles []byte) {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, part := range []struct {
			name string
			data []byte
		}{{"word/document.xml", document}, {"word/numbering.xml", numbering}, {"word/styles.xml", styles}} {
			w, err := z.Create(part.name)
			require.NoError(t, err)
			_, err = w.Write(part.data)
			require.NoError(t, err)
		}
		require.NoError(t, z.Close())
		requireWhole(t, "a.docx", b.Bytes())
	})
}

func member(tb testing.TB, z *zip.Reader, name string) []byte {
	tb.Helper()
	r, err := z.Open(name)
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(r)
	require.NoError(tb, err)
	require.NoError(tb, r.Close())
	return data
}
