package db

import (
	"context"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// Weights gives for each of the terms, in their order, in how many units of the
// set it stands, and its inverse document frequency, the one that Lexical uses;
// both among what scope and filter leave. The sum of the frequencies is what a
// unit's BM25 comes near to when it holds all terms.
func (s *Store) Weights(ctx context.Context, scope rag.Scope, filter rag.Filter, set rag.UnitSet, terms []string) ([]rag.TermWeight, error) {
	stored := make([]string, len(terms))
	for i, t := range terms {
		stored[i] = storedTerm(t)
	}
	var units float64
	var holding map[string]int
	err := s.read(ctx, func(tx pgx.Tx) error {
		q := newLexicalQuery(scope, filter, set)
		batch := &pgx.Batch{}
		batch.Queue(totalsQuery, q.args(pgx.StrictNamedArgs{}))
		batch.Queue(`
			select term, sum(n)::int
			from postings
			where term = any(@terms) and group_id = any(array(`+groupsLeft+`))
			group by term`, q.args(pgx.StrictNamedArgs{"terms": stored}))
		results := tx.SendBatch(ctx, batch)
		err := results.QueryRow().Scan(&units, nil)
		if err == nil {
			holding, err = countedTerms(results.Query())
		}
		if closed := results.Close(); err == nil {
			err = closed
		}
		return err
	})
	weights := make([]rag.TermWeight, len(terms))
	for i, t := range terms {
		n := holding[stored[i]]
		weights[i] = rag.TermWeight{Term: t, Units: n, Of: int(units), IDF: idf(units, float64(n))}
	}
	return weights, wrap(err, "weigh words in %s", set)
}

func countedTerms(rows pgx.Rows, err error) (map[string]int, error) {
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
