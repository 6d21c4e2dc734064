package db_test

import (
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"passage/db"
	"passage/rag"
)

// What was indexed before postings were merged is found after the migration as
// before it, and the way back gives the old rows.
func TestPostingsAreMigrated(t *testing.T) {
	t.Parallel()
	b, dsn := setupDSN(t)
	r := rand.New(rand.NewPCG(5, 6))
	docs := map[string]liveDoc{}
	for _, uri := range []string{"a", "b", "c", "d", "a"} {
		text := randomText(r) + uri + ".\n"
		if uri == "d" { // numbers of more than one byte
			text = strings.Repeat("often ", 300) + "end.\n" + strings.Repeat("pad.\n", 9_000) + "end.\n"
		}
		v := version(b.ops, uri, text)
		docs[uri] = liveDoc{b.put(t, v), b.ops.ID, v.DocType, v}
	}
	require.NoError(t, b.MergeWith(t.Context(), 1000, 100))
	v := version(b.ops, "b", randomText(r)+"later.\n")
	docs["b"] = liveDoc{b.put(t, v), b.ops.ID, v.DocType, v}
	b.Close()

	provider := providerFor(t, dsn)
	_, err := provider.DownTo(t.Context(), 5)
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	rows, err := conn.Query(t.Context(), "select term, version_id, ordinals, counts, lengths from postings")
	require.NoError(t, err)
	found := 0
	var term string
	var version int64
	var ordinals, counts, lengths []int
	_, err = pgx.ForEachRow(rows, []any{&term, &version, &ordinals, &counts, &lengths}, func() error {
		found++
		var wantOrdinals, wantCounts, wantLengths []int
		for _, d := range docs {
			if d.VersionID != version {
				continue
			}
			for i, index := range d.version.Index {
				n := 0
				for _, other := range index.Terms {
					if other == term {
						n++
					}
				}
				if n > 0 {
					wantOrdinals, wantCounts, wantLengths = append(wantOrdinals, i), append(wantCounts, n), append(wantLengths, len(index.Terms))
				}
			}
		}
		require.Equal(t, wantOrdinals, ordinals, term)
		require.Equal(t, wantCounts, counts, term)
		require.Equal(t, wantLengths, lengths, term)
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
	want := map[string]bool{}
	for uri, d := range docs {
		for _, index := range d.version.Index {
			for _, term := range index.Terms {
				want[uri+"/"+term] = true
			}
		}
	}
	require.Len(t, want, found)

	require.NoError(t, db.Migrate(t.Context(), dsn))
	b.Store, err = db.Open(t.Context(), dsn, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	check := func() {
		b.requireWholeIndex(t)
		b.sameAsBruteForce(t, docs, rand.New(rand.NewPCG(2, 2)))
		hits, err := b.Lexical(t.Context(), everything, rag.Filter{}, rag.SentenceSet, []string{"often", "pad"}, 100_000)
		require.NoError(t, err)
		require.Len(t, hits, len(docs["d"].version.Outline.Units)-1)
		require.True(t, slices.ContainsFunc(hits, func(h rag.Hit) bool { return h.Ordinal == 9_000 }))
	}
	check()
	require.NoError(t, b.MergePostings(t.Context()))
	check()
	require.NoError(t, b.DeleteDocument(t.Context(), everything, docs["d"].DocumentID))
	delete(docs, "d")
	b.requireWholeIndex(t)
	b.sameAsBruteForce(t, docs, rand.New(rand.NewPCG(2, 3)))
}
