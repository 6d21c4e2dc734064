package main

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/db"
	"passage/rag"
)

// T34: what `web split` shows of a file is what an ingest stores of it.
func TestSplitShowsWhatIsStored(t *testing.T) {
	t.Parallel()
	environ := empty(t)
	const dir = "../../examples/runbooks"
	must(t, environ, "ingest", "--quiet", "--root", dir, dir)
	shown := map[string][]procedureLine{}
	for line := range strings.Lines(must(t, environ, "split", "--procedures", dir)) {
		var p procedureLine
		require.NoError(t, json.Unmarshal([]byte(line), &p))
		shown[p.DocID] = append(shown[p.DocID], p)
	}

	dsn := strings.TrimPrefix(environ[0], "DATABASE_URL=")
	store, err := db.Open(t.Context(), dsn, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(store.Close)
	scope := rag.Scope{All: true}
	docs, total, err := store.Documents(t.Context(), scope, rag.DocumentFilter{Limit: 200})
	require.NoError(t, err)
	require.Len(t, docs, total)
	procedures := 0
	for _, d := range docs {
		r, err := store.Reading(t.Context(), scope, d.ID, 0)
		require.NoError(t, err)
		points := newCodePoints(r.Text)
		var stored []procedureLine
		for _, p := range r.Outline.Procedures {
			line := procedureLine{DocID: d.SourceURI, Start: points.at(p.Span.Start), End: points.at(p.Span.End)}
			for _, s := range p.Steps {
				line.Steps = append(line.Steps, points.span(s.Span))
			}
			stored = append(stored, line)
		}
		require.Equal(t, stored, shown[d.SourceURI], d.SourceURI)
		procedures += len(stored)
	}
	require.Greater(t, procedures, 5)
}
