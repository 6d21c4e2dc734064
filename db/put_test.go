package db_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

const rotate = "Intro line.\n# Rotate\nDo this at night.\n1. Stop the broker.\n2. Swap the certificate.\n3. Start the broker.\n# Verify\nCheck the dates.\n"

func TestPutVersionGoesLive(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "kafka/rotate.md", rotate)
	v.Meta = map[string]string{"owner": "platform"}
	v.Date = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	v.ReviewDue = time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)

	live := b.put(t, v)
	require.Equal(t, rag.Live{
		DocumentID: live.DocumentID, VersionID: live.VersionID, SourceURI: "kafka/rotate.md", Hash: v.Hash,
		DocType: "runbook", Recipe: v.Recipe, Sets: []rag.UnitSet{rag.SentenceSet},
	}, live)

	again, err := b.LiveVersion(t.Context(), b.opsScope, b.ops.ID, "kafka/rotate.md")
	require.NoError(t, err)
	require.Equal(t, live, again)
	again, err = b.LiveByHash(t.Context(), b.opsScope, b.ops.ID, v.Hash)
	require.NoError(t, err)
	require.Equal(t, live, again)

	doc, err := b.Document(t.Context(), b.opsScope, live.DocumentID)
	require.NoError(t, err)
	require.False(t, doc.Updated.IsZero())
	doc.Updated = time.Time{}
	require.Equal(t, rag.Document{
		ID: live.DocumentID, SpaceID: b.ops.ID, Space: "Platform wiki", SourceURI: "kafka/rotate.md",
		Title: "About kafka/rotate.md", DocType: "runbook", Date: v.Date, ReviewDue: v.ReviewDue,
		VersionID: live.VersionID, Ordinal: 1, Units: len(v.Outline.Units),
	}, doc)
	require.Equal(t, "platform", func() (owner string) {
		require.NoError(t, b.Pool().QueryRow(t.Context(), "select meta ->> 'owner' from versions").Scan(&owner))
		return owner
	}())
}

func TestPutVersionReplaces(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.put(t, version(b.ops, "a.md", rotate))
	changed := version(b.ops, "a.md", "All new words here.\n")
	changed.Title = "Another title"
	second := b.put(t, changed)

	require.Equal(t, first.DocumentID, second.DocumentID)
	require.NotEqual(t, first.VersionID, second.VersionID)
	doc, err := b.Document(t.Context(), everything, first.DocumentID)
	require.NoError(t, err)
	require.Equal(t, "Another title", doc.Title)
	require.Equal(t, 2, doc.Ordinal)
	require.Equal(t, 1, doc.Units)
	require.Equal(t, 1, b.count(t, "select count(*) from versions where state = 'superseded' and id = $1", first.VersionID))
	for _, table := range []string{"embeddings", "lexical_totals"} {
		require.Zero(t, b.count(t, "select count(*) from "+table+" where version_id = $1", first.VersionID), table)
		require.Positive(t, b.count(t, "select count(*) from "+table+" where version_id = $1", second.VersionID), table)
	}
	require.Zero(t, b.count(t, "select coalesce(sum(n), 0) from postings where first = $1", first.VersionID))
	require.Positive(t, b.count(t, "select sum(n) from postings where first = $1", second.VersionID))
}

func TestPutVersionWithoutVectors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", rotate)
	v.Recipe.Embedder, v.Dimension = "", 0
	for i := range v.Index {
		v.Index[i].Vector = nil
	}
	b.put(t, v)
	require.Zero(t, b.count(t, "select count(*) from embeddings"))
	hits, err := b.Lexical(t.Context(), everything, rag.Filter{}, rag.SentenceSet, []string{"certificate"}, 5)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	hits, err = b.Dense(t.Context(), everything, rag.Filter{}, rag.SentenceSet, embedder, vectorOf("x"), 5)
	require.NoError(t, err)
	require.Empty(t, hits)
}

func TestPutVersionRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good := b.put(t, version(b.ops, "a.md", rotate))

	type change = func(*rag.NewVersion)
	for name, test := range map[string]struct {
		change change
		code   rag.Code
	}{
		"unknown document type":           {func(v *rag.NewVersion) { v.DocType = "poem" }, rag.CodeInvalid},
		"unknown space":                   {func(v *rag.NewVersion) { v.SpaceID = 4711 }, rag.CodeNotFound},
		"no source URI":                   {func(v *rag.NewVersion) { v.SourceURI = "" }, rag.CodeInvalid},
		"no text":                         {func(v *rag.NewVersion) { v.Text = "" }, rag.CodeInvalid},
		"T49: NUL in the text":            {func(v *rag.NewVersion) { v.Text = strings.Replace(v.Text, "n", "\x00", 1) }, rag.CodeInvalid},
		"a vector too few":                {func(v *rag.NewVersion) { v.Index = v.Index[1:] }, rag.CodeInternal},
		"a vector too short":              {func(v *rag.NewVersion) { v.Index[1].Vector = v.Index[1].Vector[1:] }, rag.CodeInternal},
		"a vector without direction":      {func(v *rag.NewVersion) { v.Index[1].Vector = make([]float32, dimension) }, rag.CodeInternal},
		"a unit outside the text":         {func(v *rag.NewVersion) { v.Outline.Units[7].Span.End += 100 }, rag.CodeInternal},
		"units that overlap":              {func(v *rag.NewVersion) { v.Outline.Units[1].Span.Start = 0 }, rag.CodeInternal},
		"units out of order":              {func(v *rag.NewVersion) { v.Outline.Units[1].Ordinal = 5 }, rag.CodeInternal},
		"a section that leaves a gap":     {func(v *rag.NewVersion) { v.Outline.Sections[1].Span.Start++ }, rag.CodeInternal},
		"a missing section":               {func(v *rag.NewVersion) { v.Outline.Sections = v.Outline.Sections[:2] }, rag.CodeInternal},
		"T37: a unit without its section": {func(v *rag.NewVersion) { v.Outline.Units[0].Section = 9 }, rag.CodeInternal},
		"a step that is not there":        {func(v *rag.NewVersion) { v.Outline.Units[3].Step = 9 }, rag.CodeInternal},
		"a step of no procedure":          {func(v *rag.NewVersion) { v.Outline.Units[0].Step = 0 }, rag.CodeInternal},
		// These are found by the database only, when much is written already.
		"late: an unknown kind of unit":    {func(v *rag.NewVersion) { v.Outline.Units[7].Kind = "verse" }, rag.CodeInternal},
		"late: a vector beyond half range": {func(v *rag.NewVersion) { v.Index[7].Vector = []float32{1e6, 0, 0, 0, 0, 0, 0, 0} }, rag.CodeInternal},
		"another dimension for the embedder": {func(v *rag.NewVersion) {
			v.Dimension = 2
			for i := range v.Index {
				v.Index[i].Vector = []float32{1, 0}
			}
		}, rag.CodeConflict},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := version(b.ops, "a.md", strings.ReplaceAll(rotate, "broker", "brokers"))
			test.change(&v)
			_, err := b.PutVersion(t.Context(), everything, v)
			requireCode(t, test.code, err)

			// The old version is live and whole, and nothing of the new one is left.
			live, err := b.LiveVersion(t.Context(), everything, b.ops.ID, "a.md")
			require.NoError(t, err)
			require.Equal(t, good, live)
			require.Equal(t, 1, b.count(t, "select count(*) from versions"))
			require.Equal(t, 1, b.count(t, "select count(*) from documents"))
			require.Equal(t, b.count(t, "select count(*) from units"), b.count(t, "select count(*) from embeddings"))
			hits, err := b.Lexical(t.Context(), everything, rag.Filter{}, rag.SentenceSet, []string{"broker"}, 9)
			require.NoError(t, err)
			require.Len(t, hits, 2)
		})
	}
}

func TestPutVersionOutOfScope(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, scope := range []rag.Scope{{}, b.nobodyScope, b.strangeScope, b.clinicScope} {
		_, err := b.PutVersion(t.Context(), scope, version(b.ops, "a.md", rotate))
		requireCode(t, rag.CodeNotFound, err)
	}
	require.Zero(t, b.count(t, "select count(*) from documents"))
}

// T49: YAML and HTML can spell a NUL that the bytes do not hold.
func TestPutVersionCleansWhatNoSpanPointsInto(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", rotate)
	v.Title = "Nul\x00 and \xff"
	v.Meta = map[string]string{"ow\x00ner": "plat\x00form"}
	v.Warnings = []string{"odd\x00"}
	v.Outline.Sections[1].Heading = "Ro\x00tate"
	v.Outline.Sections[1].Path = []string{"Ro\x00tate"}
	v.Outline.Procedures[0].Steps[0].Number = "1\x00."
	v.Index[0].Terms = append(v.Index[0].Terms, "nul\x00", "\xff")
	live := b.put(t, v)

	r, err := b.Reading(t.Context(), everything, live.DocumentID, 0)
	require.NoError(t, err)
	require.Equal(t, "Nul and \uFFFD", r.Document.Title)
	require.Equal(t, "Rotate", r.Outline.Sections[1].Heading)
	require.Equal(t, []string{"Rotate"}, r.Outline.Sections[1].Path)
	require.Equal(t, "1.", r.Outline.Procedures[0].Steps[0].Number)
}

// T41: the same bytes in a space are one document, and the second upload hears
// where they are.
func TestPutVersionSameBytes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	live := b.put(t, version(b.ops, "a.md", rotate))

	_, err := b.PutVersion(t.Context(), everything, version(b.ops, "copy/a.md", rotate))
	requireCode(t, rag.CodeConflict, err)
	require.Equal(t, "The same file is already there as a.md.", rag.ErrorMessage(err))
	_, err = b.PutVersion(t.Context(), everything, version(b.ops, "a.md", rotate))
	requireCode(t, rag.CodeConflict, err)

	// A changed recipe, type or unit set makes a new version of the same bytes.
	v := version(b.ops, "a.md", rotate)
	v.Recipe.Splitter = "test/2"
	require.NotEqual(t, live.VersionID, b.put(t, v).VersionID)
	v.DocType = "guideline"
	b.put(t, v)
	v.Outline.Units = append(v.Outline.Units, chunks("chars-60-0", v.Text)...)
	v.Index = indexOf(v.Text, v.Outline.Units)
	last := b.put(t, v)
	require.Equal(t, []rag.UnitSet{"chars-60-0", rag.SentenceSet}, last.Sets)
	require.Equal(t, live.DocumentID, last.DocumentID)

	// Another space has readers of its own and a copy of its own.
	other := b.put(t, version(b.clinic, "a.md", rotate))
	require.NotEqual(t, live.DocumentID, other.DocumentID)
}

// T41: parallel uploads of one file.
func TestPutVersionSameBytesAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uris := []string{"a.md", "b.md", "a.md", "c.md", "b.md", "a.md"}
	errs := make([]error, len(uris))
	var group sync.WaitGroup
	for i, uri := range uris {
		group.Go(func() { _, errs[i] = b.PutVersion(t.Context(), everything, version(b.ops, uri, rotate)) })
	}
	group.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		requireCode(t, rag.CodeConflict, err)
	}
	require.Equal(t, 1, won)
	require.Equal(t, 1, b.count(t, "select count(*) from documents"))
	require.Equal(t, 1, b.count(t, "select count(*) from versions"))
}

// Different bytes for one source at once: all go live one after the other.
func TestPutVersionOneSourceAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var group sync.WaitGroup
	errs := make([]error, 5)
	for i := range errs {
		group.Go(func() {
			_, errs[i] = b.PutVersion(t.Context(), everything, version(b.ops, "a.md", strings.Repeat("Line of words.\n", i+1)))
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))
	require.Equal(t, 5, b.count(t, "select max(ordinal) from versions"))
	require.Equal(t, 1, b.count(t, "select count(*) from versions where state = 'live'"))
	require.Equal(t, 1, b.count(t, "select count(distinct version_id) from embeddings"))
}

// A document whose bytes become those of another one must not keep its old
// text (T41).
func TestDocumentMayBecomeEqualToAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.put(t, version(b.ops, "a.md", "# A\n\nSame text.\n"))
	old := b.put(t, version(b.ops, "b.md", "# B\n\nOld text.\n"))
	twin := version(b.ops, "a.md", "# A\n\nSame text.\n")
	twin.SourceURI = "b.md"
	now := b.put(t, twin)
	require.Equal(t, old.DocumentID, now.DocumentID)
	r, err := b.Reading(t.Context(), b.opsScope, now.DocumentID, 0)
	require.NoError(t, err)
	require.Equal(t, "# A\n\nSame text.\n", r.Text)
}

func TestEmbeddersAreCountedInTheScope(t *testing.T) { // T46
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", "# A\n\nText.\n")
	b.put(t, v)
	counts, err := b.Embedders(t.Context(), b.opsScope)
	require.NoError(t, err)
	require.Equal(t, map[string]int{v.Recipe.Embedder: 1}, counts)
	counts, err = b.Embedders(t.Context(), b.clinicScope)
	require.NoError(t, err)
	require.Empty(t, counts)
}
