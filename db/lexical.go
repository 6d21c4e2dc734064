package db

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

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
	weighted := make([]rag.SearchTerm, len(terms))
	for i, term := range terms {
		weighted[i] = rag.SearchTerm{Term: term, Weight: 1}
	}
	return s.LexicalWeighted(ctx, scope, filter, set, weighted, n)
}

// LexicalWeighted is Lexical with a share of each term's weight: its part of
// the sum is multiplied by it. A term without a weight above 0 is not asked
// for; of one that is asked for twice the higher weight counts.
func (s *Store) LexicalWeighted(ctx context.Context, scope rag.Scope, filter rag.Filter, set rag.UnitSet, terms []rag.SearchTerm, n int) ([]rag.Hit, error) {
	shares := map[string]float64{}
	for _, t := range terms {
		if term := storedTerm(t.Term); term != "" && t.Weight > 0 {
			shares[term] = max(shares[term], t.Weight)
		}
	}
	if n <= 0 || len(shares) == 0 {
		return nil, nil
	}
	var hits []rag.Hit
	err := s.read(ctx, func(tx pgx.Tx) error {
		q := newLexicalQuery(scope, filter, set)
		best, err := q.search(ctx, tx, shares, n)
		if err != nil || len(best) == 0 {
			return err
		}
		hits, err = q.complete(ctx, tx, best)
		return err
	})
	return hits, wrap(err, "search words in %s", set)
}

// lexicalQuery is a search in the postings of one unit set.
type lexicalQuery struct {
	scope  rag.Scope
	spaces []int64
	types  []string
	set    string
}

func newLexicalQuery(scope rag.Scope, filter rag.Filter, set rag.UnitSet) lexicalQuery {
	q := lexicalQuery{scope: scope, spaces: filter.Spaces, set: clean(string(set))}
	if filter.DocTypes != nil {
		q.types = cleanAll(filter.DocTypes)
	}
	return q
}

func (q lexicalQuery) args(more pgx.StrictNamedArgs) pgx.StrictNamedArgs {
	more["set"], more["spaces"], more["types"] = q.set, q.spaces, q.types
	return scopeArgs(q.scope, more)
}

// groupsLeft are the groups that scope and filter leave.
const groupsLeft = `
	select id from lexical_groups
	where unit_set = @set
	  and (@all_spaces or space_id = any(@scope_spaces))
	  and (@spaces::bigint[] is null or space_id = any(@spaces))
	  and (@types::text[] is null or doc_type_id in (select id from doc_types where name = any(@types)))`

// totalsQuery counts the units of the groups and their terms.
const totalsQuery = `
	select coalesce(sum(units), 0)::float8, coalesce(sum(terms), 0)::float8
	from (
		select units, terms from lexical_groups where id in (` + groupsLeft + `)
		union all
		select units, terms from lexical_journal where group_id in (` + groupsLeft + `)
	) as counted`

// search adds up here and not in SQL, where the same sums over the postings of
// common words take many times as long and keep the database busy.
func (q lexicalQuery) search(ctx context.Context, tx pgx.Tx, shares map[string]float64, n int) ([]scoredPlace, error) {
	terms := make([]string, 0, len(shares))
	for term := range shares {
		terms = append(terms, term)
	}
	// The order makes the sums the same to the last bit each time.
	slices.Sort(terms)

	batch := &pgx.Batch{}
	batch.Queue(totalsQuery, q.args(pgx.StrictNamedArgs{}))
	batch.Queue(`
		select term, first, n, body
		from postings
		where term = any(@terms) and group_id = any(array(`+groupsLeft+`))`,
		q.args(pgx.StrictNamedArgs{"terms": terms}))
	results := tx.SendBatch(ctx, batch)
	best, err := rank(results, terms, shares, n)
	if closed := results.Close(); err == nil {
		err = closed
	}
	return best, wrap(err, "read postings")
}

// rank reads the results of both queries and scores.
func rank(results pgx.BatchResults, terms []string, shares map[string]float64, n int) ([]scoredPlace, error) {
	var units, length float64
	if err := results.QueryRow().Scan(&units, &length); err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err != nil {
		return nil, err
	}
	s := newScorer(len(terms))
	defer s.release()
	if err := s.read(rows, terms); err != nil || units == 0 {
		return nil, err
	}
	s.begin(units, length)
	for i, term := range terms {
		if df := s.lists[i].held; df > 0 {
			if err := s.add(i, shares[term]*idf(units, float64(df))); err != nil {
				return nil, err
			}
		}
	}
	return s.highest(n), nil
}

// read keeps the rows of each term; they come in any order.
func (s *scorer) read(rows pgx.Rows, terms []string) error {
	var (
		term  string
		first int64
		n     int
		body  pgtype.DriverBytes // valid until the next row
	)
	_, err := pgx.ForEachRow(rows, []any{&term, &first, &n, &body}, func() error {
		i, found := slices.BinarySearchFunc(terms, term, strings.Compare)
		if found {
			s.keep(i, first, n, body)
		}
		return nil
	})
	return err
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
