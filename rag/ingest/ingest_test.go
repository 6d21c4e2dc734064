package ingest

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/split"
	"passage/rag/tokens"
)

// memory is a store that keeps the live versions by source URI.
type memory struct {
	mu   sync.Mutex
	live map[string]rag.NewVersion
	puts int
	err  error
}

func (m *memory) DocTypes(context.Context) ([]rag.DocType, error) { return rag.DefaultDocTypes(), nil }

func (m *memory) LiveVersion(_ context.Context, _ rag.Scope, _ int64, uri string) (rag.Live, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.live[uri]
	if !ok {
		return rag.Live{}, rag.Errorf(rag.CodeNotFound, "There is no such document.")
	}
	return liveOf(v), nil
}

func (m *memory) LiveByHash(_ context.Context, _ rag.Scope, _ int64, hash [32]byte) (rag.Live, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, v := range m.live {
		if v.Hash == hash {
			return liveOf(v), nil
		}
	}
	return rag.Live{}, rag.Errorf(rag.CodeNotFound, "There is no such document.")
}

func (m *memory) PutVersion(_ context.Context, _ rag.Scope, v rag.NewVersion) (rag.Live, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return rag.Live{}, m.err
	}
	_, exists := m.live[v.SourceURI]
	for uri, o := range m.live {
		if !exists && uri != v.SourceURI && o.Hash == v.Hash {
			return rag.Live{}, rag.Errorf(rag.CodeConflict, "The same file is there already.")
		}
	}
	m.puts++
	m.live[v.SourceURI] = v
	return liveOf(v), nil
}

func liveOf(v rag.NewVersion) rag.Live {
	l := rag.Live{DocumentID: 1, VersionID: 2, SourceURI: v.SourceURI, Hash: v.Hash, DocType: v.DocType, Recipe: v.Recipe}
	for _, u := range v.Outline.Units {
		if len(l.Sets) == 0 || l.Sets[len(l.Sets)-1] != u.Set {
			l.Sets = append(l.Sets, u.Set)
		}
	}
	return l
}

// counting is an embedder that counts texts and fails on demand.
type counting struct {
	mu    sync.Mutex
	texts int
	err   error
	drop  int // vectors missing from each reply
}

func (*counting) ID() string     { return "counting/1" }
func (*counting) Dimension() int { return 2 }
func (c *counting) Embed(_ context.Context, texts []string) ([][]float32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.err
	}
	c.texts += len(texts)
	out := make([][]float32, len(texts)-c.drop)
	for i := range out {
		out[i] = []float32{1, 0}
	}
	return out, nil
}

func setup(t *testing.T) (*Ingester, *memory, *counting) {
	t.Helper()
	tok, err := tokens.CL100K()
	require.NoError(t, err)
	store, embedder := &memory{live: map[string]rag.NewVersion{}}, &counting{}
	in := New(store, embedder, split.Options{Tokens: tok}, slog.New(slog.DiscardHandler))
	in.now = func() time.Time { return time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC) }
	return in, store, embedder
}

const page = "---\ntitle: Restart Kafka\ndate: 2026-02-03\nreview_date: 2026-08-03\n---\n# Restart\n\nDo this:\n\n1. Pause it.\n2. Stop it.\n3. Start it.\n4. Resume it.\n"

func ingestPage(t *testing.T, in *Ingester, uri, data string) Outcome {
	t.Helper()
	out, err := in.Ingest(t.Context(), Request{SpaceID: 1, SourceURI: uri, Data: []byte(data)})
	require.NoError(t, err)
	return out
}

func TestIngestOnceTwiceAndChanged(t *testing.T) {
	t.Parallel()
	in, store, embedder := setup(t)
	first := ingestPage(t, in, "kafka/restart.md", page)
	require.Equal(t, Created, first.State)
	require.Equal(t, "runbook", first.DocType)
	require.Equal(t, 1, first.Procedures)
	v := store.live["kafka/restart.md"]
	require.Equal(t, page, v.Text)
	require.Equal(t, "Restart Kafka", v.Title)
	require.Equal(t, "2026-02-03", v.Date.Format(time.DateOnly))
	require.Equal(t, "2026-08-03", v.ReviewDue.Format(time.DateOnly))
	require.Len(t, v.Index, len(v.Outline.Units))
	for _, x := range v.Index {
		require.Len(t, x.Vector, 2)
		require.NotEmpty(t, x.Terms)
	}
	embedded := embedder.texts

	again := ingestPage(t, in, "kafka/restart.md", page)
	require.Equal(t, Unchanged, again.State)
	require.Equal(t, 1, store.puts)
	require.Equal(t, embedded, embedder.texts, "nothing is embedded again")

	changed := ingestPage(t, in, "kafka/restart.md", page+"5. Tell the team.\n")
	require.Equal(t, Updated, changed.State)
	require.Equal(t, 2, store.puts)
}

func TestSameBytesUnderAnotherNameAreOneDocument(t *testing.T) { // T41
	t.Parallel()
	in, store, _ := setup(t)
	ingestPage(t, in, "a.md", page)
	out := ingestPage(t, in, "b.md", page)
	require.Equal(t, Unchanged, out.State)
	require.Equal(t, "already there as a.md", out.Reason)
	require.Len(t, store.live, 1)
}

func TestFaultsLeaveWhatWasLive(t *testing.T) {
	t.Parallel()
	away := rag.Errorf(rag.CodeUnavailable, "The embedding server cannot be reached.")
	for _, tt := range []struct {
		name string
		data string
		hurt func(*memory, *counting)
		code rag.Code
	}{
		{"embedder away", page + "more", func(_ *memory, c *counting) { c.err = away }, rag.CodeUnavailable},
		{"embedder loses a vector", page + "more", func(_ *memory, c *counting) { c.drop = 1 }, rag.CodeInternal},
		{"store away", page + "more", func(m *memory, _ *counting) { m.err = errors.New("broken pipe") }, rag.CodeInternal},
		{"no text", "  \n\n", func(*memory, *counting) {}, rag.CodeInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in, store, embedder := setup(t)
			ingestPage(t, in, "a.md", page)
			tt.hurt(store, embedder)
			_, err := in.Ingest(t.Context(), Request{SpaceID: 1, SourceURI: "a.md", Data: []byte(tt.data)})
			require.Equal(t, tt.code, rag.ErrorCode(err))
			require.Equal(t, page, store.live["a.md"].Text)
		})
	}
}

func TestChunksForTypesThatAskForThem(t *testing.T) {
	t.Parallel()
	in, store, _ := setup(t)
	out, err := in.Ingest(t.Context(), Request{SpaceID: 1, SourceURI: "a.md", Data: []byte(page), DocType: "reference"})
	require.NoError(t, err)
	require.Equal(t, "as given", out.Reason)
	o := store.live["a.md"].Outline
	require.NotEmpty(t, o.UnitsOf(rag.SentenceSet))
	require.NotEmpty(t, o.UnitsOf("tokens-256-32"))

	_, err = in.Ingest(t.Context(), Request{SpaceID: 1, SourceURI: "b.md", Data: []byte(page), DocType: "poem"})
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	require.Contains(t, rag.ErrorMessage(err), "runbook, guideline, design_doc, note, reference")
}

func TestGuessedDocType(t *testing.T) {
	t.Parallel()
	long := "# Cache\n\n" + strings.Repeat("The cache holds the tokens of a tenant for a minute. ", 300)
	for _, tt := range []struct{ name, uri, text, want, why string }{
		{"front matter wins over the folder", "runbooks/x.md", "---\ndoc_type: guideline\n---\nText.", "guideline", "front matter says doc_type: guideline"},
		{"front matter with a hyphen", "x.md", "---\ntype: design-doc\n---\nText.", "design_doc", "front matter says type: design-doc"},
		{"an unknown type is not believed", "notes/x.md", "---\ntype: poem\n---\nText.", "note", "it lies in a folder notes/"},
		{"the inner folder counts", "design/runbooks/x.md", "Text.", "runbook", "it lies in a folder runbooks/"},
		{"title of a guideline", "x.md", "# Dosing of plenvarol\n\nText.", "guideline", "its title sounds like a guideline"},
		{"a procedure", "x.md", "# Kafka\n\n1. A.\n2. B.\n3. C.\n4. D.\n", "runbook", "it has a procedure (4 steps in all)"},
		{"headings of a design", "x.md", "# Cache\n\nText.\n\n## Alternatives\n\nText.\n", "design_doc", "its headings are those of a design document"},
		{"long text", "x.md", long, "design_doc", "it is a long text without procedures"},
		{"nothing", "x.md", "Just a thought.", "note", "nothing says what it is, so it counts as a note"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in, _, _ := setup(t)
			out := ingestPage(t, in, tt.uri, tt.text)
			require.Equal(t, tt.want, out.DocType)
			require.Equal(t, tt.why, out.Reason)
		})
	}
}

func TestFilesOfAFolder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"b/two.md", "a/one.txt", "a/.hidden.md", ".git/x.md", "a/picture.png", "three.MD"} {
		p := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o750))
		require.NoError(t, os.WriteFile(p, []byte("Text of "+name+"."), 0o600))
	}
	listing, err := Files(root, []string{root, filepath.Join(root, "b")})
	require.NoError(t, err)
	var uris []string
	for _, f := range listing.Files {
		uris = append(uris, f.URI)
	}
	require.Equal(t, []string{"a/one.txt", "b/two.md", "three.MD"}, uris)

	_, err = Files(filepath.Join(root, "a"), []string{filepath.Join(root, "b")})
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	_, err = Files(root, []string{filepath.Join(root, "missing")})
	require.Equal(t, rag.CodeNotFound, rag.ErrorCode(err))
}

func TestOneBadFileDoesNotStopTheOthers(t *testing.T) {
	t.Parallel()
	in, store, _ := setup(t)
	root := t.TempDir()
	for name, text := range map[string]string{"a.md": "First.", "b.md": "   ", "c.md": "Third."} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	listing, err := Files(root, []string{root})
	require.NoError(t, err)
	seen := 0
	sum, err := in.IngestFiles(t.Context(), Request{SpaceID: 1}, listing.Files, 2, func(FileResult) { seen++ })
	require.NoError(t, err)
	require.Equal(t, 3, seen)
	require.Equal(t, []int{2, 0, 1}, []int{sum.Documents, sum.Unchanged, sum.Failed})
	require.Equal(t, "b.md", sum.Results[1].URI)
	require.Error(t, sum.Results[1].Err)
	require.Len(t, store.live, 2)
}

func TestAddressWithoutEndingIsReadByTheFileName(t *testing.T) { // T66
	t.Parallel()
	in, store, _ := setup(t)
	req := Request{SpaceID: 1, SourceURI: "https://wiki.example.com/restart", Name: "restart.md", Data: []byte(page)}
	out, err := in.Ingest(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, "https://wiki.example.com/restart", out.SourceURI)
	require.Contains(t, store.live, "https://wiki.example.com/restart")
}

func TestDocumentThatBecomesEqualToAnotherIsUpdated(t *testing.T) { // T41
	t.Parallel()
	in, store, _ := setup(t)
	ingestPage(t, in, "a.md", page)
	ingestPage(t, in, "b.md", "# Old\n\nOld text.\n")
	require.Equal(t, Updated, ingestPage(t, in, "b.md", page).State)
	require.Equal(t, page, store.live["b.md"].Text)
}

func TestRenamedFileWhoseNameIsTakenAgainIsKept(t *testing.T) { // T41
	t.Parallel()
	in, store, _ := setup(t)
	root := t.TempDir()
	ingestPage(t, in, "z.md", page)
	require.NoError(t, os.WriteFile(filepath.Join(root, "a.md"), []byte(page), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "z.md"), []byte("# New\n\nNew text.\n"), 0o600))
	listing, err := Files(root, []string{root})
	require.NoError(t, err)
	sum, err := in.IngestFiles(t.Context(), Request{SpaceID: 1}, listing.Files, 1, nil)
	require.NoError(t, err)
	require.Equal(t, 2, sum.Documents)
	require.Equal(t, page, store.live["a.md"].Text)
	require.Equal(t, "# New\n\nNew text.\n", store.live["z.md"].Text)
}

func TestTypeThatWasGivenIsKept(t *testing.T) {
	t.Parallel()
	in, store, _ := setup(t)
	_, err := in.Ingest(t.Context(), Request{SpaceID: 1, SourceURI: "c.md", Data: []byte("A thought."), DocType: "guideline"})
	require.NoError(t, err)
	require.Equal(t, Unchanged, ingestPage(t, in, "c.md", "A thought.").State)
	out := ingestPage(t, in, "c.md", "Another thought.")
	require.Equal(t, []string{"guideline", "as before"}, []string{out.DocType, out.Reason})
	require.Equal(t, "note", ingestPage(t, in, "c.md", "---\ndoc_type: note\n---\nA third.").DocType)
	require.Equal(t, "note", store.live["c.md"].DocType)
}

func TestLinkedFolderAndLongNames(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "real"), 0o750))
	require.NoError(t, os.WriteFile(filepath.Join(root, "real", "a.md"), []byte("Text."), 0o600))
	link := filepath.Join(root, "link")
	require.NoError(t, os.Symlink(filepath.Join(root, "real"), link))
	listing, err := Files(link, []string{link})
	require.NoError(t, err)
	require.Len(t, listing.Files, 1)
	require.Equal(t, "a.md", listing.Files[0].URI)

	in, _, _ := setup(t)
	_, err = in.Ingest(t.Context(), Request{SpaceID: 1, SourceURI: strings.Repeat("x", 2000) + ".md", Data: []byte("Text.")})
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
}

func TestFileWithoutAWordIsRefused(t *testing.T) { // T55
	t.Parallel()
	in, store, _ := setup(t)
	for _, text := range []string{"!!! note\n", "> \n", "> [!NOTE]\n", "#\n", "<br>\n", "| | |\n|---|---|\n| | |\n", "```\n```\n"} {
		_, err := in.Ingest(t.Context(), Request{SpaceID: 1, SourceURI: "a.md", Data: []byte(text)})
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), "%q", text)
		require.Contains(t, rag.ErrorMessage(err), "“a.md”")
	}
	require.Empty(t, store.live)
}
