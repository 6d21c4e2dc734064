package db

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// The shape of an HNSW graph. With an ef_construction of 128 a search of equal
// width missed three times as many of the nearest as with 256, on questions that
// are not near to any text; building takes about half as long again.
const (
	hnswLinks          = 16
	hnswEfConstruction = 256
)

// hnswPrefix begins the name of every HNSW index; the ids of its vector index,
// space and document type follow.
const hnswPrefix = "embeddings_hnsw_"

// hnswIndexes lists the HNSW indexes. One that is being built, or whose
// building was broken off, is not valid.
var hnswIndexes = fmt.Sprintf(`
	select c.relname::text as name, i.indisvalid as valid,
	       coalesce(c.reloptions @> '{m=%d,ef_construction=%d}', false) as current
	from pg_index i
	join pg_class c on c.oid = i.indexrelid
	where i.indrelid = 'embeddings'::regclass and starts_with(c.relname, '%s')
	order by c.relname`, hnswLinks, hnswEfConstruction, hnswPrefix)

// hnswIndex is the HNSW index of a part of a vector index.
type hnswIndex struct {
	index int
	part
	valid   bool
	current bool // has the shape that is built now
}

func (x hnswIndex) name() string {
	name := hnswPrefix + strconv.Itoa(x.index)
	switch {
	case x.docType != 0:
		name += fmt.Sprintf("_%d_%d", x.space, x.docType)
	case x.space != 0:
		name += fmt.Sprintf("_%d", x.space)
	}
	return name
}

// parseHNSW reads a name back; ok is false for one that somebody else gave.
func parseHNSW(name string) (x hnswIndex, ok bool) {
	ids := strings.Split(strings.TrimPrefix(name, hnswPrefix), "_")
	numbers := make([]int64, 3)
	if len(ids) > len(numbers) {
		return x, false
	}
	for i, id := range ids {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return x, false
		}
		numbers[i] = n
	}
	x = hnswIndex{index: int(numbers[0]), part: part{space: numbers[1], docType: numbers[2]}}
	return x, x.name() == name
}

func collectIndexes(rows pgx.Rows) ([]hnswIndex, error) {
	var list []hnswIndex
	var name string
	var valid, current bool
	_, err := pgx.ForEachRow(rows, []any{&name, &valid, &current}, func() error {
		if x, ok := parseHNSW(name); ok {
			x.valid, x.current = valid, current
			list = append(list, x)
		}
		return nil
	})
	return list, err
}

// statement defines the index. It is formatted from whole numbers only: a
// statement that defines something takes no parameters.
func (x hnswIndex) statement(dimension int) string {
	where := fmt.Sprintf("index_id = %d", x.index)
	if x.space != 0 {
		where += fmt.Sprintf(" and space_id = %d", x.space)
	}
	if x.docType != 0 {
		where += fmt.Sprintf(" and doc_type_id = %d", x.docType)
	}
	return fmt.Sprintf(`
		create index concurrently %s on embeddings
		using hnsw ((embedding::halfvec(%d)) halfvec_cosine_ops)
		with (m = %d, ef_construction = %d)
		where %s`, x.name(), dimension, hnswLinks, hnswEfConstruction, where)
}
