package db

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// writePostings writes the postings and totals of each set of the units. They
// are fresh rows: nothing that another writer holds is touched, see
// MergePostings.
func writePostings(ctx context.Context, tx pgx.Tx, at home, units []rag.Unit, index []rag.UnitIndex) error {
	groups, err := lexicalGroups(ctx, tx, at)
	if err != nil {
		return err
	}
	var words []string
	for from, to := range sameSet(units) {
		set := units[from].Set
		if groups[set] == 0 {
			return fmt.Errorf("no group of postings for %s in space %d", set, at.space)
		}
		list := postingsOf(units[from:to], index[from:to])
		if err := writePostingsOf(ctx, tx, at, set, groups[set], to-from, list); err != nil {
			return wrap(err, "write the postings of version %d, %s", at.version, set)
		}
		for _, p := range list {
			if isWord(p.term) {
				words = append(words, p.term)
			}
		}
	}
	return wrap(writeWords(ctx, tx, words), "write the words of version %d", at.version)
}

// Where units will stand, before a transaction knows.
const (
	homeOfNew     = "select s.id as space_id, t.id as doc_type_id from spaces s cross join doc_types t where s.id = @space and t.name = @doc_type"
	homeOfVersion = "select d.space_id, v.doc_type_id from versions v join documents d on d.id = v.document_id where v.id = @version"
)

// makeGroups makes the groups of postings that are missing, and commits: writers
// that hold other locks must not wait for each other's new groups.
func (s *Store) makeGroups(ctx context.Context, sets []rag.UnitSet, home string, args pgx.StrictNamedArgs) error {
	args["sets"] = sets
	_, err := s.pool.Exec(ctx, `
		insert into lexical_groups (unit_set, space_id, doc_type_id)
		select s.unit_set, home.space_id, home.doc_type_id
		from unnest(@sets::text[]) as s (unit_set)
		cross join (`+home+`) home
		where not exists (
			select from lexical_groups g
			where g.unit_set = s.unit_set and g.space_id = home.space_id and g.doc_type_id = home.doc_type_id)
		on conflict do nothing`, args)
	return wrap(err, "make groups of postings")
}

// lexicalGroups gives the group of each set.
func lexicalGroups(ctx context.Context, tx pgx.Tx, at home) (map[rag.UnitSet]int32, error) {
	rows, err := tx.Query(ctx, "select unit_set, id from lexical_groups where space_id = @space and doc_type_id = @doc_type",
		pgx.StrictNamedArgs{"space": at.space, "doc_type": at.docType})
	if err != nil {
		return nil, wrap(err, "find groups of postings")
	}
	groups := map[rag.UnitSet]int32{}
	var set rag.UnitSet
	var id int32
	_, err = pgx.ForEachRow(rows, []any{&set, &id}, func() error {
		groups[set] = id
		return nil
	})
	return groups, wrap(err, "find groups of postings")
}

func writePostingsOf(ctx context.Context, tx pgx.Tx, at home, set rag.UnitSet, group int32, units int, list []*posting) error {
	terms := 0
	words, held := make([]string, len(list)), make([]int, len(list))
	for i, p := range list {
		words[i], held[i] = p.term, len(p.ordinals)
		for _, count := range p.counts {
			terms += count
		}
	}
	_, err := tx.Exec(ctx, `
		with totals as (
			insert into lexical_totals (version_id, unit_set, space_id, doc_type_id, units, terms, words, held)
			values (@version, @set, @space, @doc_type, @units, @terms, @words, @held)
		)
		insert into lexical_journal (group_id, version_id, units, terms, entries)
		values (@group, @version, @units, @terms, @entries)`,
		pgx.StrictNamedArgs{
			"version": at.version, "set": string(set), "space": at.space, "doc_type": at.docType,
			"units": units, "terms": terms, "words": words, "held": held, "group": group, "entries": len(list),
		})
	if err != nil {
		return err
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"postings"}, postingColumns,
		pgx.CopyFromSlice(len(list), func(i int) ([]any, error) {
			p := list[i]
			return []any{at.version, at.version, group, len(p.ordinals), true, p.term, p.encode(units)}, nil
		}))
	return err
}

var postingColumns = []string{"first", "last", "group_id", "n", "fresh", "term", "body"}
