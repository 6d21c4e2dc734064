package db_test

import (
	"errors"
	"log/slog"
	"os"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"passage/db"
	"passage/db/dbtest"
	"passage/rag"
)

// Migrations run on an empty and on a filled database: up, down, up.
func TestMigrationsGoUpDownUp(t *testing.T) {
	t.Parallel()
	b, dsn := setupDSN(t, db.ExactLimit(0)) // with an HNSW index
	live := b.put(t, version(b.ops, "a.md", rotate))
	b.put(t, version(b.ops, "a.md", "Changed.\n"))
	chat, err := b.CreateChat(t.Context(), everything, "Chat")
	require.NoError(t, err)
	_, answer, err := b.AddQuestion(t.Context(), everything, chat.ID, "Question?")
	require.NoError(t, err)
	require.NoError(t, b.SaveAnswer(t.Context(), everything, answer.ID, "Text [1]", []rag.Citation{
		{Number: 1, DocID: live.DocumentID, VersionID: live.VersionID, Span: rag.Span{Start: 0, End: 5}},
	}))
	b.Close()

	provider := providerFor(t, dsn)
	for {
		result, err := provider.Down(t.Context())
		if err != nil {
			break // nothing left
		}
		require.NoError(t, result.Error)
	}
	current, target, err := provider.GetVersions(t.Context())
	require.NoError(t, err)
	require.Zero(t, current)
	files, err := os.ReadDir("migrations")
	require.NoError(t, err)
	require.Equal(t, int64(len(files)), target, "migrations are numbered without gaps")

	require.NoError(t, db.Migrate(t.Context(), dsn))
	store, err := db.Open(t.Context(), dsn, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer store.Close()
	types, err := store.DocTypes(t.Context())
	require.NoError(t, err)
	require.Len(t, types, len(rag.DefaultDocTypes()))
	spaces, err := store.Spaces(t.Context(), everything)
	require.NoError(t, err)
	require.Empty(t, spaces)
}

func TestMigrateKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	b, dsn := setupDSN(t)
	types, err := b.DocTypes(t.Context())
	require.NoError(t, err)
	for i, want := range rag.DefaultDocTypes() {
		want.ID = types[i].ID
		require.Equal(t, want, types[i])
	}
	changed := rag.Strategy{Kind: rag.SentenceWindow, Extent: rag.ExtentParagraph}
	require.NoError(t, b.SetStrategy(t.Context(), "note", changed))
	_, err = b.Pool().Exec(t.Context(), "delete from doc_types where name = 'reference'")
	require.NoError(t, err)
	live := b.put(t, version(b.ops, "a.md", rotate))

	require.NoError(t, db.Migrate(t.Context(), dsn))
	types, err = b.DocTypes(t.Context())
	require.NoError(t, err)
	require.Len(t, types, len(rag.DefaultDocTypes())-1)
	require.Equal(t, "note", types[3].Name)
	require.Equal(t, changed, types[3].Strategy)
	_, err = b.Document(t.Context(), everything, live.DocumentID)
	require.NoError(t, err)
}

func TestMigrateByManyAtOnce(t *testing.T) {
	t.Parallel()
	dsn := dbtest.DSN(t, dbtest.Template{})
	var group sync.WaitGroup
	errs := make([]error, 3)
	for i := range errs {
		group.Go(func() { errs[i] = db.Migrate(t.Context(), dsn) })
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))
	store, err := db.Open(t.Context(), dsn, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer store.Close()
	types, err := store.DocTypes(t.Context())
	require.NoError(t, err)
	require.Len(t, types, len(rag.DefaultDocTypes()))
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	_, err := db.Open(t.Context(), "postgres://user:hunter2@:port/x", log)
	requireCode(t, rag.CodeInvalid, err)
	require.NotContains(t, err.Error(), "hunter2")
	requireCode(t, rag.CodeInvalid, db.Migrate(t.Context(), "postgres://user:hunter2@:port/x"))

	nowhere := "postgres://localhost:1/x?connect_timeout=2"
	_, err = db.Open(t.Context(), nowhere, log)
	requireCode(t, rag.CodeUnavailable, err)
	requireCode(t, rag.CodeUnavailable, db.Migrate(t.Context(), nowhere))

	_, err = db.Open(t.Context(), dbtest.DSN(t, dbtest.Template{}), log)
	requireCode(t, rag.CodeUnavailable, err)
	require.Contains(t, rag.ErrorMessage(err), "web migrate")
}

func providerFor(t *testing.T, dsn string) *goose.Provider {
	t.Helper()
	config, err := pgx.ParseConfig(dsn)
	require.NoError(t, err)
	pool := stdlib.OpenDB(*config)
	t.Cleanup(func() { require.NoError(t, pool.Close()) })
	provider, err := db.Provider(pool)
	require.NoError(t, err)
	return provider
}
