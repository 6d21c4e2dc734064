package db

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// The usual parameters of BM25.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// maxTerm is the longest term in bytes that is stored as it is.
const maxTerm = 200

// storedTerm is a term as it stands in the index; a long one (a token, a key)
// as its hash. It is "" for what cannot stand in any text.
func storedTerm(term string) string {
	if term != clean(term) {
		return ""
	}
	if len(term) <= maxTerm {
		return term
	}
	sum := sha256.Sum256([]byte(term))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// posting is where a term stands in one set of units.
type posting struct {
	term                      string
	ordinals, counts, lengths []int
}

// postingsOf inverts the terms of a set's units.
func postingsOf(units []rag.Unit, index []rag.UnitIndex) []*posting {
	byTerm := map[string]*posting{}
	for i := range units {
		counts := map[string]int{}
		for _, term := range index[i].Terms {
			if term = storedTerm(term); term != "" {
				counts[term]++
			}
		}
		length := 0
		for _, count := range counts {
			length += count
		}
		for term, count := range counts {
			p := byTerm[term]
			if p == nil {
				p = &posting{term: term}
				byTerm[term] = p
			}
			p.ordinals = append(p.ordinals, units[i].Ordinal)
			p.counts = append(p.counts, count)
			p.lengths = append(p.lengths, length)
		}
	}
	list := make([]*posting, 0, len(byTerm))
	for _, p := range byTerm {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *posting) int { return strings.Compare(a.term, b.term) })
	return list
}

// writePostings writes the postings and totals of each set of the units.
func writePostings(ctx context.Context, tx pgx.Tx, at home, units []rag.Unit, index []rag.UnitIndex) error {
	for from := 0; from < len(units); {
		to := from
		for to < len(units) && units[to].Set == units[from].Set {
			to++
		}
		if err := writePostingsOf(ctx, tx, at, units[from:to], index[from:to]); err != nil {
			return wrap(err, "write the postings of version %d, %s", at.version, units[from].Set)
		}
		from = to
	}
	return nil
}

func writePostingsOf(ctx context.Context, tx pgx.Tx, at home, units []rag.Unit, index []rag.UnitIndex) error {
	set, terms := string(units[0].Set), 0
	list := postingsOf(units, index)
	for _, p := range list {
		for _, count := range p.counts {
			terms += count
		}
	}
	_, err := tx.Exec(ctx, `
		insert into lexical_totals (version_id, unit_set, space_id, doc_type_id, units, terms)
		values (@version, @set, @space, @doc_type, @units, @terms)`,
		pgx.StrictNamedArgs{
			"version": at.version, "set": set, "space": at.space, "doc_type": at.docType,
			"units": len(units), "terms": terms,
		})
	if err != nil {
		return err
	}
	columns := []string{"term", "unit_set", "space_id", "doc_type_id", "version_id", "ordinals", "counts", "lengths"}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"postings"}, columns,
		pgx.CopyFromSlice(len(list), func(i int) ([]any, error) {
			p := list[i]
			return []any{p.term, set, at.space, at.docType, at.version, p.ordinals, p.counts, p.lengths}, nil
		}))
	return err
}

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
		// Common words have hundreds of thousands of units to add up.
		if _, err := tx.Exec(ctx, "set local work_mem = '64MB'"); err != nil {
			return err
		}
		hits, err = lexical(ctx, tx, filterArgs(scope, filter.Spaces, types, pgx.StrictNamedArgs{
			"set": clean(string(set)), "terms": asked, "n": n, "k1": bm25K1, "b": bm25B,
		}))
		return err
	})
	return hits, wrap(err, "search words in %s", set)
}

const lexicalQuery = `
	with totals as (
		select sum(units)::float8 as n, sum(terms)::float8 / nullif(sum(units), 0) as average
		from lexical_totals
		where unit_set = @set and ` + inFilter + `
	), found as materialized (
		select term, version_id, ordinals, counts, lengths
		from postings
		where term = any(@terms) and unit_set = @set and ` + inFilter + `
	), weights as (
		select term, ln(1 + (n - df + 0.5) / (df + 0.5)) as idf
		from (select term, sum(cardinality(ordinals)) as df from found group by term) as f, totals
	), best as (
		select f.version_id, p.ordinal,
		       sum(w.idf * p.count / (p.count + @k1::float8 * (1 - @b::float8 + @b * p.length / t.average))) as score
		from totals t, found f
		join weights w using (term)
		cross join lateral unnest(f.ordinals, f.counts, f.lengths) as p (ordinal, count, length)
		group by f.version_id, p.ordinal
		order by score desc, f.version_id, p.ordinal
		limit @n
	)
	select u.id as unit_id, u.version_id, t.name as doc_type, u.unit_set, u.ordinal, u.span_start, u.span_end, b.score
	from best b
	join units u on u.version_id = b.version_id and u.unit_set = @set and u.ordinal = b.ordinal
	join versions v on v.id = b.version_id and v.state = 'live'
	join doc_types t on t.id = v.doc_type_id
	order by b.score desc, u.version_id, u.ordinal`

func lexical(ctx context.Context, tx pgx.Tx, args pgx.StrictNamedArgs) ([]rag.Hit, error) {
	rows, err := tx.Query(ctx, lexicalQuery, args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (rag.Hit, error) {
		r, err := pgx.RowToStructByName[hitRow](row)
		hit := r.hit()
		hit.BM25 = r.Score
		return hit, err
	})
}
