package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"
	"github.com/stretchr/testify/require"

	"passage/rag"
)

// synthetic is a body of documents whose vectors are those of a cloud.
type synthetic struct {
	dimension, topics int
	units             int // in all, about
	longest           int // document, in units; the shortest has a ninth
	spaces            []syntheticSpace
	types             []syntheticType
}

// syntheticSpace holds a share of all units. A gathered one holds the documents
// of topics of its own, any other those of all topics that are left.
type syntheticSpace struct {
	name     string
	share    float64
	gathered bool
}

type syntheticType struct {
	name  string
	share float64
}

// syntheticDoc is a document to be written.
type syntheticDoc struct {
	space, docType int64
	topic          int
	units          int
}

// documents deals units out to spaces and types. Topics lie in a row, so that
// a gathered space gets whole ones until its share is full.
func (s synthetic) documents(r *rand.Rand, spaces, types []int64) []syntheticDoc {
	var docs []syntheticDoc
	topicOf := func() int { return r.IntN(s.topics) }
	next := 0
	for i, space := range s.spaces {
		left := int(space.share * float64(s.units))
		first, count := next, max(int(space.share*float64(s.topics)), 1)
		pick := topicOf
		if space.gathered {
			next += count
			pick = func() int { return (first + r.IntN(count)) % s.topics }
		}
		for left > 0 {
			n := min(s.longest/9+r.IntN(s.longest*8/9), left)
			left -= n
			docs = append(docs, syntheticDoc{space: spaces[i], docType: types[s.typeOf(r)], topic: pick(), units: n})
		}
	}
	r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	return docs
}

func (s synthetic) typeOf(r *rand.Rand) int {
	at := r.Float64()
	for i, t := range s.types {
		if at -= t.share; at < 0 {
			return i
		}
	}
	return len(s.types) - 1
}

// load writes the documents behind the store's back: through PutVersion a
// million units would take hours.
func (s synthetic) load(ctx context.Context, tb testing.TB, pool *pgxpool.Pool, c *cloud) {
	tb.Helper()
	spaces, types := make([]int64, len(s.spaces)), make([]int64, len(s.types))
	for i, space := range s.spaces {
		require.NoError(tb, pool.QueryRow(ctx, "insert into spaces (name) values ($1) returning id", space.name).Scan(&spaces[i]))
	}
	for i, t := range s.types {
		require.NoError(tb, pool.QueryRow(ctx, `
			insert into doc_types (name, label, strategy) values ($1, $1, '{"kind": "sentence_window"}')
			on conflict (name) do update set label = excluded.label returning id`, t.name).Scan(&types[i]))
	}
	var index int
	require.NoError(tb, pool.QueryRow(ctx, "insert into vector_indexes (embedder, unit_set, dimension) values ($1, $2, $3) returning id",
		embedder, string(rag.SentenceSet), s.dimension).Scan(&index))
	docs := s.documents(c.rand, spaces, types)
	for from := 0; from < len(docs); from += 200 {
		s.write(ctx, tb, pool, c, index, from, docs[from:min(from+200, len(docs))])
	}
	_, err := pool.Exec(ctx, "analyze")
	require.NoError(tb, err)
}

// write copies documents of one section; ids are counted from first.
func (s synthetic) write(ctx context.Context, tb testing.TB, pool *pgxpool.Pool, c *cloud, index, first int, docs []syntheticDoc) {
	tb.Helper()
	var documents, versions, sections, units, vectors [][]any
	for i, d := range docs {
		id := int64(first + i + 1)
		body := "."
		documents = append(documents, []any{id, d.space, d.docType, strconv.FormatInt(id, 10), "Title"})
		versions = append(versions, []any{id, id, 1, "live", make([]byte, 32), d.docType, "Title", body, 1, "x", "x", embedder})
		sections = append(sections, []any{id, 0, 0, "", []string{}, 0, 1, 1, 1, body})
		center := c.document(d.topic)
		for n := range d.units {
			unit := id*1000 + int64(n)
			units = append(units, []any{unit, id, string(rag.SentenceSet), n, "sentence", 0, 1, 0, 0, make([]byte, 32)})
			vectors = append(vectors, []any{unit, index, id, d.space, d.docType, pgvector.NewHalfVector(c.sentence(d.topic, center))})
		}
	}
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		for _, table := range []struct {
			name    string
			columns []string
			rows    [][]any
		}{
			{"documents", []string{"id", "space_id", "doc_type_id", "source_uri", "title"}, documents},
			{"versions", []string{"id", "document_id", "ordinal", "state", "content_hash", "doc_type_id", "title", "body", "body_bytes", "extractor", "splitter", "embedder"}, versions},
			{"sections", []string{"version_id", "ordinal", "level", "heading", "heading_path", "span_start", "span_end", "tree_end", "token_count", "content"}, sections},
			{"units", []string{"id", "version_id", "unit_set", "ordinal", "kind", "span_start", "span_end", "section", "paragraph", "embed_text_hash"}, units},
			{"embeddings", []string{"unit_id", "index_id", "version_id", "space_id", "doc_type_id", "embedding"}, vectors},
		} {
			if _, err := tx.CopyFrom(ctx, pgx.Identifier{table.name}, table.columns, pgx.CopyFromRows(table.rows)); err != nil {
				return fmt.Errorf("%s: %w", table.name, err)
			}
		}
		return nil
	})
	require.NoError(tb, err)
}
