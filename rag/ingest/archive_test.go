package ingest

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/tokens"
)

// zipped packs files given as name, text, name, text.
func zipped(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		require.NoError(t, err)
		_, err = w.Write([]byte(files[i+1]))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func TestArchiveOnDiskCountsAsAFolder(t *testing.T) {
	t.Parallel()
	in, store, _ := setup(t)
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "exports"), 0o750))
	require.NoError(t, os.WriteFile(filepath.Join(root, "exports", "wiki.zip"), zipped(t, "b/two.md", page, "a.md", "One.", "logo.png", "x"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "exports", "broken.zip"), []byte("PK"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "z.md"), []byte("Last."), 0o600))

	l, err := Files(root, []string{root})
	require.NoError(t, err)
	require.Equal(t, []string{"One file of wiki.zip is of a kind that is not read and was left out (.png)."}, l.LeftOut)
	sum, err := in.IngestFiles(t.Context(), Request{SpaceID: 1}, l.Files, 2, nil)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	require.Equal(t, []int{3, 0, 1}, []int{sum.Documents, sum.Unchanged, sum.Failed})
	require.Equal(t, "exports/broken.zip", sum.Results[0].URI)
	require.Contains(t, rag.ErrorMessage(sum.Results[0].Err), "cannot be opened as a ZIP archive")
	require.Equal(t, page, store.live["exports/wiki.zip/b/two.md"].Text)
	require.Contains(t, store.live, "exports/wiki.zip/a.md")
	require.Contains(t, store.live, "z.md")
}

func TestArchiveInMemory(t *testing.T) {
	t.Parallel()
	in, store, _ := setup(t)
	req := Request{SpaceID: 1, SourceURI: "wiki.zip", Data: zipped(t, "a.md", page, "empty.md", " ", "style.css", "x")}
	sum, note, err := in.IngestArchive(t.Context(), req, 2)
	require.NoError(t, err)
	require.Equal(t, "One file of wiki.zip is of a kind that is not read and was left out (.css).", note)
	require.Equal(t, []int{1, 0, 1}, []int{sum.Documents, sum.Unchanged, sum.Failed})
	require.Equal(t, page, store.live["wiki.zip/a.md"].Text)

	req.Data = zipped(t, "a.md", page+"\nMore.\n")
	sum, note, err = in.IngestArchive(t.Context(), req, 2)
	require.NoError(t, err)
	require.Empty(t, note)
	require.Equal(t, Updated, sum.Results[0].State)

	req.Data = []byte("no archive")
	_, _, err = in.IngestArchive(t.Context(), req, 2)
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
}

// brittle is a tokenizer with a fault.
type brittle struct{ tokens.Tokenizer }

func (brittle) Count(text string) int { panic("no tokens in " + text[:1]) }

func (brittle) Ends(string) []int { panic("no ends") }

// A fault while one document is read ends neither the program nor the others.
func TestFaultOfAReaderConcernsOneFile(t *testing.T) {
	t.Parallel()
	in, store, _ := setup(t)
	in.cut.Tokens = brittle{in.cut.Tokens}
	sum, _, err := in.IngestArchive(t.Context(), Request{SpaceID: 1, SourceURI: "wiki.zip", Data: zipped(t, "a.md", page, "empty.md", " ")}, 2)
	require.NoError(t, err)
	require.Equal(t, 2, sum.Failed)
	require.ErrorContains(t, sum.Results[0].Err, "panic while reading a file")
	require.NotContains(t, sum.Results[0].Err.Error(), "no tokens", "the words of a fault may be the document's")
	require.NotContains(t, rag.ErrorMessage(sum.Results[0].Err), "no tokens")
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(sum.Results[1].Err))
	require.Empty(t, store.live)
}

// What a reader warns of is kept with the version and told to who uploaded.
func TestWarningsOfAReaderAreKept(t *testing.T) { // T55
	t.Parallel()
	in, store, _ := setup(t)
	data, err := os.ReadFile(filepath.Join("..", "extract", "docx", "testdata", "golden", "numbered.docx"))
	require.NoError(t, err)
	out, err := in.Ingest(t.Context(), Request{SpaceID: 1, SourceURI: "numbered.docx", Data: data})
	require.NoError(t, err)
	require.Len(t, out.Warnings, 1)
	require.Contains(t, out.Warnings[0], "Hidden text was left out: 4 words")
	require.Equal(t, out.Warnings, store.live["numbered.docx"].Warnings)
	require.Equal(t, "docx/1", store.live["numbered.docx"].Recipe.Extractor)
	require.Positive(t, out.Procedures)
}
