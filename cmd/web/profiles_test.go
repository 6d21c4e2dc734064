package main

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5" //nolint:depguard // what an older release left is made by SQL
	"github.com/stretchr/testify/require"
)

// Documents that were ingested before there were profiles get those that they
// would have got, byte for byte, whatever sets of units they have.
func TestProfilesOfOlderDocumentsAreMade(t *testing.T) {
	t.Parallel()
	environ := append(empty(t), "PASSAGE_EMBEDDER=none")
	must(t, environ, "ingest", "--space", "Ops", filepath.Join("..", "..", "examples"))
	dir := t.TempDir()
	write(t, dir, "pump.md", umlauts)
	must(t, environ, "ingest", "--space", "Werk", "--root", dir, dir)
	must(t, environ, "ask", "--strategy", "fixed_tokens", "--size", "64", "--overlap", "8", "How is the pressure checked?")

	dsn, _ := strings.CutPrefix(environ[0], "DATABASE_URL=")
	conn, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
	stored := func() map[string]string {
		rows, err := conn.Query(t.Context(), "select version_id || ' ' || unit_set, encode(data, 'hex') from profiles")
		require.NoError(t, err)
		all := map[string]string{}
		var name, data string
		_, err = pgx.ForEachRow(rows, []any{&name, &data}, func() error { all[name] = data; return nil })
		require.NoError(t, err)
		return all
	}
	before := stored()
	require.Greater(t, len(before), 10)
	_, err = conn.Exec(t.Context(), "delete from profiles where unit_set <> 'sentence' or version_id % 2 = 0")
	require.NoError(t, err)
	require.Less(t, len(stored()), len(before))

	c, err := readConfig(environ)
	require.NoError(t, err)
	p := &program{config: c, log: slog.New(slog.DiscardHandler), stdout: io.Discard, stderr: io.Discard}
	require.NoError(t, p.withApp(t.Context(), func(ctx context.Context, a *app) error {
		n, err := a.ingester.AddProfiles(ctx, a.store, everything)
		require.NoError(t, err)
		require.Positive(t, n)
		n, err = a.ingester.AddProfiles(ctx, a.store, everything)
		require.NoError(t, err)
		require.Zero(t, n, "each once")
		return nil
	}))
	require.Equal(t, before, stored())
}

func TestClosingDoesNotWaitLongerThanItMay(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	late, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, await(late, ended), context.Canceled)
	close(ended)
	require.NoError(t, await(t.Context(), ended))
}
