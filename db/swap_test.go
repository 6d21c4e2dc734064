package db_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// Readers that search while versions replace each other see one version whole,
// never two and never none.
func TestReadersSeeOldOrNew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text := func(n int) string { return strings.Repeat(fmt.Sprintf("Limit is %d days.\n", n), 20) }
	live := b.put(t, version(b.ops, "a.md", text(0)))

	ctx := t.Context()
	done, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for done.Err() == nil {
				lexical, err := b.Lexical(ctx, b.opsScope, rag.Filter{}, rag.SentenceSet, []string{"limit"}, 100)
				if !whole(t, lexical, err) {
					return
				}
				dense, err := b.Dense(ctx, b.opsScope, rag.Filter{}, rag.SentenceSet, embedder, vectorOf("x"), 100)
				if !whole(t, dense, err) {
					return
				}
				r, err := b.Reading(ctx, b.opsScope, live.DocumentID, 0)
				if err != nil || len(r.Outline.Units) != 20 || len(r.Outline.Sections) != 1 || r.Document.VersionID != r.Version {
					t.Errorf("reading is not whole: %v", err)
					return
				}
			}
		})
	}
	for n := range 15 {
		b.put(t, version(b.ops, "a.md", text(n+1)))
	}
	cancel()
	group.Wait()
	doc, err := b.Document(t.Context(), b.opsScope, live.DocumentID)
	require.NoError(t, err)
	require.Equal(t, 16, doc.Ordinal)
}

// whole says that the hits are all units of one version.
func whole(t *testing.T, hits []rag.Hit, err error) bool {
	t.Helper()
	versions := map[int64]bool{}
	for _, hit := range hits {
		versions[hit.VersionID] = true
	}
	if err != nil || len(hits) != 20 || len(versions) != 1 {
		t.Errorf("%d hits of %d versions, %v", len(hits), len(versions), err)
		return false
	}
	return true
}

// A context that ends half-way leaves the old version live.
func TestPutVersionIsCancelled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good := b.put(t, version(b.ops, "a.md", rotate))
	// Somebody holds the document, so that the new version waits in the middle.
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	defer tx.Rollback(t.Context()) //nolint:errcheck // for a test that stops early
	_, err = tx.Exec(t.Context(), "select from documents where id = $1 for update", good.DocumentID)
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := b.PutVersion(ctx, everything, version(b.ops, "a.md", "Changed.\n"))
		failed <- err
	}()
	b.waitForLock(t)
	cancel()
	require.ErrorIs(t, <-failed, context.Canceled)
	require.NoError(t, tx.Rollback(t.Context()))

	live, err := b.LiveVersion(t.Context(), everything, b.ops.ID, "a.md")
	require.NoError(t, err)
	require.Equal(t, good, live)
}

// Units that are being added while the version is replaced leave with it.
func TestReplacedWhileUnitsAreAdded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.put(t, version(b.ops, "a.md", rotate))
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	defer tx.Rollback(t.Context()) //nolint:errcheck // for a test that stops early
	_, err = tx.Exec(t.Context(), "select from versions where id = $1 for no key update", old.VersionID)
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `
		insert into lexical_totals (version_id, unit_set, space_id, doc_type_id, units, terms, words, held)
		select version_id, 'chars-60-0', space_id, doc_type_id, 0, 0, '{}', '{}' from lexical_totals where version_id = $1`, old.VersionID)
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `
		insert into lexical_groups (unit_set, space_id, doc_type_id)
		select unit_set, space_id, doc_type_id from lexical_totals where unit_set = 'chars-60-0' and version_id = $1`, old.VersionID)
	require.NoError(t, err)

	ctx := context.WithoutCancel(t.Context())
	replaced := make(chan error, 1)
	go func() {
		_, err := b.PutVersion(ctx, everything, version(b.ops, "a.md", "Changed.\n"))
		replaced <- err
	}()
	b.waitForLock(t)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-replaced)
	require.Zero(t, b.count(t, "select count(*) from lexical_totals where version_id = $1", old.VersionID))
	b.requireWholeIndex(t)
}

// waitForLock waits until a connection to the database waits for a lock.
func (b bundle) waitForLock(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		var waiting int
		err := b.Pool().QueryRow(t.Context(),
			"select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'").Scan(&waiting)
		return err == nil && waiting == 1
	}, waitFor, tick)
}

// Search looks at the state of a version too, not only at what is indexed.
func TestSearchFindsLiveVersionsOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	live := b.put(t, version(b.ops, "a.md", rotate))
	_, err := b.Pool().Exec(t.Context(), "update versions set state = 'failed' where id = $1", live.VersionID)
	require.NoError(t, err)
	hits, err := b.Lexical(t.Context(), everything, rag.Filter{}, rag.SentenceSet, []string{"broker"}, 10)
	require.NoError(t, err)
	require.Empty(t, hits)
	hits, err = b.Dense(t.Context(), everything, rag.Filter{}, rag.SentenceSet, embedder, vectorOf("x"), 10)
	require.NoError(t, err)
	require.Empty(t, hits)
	_, err = b.Reading(t.Context(), everything, live.DocumentID, live.VersionID)
	requireCode(t, rag.CodeNotFound, err)
}

// T37: a unit without its section cannot be stored, whoever writes it, and a
// section with units cannot be taken away.
func TestForeignKeysHoldTheTree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	live := b.put(t, version(b.ops, "a.md", rotate))
	for name, statement := range map[string]string{
		"unit without section":         "update units set section = 99 where version_id = $1",
		"unit without procedure":       "update units set procedure = 99, step = 0 where version_id = $1",
		"section with units":           "delete from sections where version_id = $1",
		"section with parent after it": "update sections set parent = ordinal + 1 where version_id = $1",
		"procedure without section":    "update procedures set section = 99 where version_id = $1",
		"content that is not the span": "update sections set content = content || 'x' where version_id = $1",
		"step without procedure":       "update units set step = 1 where version_id = $1 and procedure is null",
		"two live versions": "insert into versions (document_id, ordinal, state, content_hash, doc_type_id, title, body, body_bytes, extractor, splitter, embedder) " +
			"select document_id, 2, 'live', content_hash, doc_type_id, title, body, body_bytes, extractor, splitter, embedder from versions where id = $1",
	} {
		_, err := b.Pool().Exec(t.Context(), statement, live.VersionID)
		require.Error(t, err, name)
	}
}
