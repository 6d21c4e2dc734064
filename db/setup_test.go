package db_test

import (
	"crypto/sha256"
	"encoding/binary"
	"log/slog"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/db"
	"passage/db/dbtest"
	"passage/rag"
)

const (
	embedder  = "test/8"
	dimension = 8
)

var everything = rag.Scope{User: "local", All: true}

// How long and how often a test looks for a condition.
const (
	waitFor = 10 * time.Second
	tick    = 10 * time.Millisecond
)

// bundle is a store with two spaces and a scope for each.
type bundle struct {
	*db.Store
	ops, clinic               rag.Space
	opsScope, clinicScope     rag.Scope
	nobodyScope, strangeScope rag.Scope // no space at all; a space that does not exist
}

func setup(t *testing.T, options ...db.Option) bundle {
	t.Helper()
	b, _ := setupDSN(t, options...)
	return b
}

// setupFor is setup for a benchmark.
func setupFor(tb testing.TB) bundle {
	tb.Helper()
	b, _ := open(tb)
	return b
}

func setupDSN(t *testing.T, options ...db.Option) (bundle, string) {
	t.Helper()
	return open(t, options...)
}

func open(tb testing.TB, options ...db.Option) (bundle, string) {
	tb.Helper()
	dsn := dbtest.DSN(tb, dbtest.Template{Migrate: db.Migrate})
	log := slog.New(slog.NewTextHandler(complaints{tb}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	store, err := db.Open(tb.Context(), dsn, log, options...)
	require.NoError(tb, err)
	tb.Cleanup(store.Close)
	b := bundle{Store: store}
	b.ops, err = store.EnsureSpace(tb.Context(), "Platform wiki")
	require.NoError(tb, err)
	b.clinic, err = store.EnsureSpace(tb.Context(), "Clinical guidelines")
	require.NoError(tb, err)
	b.opsScope = rag.Scope{User: "olga", Spaces: []int64{b.ops.ID}}
	b.clinicScope = rag.Scope{User: "carl", Spaces: []int64{b.clinic.ID}}
	b.nobodyScope = rag.Scope{User: "nobody"}
	b.strangeScope = rag.Scope{User: "strange", Spaces: []int64{987_654}}
	return b, dsn
}

// complaints fails a test when the store warns of anything.
type complaints struct{ t testing.TB }

func (c complaints) Write(line []byte) (int, error) {
	c.t.Errorf("logged: %s", line)
	return len(line), nil
}

// put writes a version that must go live.
func (b bundle) put(t *testing.T, v rag.NewVersion) rag.Live {
	t.Helper()
	live, err := b.PutVersion(t.Context(), everything, v)
	require.NoError(t, err)
	return live
}

// version makes a version of a text in the simplest Markdown: "# " begins a
// section, "1. " a step, any other line is a sentence.
func version(space rag.Space, uri, text string) rag.NewVersion {
	v := rag.NewVersion{
		SpaceID: space.ID, SourceURI: uri, Hash: sha256.Sum256([]byte(text)), DocType: "runbook", Title: "About " + uri,
		Recipe: rag.Recipe{Extractor: "test/1", Splitter: "test/1", Embedder: embedder},
		Text:   text, Dimension: dimension,
	}
	o := &v.Outline
	o.Sections = []rag.Section{{Parent: -1, TreeEnd: len(text)}}
	at := 0
	for _, line := range strings.SplitAfter(text, "\n") {
		span := rag.Span{Start: at, End: at + len(strings.TrimRight(line, "\n"))}
		at += len(line)
		if heading, is := strings.CutPrefix(line, "# "); is {
			heading = strings.TrimSpace(heading)
			o.Sections = append(o.Sections, rag.Section{
				Ordinal: len(o.Sections), Parent: -1, Level: 1, Heading: heading, Path: []string{heading},
				Span: rag.Span{Start: span.Start}, TreeEnd: len(text), Tokens: 7,
			})
		}
		section := &o.Sections[len(o.Sections)-1]
		o.Sections[len(o.Sections)-1].Span.End = at
		if len(o.Sections) > 1 {
			o.Sections[len(o.Sections)-2].TreeEnd = section.Span.Start
		}
		if span.Empty() {
			continue
		}
		u := rag.Unit{
			Set: rag.SentenceSet, Ordinal: len(o.Units), Kind: rag.UnitSentence, Span: span,
			Section: section.Ordinal, Paragraph: len(o.Units), Procedure: -1, Step: -1,
		}
		if number, _, is := strings.Cut(line, ". "); is && strings.Trim(number, "0123456789") == "" {
			step(o, &u, number)
		}
		o.Units = append(o.Units, u)
	}
	o.Sections[0].TreeEnd = o.Sections[0].Span.End
	v.Index = indexOf(text, o.Units)
	return v
}

// step adds the unit to the last procedure of its section, or begins one.
func step(o *rag.Outline, u *rag.Unit, number string) {
	u.Kind = rag.UnitItem
	if n := len(o.Procedures); n == 0 || number == "1" {
		p := rag.Procedure{Ordinal: n, Section: u.Section, Span: u.Span}
		if n := len(o.Units); n > 0 {
			p.Lead = o.Units[n-1].Span
		}
		o.Procedures = append(o.Procedures, p)
	}
	p := &o.Procedures[len(o.Procedures)-1]
	p.Span.End = u.Span.End
	p.Steps = append(p.Steps, rag.Step{Span: u.Span, Number: number + "."})
	u.Procedure, u.Step = p.Ordinal, len(p.Steps)-1
}

// chunks makes a further unit set: the halves of a text.
func chunks(set rag.UnitSet, text string) []rag.Unit {
	half := len(text) / 2
	return []rag.Unit{
		{Set: set, Kind: rag.UnitChunk, Span: rag.Span{Start: 0, End: half}, Procedure: -1, Step: -1},
		{Set: set, Ordinal: 1, Kind: rag.UnitChunk, Span: rag.Span{Start: half, End: len(text)}, Procedure: -1, Step: -1},
	}
}

func indexOf(text string, units []rag.Unit) []rag.UnitIndex {
	index := make([]rag.UnitIndex, len(units))
	for i, u := range units {
		words := u.Span.In(text)
		index[i] = rag.UnitIndex{
			Hash: sha256.Sum256([]byte(words)), Vector: vectorOf(words),
			Terms: strings.Fields(strings.ToLower(strings.NewReplacer(".", " ", "#", " ").Replace(words))),
		}
	}
	return index
}

// vectorOf gives every text a direction of its own.
func vectorOf(text string) []float32 {
	sum := sha256.Sum256([]byte(text))
	return randomVector(rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), 1)), dimension)
}

func randomVector(r *rand.Rand, dimension int) []float32 {
	vector := make([]float32, dimension)
	var sum float64
	for i := range vector {
		vector[i] = float32(r.NormFloat64())
		sum += float64(vector[i]) * float64(vector[i])
	}
	for i := range vector {
		// A multiple of 1/1024 up to 1 is exact in float16.
		vector[i] = float32(math.Round(float64(vector[i])/math.Sqrt(sum)*1024) / 1024)
	}
	return vector
}

// count runs a query that gives one number.
func (b bundle) count(t *testing.T, query string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, b.Pool().QueryRow(t.Context(), query, args...).Scan(&n))
	return n
}

func requireCode(t *testing.T, want rag.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, rag.ErrorCode(err), "%v", err)
}
