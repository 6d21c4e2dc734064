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
