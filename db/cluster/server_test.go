package cluster

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"passage/rag"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		number        int
		made, offered string
		may           bool
		want          Server
		says          string // part of the message; "" for success
	}{
		"made":                      {180006, "0.8.7", "0.8.7", false, Server{18, "0.8.7", true}, ""},
		"makeable":                  {170004, "", "0.8.0", true, Server{17, "0.8.0", false}, ""},
		"made, package gone":        {160001, "0.8.3", "", false, Server{16, "0.8.3", true}, ""},
		"old server":                {140010, "0.8.7", "0.8.7", true, Server{}, "PostgreSQL 14"},
		"no pgvector":               {180006, "", "", true, Server{}, "postgresql-18-pgvector"},
		"old pgvector":              {180006, "", "0.7.4", true, Server{}, "pgvector 0.7.4"},
		"old pgvector, made":        {180006, "0.5.1", "0.7.4", true, Server{}, "pgvector 0.5.1"},
		"made before an update":     {180006, "0.7.4", "0.8.7", true, Server{}, "alter extension vector update"},
		"may not make it":           {180006, "", "0.8.7", false, Server{}, "create extension vector"},
		"old pgvector, may not, no": {180006, "", "0.6.0", false, Server{}, "pgvector 0.6.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := judge(c.number, c.made, c.offered, c.may)
			if c.says == "" {
				require.NoError(t, err)
				require.Equal(t, c.want, got)
				return
			}
			require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
			require.Contains(t, rag.ErrorMessage(err), c.says)
		})
	}
}

func TestCheckServerReadsARealOne(t *testing.T) {
	t.Parallel()
	c := start(t, seeded(t))
	b := binaries(t)
	conn, err := pgx.Connect(t.Context(), c.DSN(""))
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	want := Server{Major: b.Major, Vector: b.Vector, ParallelHNSW: b.parallelHNSW()}

	got, err := CheckServer(t.Context(), conn)
	require.NoError(t, err)
	require.Equal(t, want, got, "before the extension is made")

	_, err = conn.Exec(t.Context(), "create extension vector")
	require.NoError(t, err)
	got, err = CheckServer(t.Context(), conn)
	require.NoError(t, err)
	require.Equal(t, want, got, "after")

	_, err = conn.Exec(t.Context(), "drop extension vector; create role guest; set role guest")
	require.NoError(t, err)
	_, err = CheckServer(t.Context(), conn)
	require.Contains(t, rag.ErrorMessage(err), "create extension vector", "a role without rights")

	require.NoError(t, conn.Close(t.Context()))
	_, err = CheckServer(t.Context(), conn)
	require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
}
