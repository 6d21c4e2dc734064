package db

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// The usual parameters of BM25.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// Lexical finds the n units of a set with the highest BM25 for the terms, best
// first; units that hold none of them are not found. Any term may be asked for,
// and a term that is asked for twice counts once.
//
// The score is that of Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond" (2009), eq. 3.15, with the inverse document
// frequency ln(1 + (N − df + 0.5) / (df + 0.5)) that Lucene's BM25Similarity
// uses so that no weight is negative:
//
//	Σ idf · tf / (tf + k1 · (1 − b + b · length / average length))
//
// N, df and the average length are those of the units that scope and filter
// leave, so a score depends on nothing that the asker may not read.
func (s *Store) Lexical(ctx context.Context, scope rag.Scope, filter rag.Filter, set rag.UnitSet, terms []string, n int) ([]rag.Hit, error) {
	asked := make([]string, 0, len(terms))
	for _, term := range terms {
		if term = storedTerm(term); term != "" {
			asked = append(asked, term)
		}
	}
	if n <= 0 || len(asked) == 0 {
		return nil, nil
	}
	var hits []rag.Hit
	err := s.read(ctx, func(tx pgx.Tx) error {
		types, err := docTypeIDs(ctx, tx, filter.DocTypes)
		if err != nil {
			return err
		}
		q := lexicalQuery{scope: scope, spaces: filter.Spaces, types: types, set: clean(string(set)), terms: asked}
		hits, err = q.search(ctx, tx, n)
		return err
	})
	return hits, wrap(err, "search words in %s", set)
}

// lexicalQuery is a search in the postings of one unit set.
type lexicalQuery struct {
	scope         rag.Scope
	spaces, types []int64
	set           string
	terms         []string
}

func (q lexicalQuery) args(more pgx.StrictNamedArgs) pgx.StrictNamedArgs {
	more["set"] = q.set
	return filterArgs(q.scope, q.spaces, q.types, more)
}

// place is a unit by its place in the set.
type place struct {
	version int64
	ordinal int32
}

type scoredPlace struct {
	place
	score float64
}

// search adds up here and not in SQL, where the same sums over the postings of
// common words take several times as long and keep the database busy.
func (q lexicalQuery) search(ctx context.Context, tx pgx.Tx, n int) ([]rag.Hit, error) {
	weights, average, err := q.weigh(ctx, tx)
	if err != nil || len(weights) == 0 {
		return nil, err
	}
	scores, err := q.score(ctx, tx, weights, average)
	if err != nil {
		return nil, err
	}
	return q.complete(ctx, tx, highest(scores, n))
}

// weigh gives the inverse document frequency of each term that occurs, and the
// average length of a unit.
func (q lexicalQuery) weigh(ctx context.Context, tx pgx.Tx) (weights map[string]float64, average float64, err error) {
	var units, length float64
	err = tx.QueryRow(ctx, `
		select coalesce(sum(units), 0)::float8, coalesce(sum(terms), 0)::float8
		from lexical_totals
		where unit_set = @set and `+inFilter, q.args(pgx.StrictNamedArgs{})).Scan(&units, &length)
	if err != nil {
		return nil, 0, wrap(err, "count units")
	}
	rows, err := tx.Query(ctx, `
		select term, sum(cardinality(ordinals))::float8
		from postings
		where term = any(@terms) and unit_set = @set and `+inFilter+`
		group by term`, q.args(pgx.StrictNamedArgs{"terms": q.terms}))
	if err != nil {
		return nil, 0, wrap(err, "count units with the terms")
	}
	weights = map[string]float64{}
	var term string
	var df float64
	_, err = pgx.ForEachRow(rows, []any{&term, &df}, func() error {
		weights[term] = math.Log(1 + (units-df+0.5)/(df+0.5))
		return nil
	})
	return weights, length / units, wrap(err, "count units with the terms")
}

// score adds up the scores of all units that hold a term. The order makes the
// sums the same to the last bit each time.
func (q lexicalQuery) score(ctx context.Context, tx pgx.Tx, weights map[string]float64, average float64) (map[place]float64, error) {
	rows, err := tx.Query(ctx, `
		select term, version_id, ordinals, counts, lengths
		from postings
		where term = any(@terms) and unit_set = @set and `+inFilter+`
		order by term`, q.args(pgx.StrictNamedArgs{"terms": q.terms}))
	if err != nil {
		return nil, wrap(err, "read postings")
	}
	scores := map[place]float64{}
	var (
		term                      string
		version                   int64
		ordinals, counts, lengths []int32
	)
	_, err = pgx.ForEachRow(rows, []any{&term, &version, &ordinals, &counts, &lengths}, func() error {
		weight := weights[term]
		for i, ordinal := range ordinals {
			tf := float64(counts[i])
			scores[place{version, ordinal}] += weight * tf / (tf + bm25K1*(1-bm25B+bm25B*float64(lengths[i])/average))
		}
		return nil
	})
	return scores, wrap(err, "read postings")
}

// highest gives the n highest scores, highest first; equal ones in the order of
// their places.
func highest(scores map[place]float64, n int) []scoredPlace {
	order := func(a, b scoredPlace) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.version, b.version), cmp.Compare(a.ordinal, b.ordinal))
	}
	best := make([]scoredPlace, 0, min(2*n, len(scores)))
	least := math.Inf(-1)
	for at, score := range scores {
		if score < least {
			continue
		}
		best = append(best, scoredPlace{at, score})
		if len(best) == 2*n {
			slices.SortFunc(best, order)
			best = best[:n]
			least = best[n-1].score
		}
	}
	slices.SortFunc(best, order)
	return best[:min(n, len(best))]
}

// complete reads what the best places hold, in their order.
func (q lexicalQuery) complete(ctx context.Context, tx pgx.Tx, best []scoredPlace) ([]rag.Hit, error) {
	versions, ordinals, scores := make([]int64, len(best)), make([]int32, len(best)), make([]float64, len(best))
	for i, b := range best {
		versions[i], ordinals[i], scores[i] = b.version, b.ordinal, b.score
	}
	rows, err := tx.Query(ctx, `
		select u.id as unit_id, u.version_id, t.name as doc_type, u.unit_set, u.ordinal, u.span_start, u.span_end, b.score
		from unnest(@versions::bigint[], @ordinals::int[], @scores::float8[])
		     with ordinality as b (version_id, ordinal, score, rank)
		join units u on u.version_id = b.version_id and u.unit_set = @set and u.ordinal = b.ordinal
		join versions v on v.id = b.version_id and v.state = 'live'
		join doc_types t on t.id = v.doc_type_id
		order by b.rank`,
		pgx.StrictNamedArgs{"versions": versions, "ordinals": ordinals, "scores": scores, "set": q.set})
	if err != nil {
		return nil, wrap(err, "read units")
	}
	hits, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (rag.Hit, error) {
		r, err := pgx.RowToStructByName[hitRow](row)
		hit := r.hit()
		hit.BM25 = r.Score
		return hit, err
	})
	return hits, wrap(err, "read units")
}
