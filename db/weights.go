package db

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// Weights gives for each of the terms, in their order, in how many units of the
// set it stands, and its inverse document frequency, the one that Lexical uses;
// both among what scope and filter leave. The sum of the frequencies is what a
// unit's BM25 comes near to when it holds all terms.
func (s *Store) Weights(ctx context.Context, scope rag.Scope, filter rag.Filter, set rag.UnitSet, terms []string) ([]rag.TermWeight, error) {
	weights := make([]rag.TermWeight, len(terms))
	stored := make([]string, len(terms))
	for i, t := range terms {
		weights[i].Term, stored[i] = t, storedTerm(t)
	}
	err := s.read(ctx, func(tx pgx.Tx) error {
		types, err := docTypeIDs(ctx, tx, filter.DocTypes)
		if err != nil {
			return err
		}
		q := lexicalQuery{scope: scope, spaces: filter.Spaces, types: types, set: clean(string(set)), terms: stored}
		var units int
		err = tx.QueryRow(ctx, "select coalesce(sum(units), 0) from lexical_totals where unit_set = @set and "+inFilter,
			q.args(pgx.StrictNamedArgs{})).Scan(&units)
		if err != nil {
			return err
		}
		holding, err := q.holding(ctx, tx)
		for i := range weights {
			df := float64(holding[stored[i]])
			weights[i].Units = holding[stored[i]]
			weights[i].IDF = math.Log(1 + (float64(units)-df+0.5)/(df+0.5))
		}
		return err
	})
	return weights, wrap(err, "weigh words in %s", set)
}

// holding counts the units that hold each term.
func (q lexicalQuery) holding(ctx context.Context, tx pgx.Tx) (map[string]int, error) {
	rows, err := tx.Query(ctx, `
		select term, sum(cardinality(ordinals))::int
		from postings
		where unit_set = @set and term = any(@terms) and `+inFilter+`
		group by term`, q.args(pgx.StrictNamedArgs{"terms": q.terms}))
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	var term string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&term, &n}, func() error {
		counts[term] = n
		return nil
	})
	return counts, err
}
