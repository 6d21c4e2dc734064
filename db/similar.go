package db

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// Which words may stand in for one that is not there. The first limit is what
// the index looks for, in shared trigrams; the second is what a word must reach
// that is neither a slip of the keys away nor begins alike to the end.
const (
	trigramLimit  = "0.3"
	enoughAlike   = 0.5
	sharedStart   = 6 // letters of the shorter word, when the longer one begins with it
	mostSimilar   = 3 // given per term
	mostCompared  = 100
	mostAskedOnce = 16 // terms; what follows in a longer list has nothing similar
)

// SimilarTerms gives for terms that no unit holds the words that may stand in
// for them, the most similar first and at most three: another ending, a part of
// a compound, a letter too many. Only words of 4 to 40 letters have any, never
// numbers and codes, since a code that differs in one sign is another thing.
// Every word that is given stands in units that scope and filter leave, so
// nobody learns a word of a document that he may not read. Terms without a
// similar word are not in the map.
func (s *Store) SimilarTerms(ctx context.Context, scope rag.Scope, filter rag.Filter, set rag.UnitSet, terms []string) (map[string][]rag.SimilarTerm, error) {
	var words []string
	for _, t := range terms {
		if isWord(t) && t == clean(t) && !slices.Contains(words, t) && len(words) < mostAskedOnce {
			words = append(words, t)
		}
	}
	similar := map[string][]rag.SimilarTerm{}
	if len(words) == 0 {
		return similar, nil
	}
	err := s.read(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "select set_config('pg_trgm.similarity_threshold', @limit, true)",
			pgx.StrictNamedArgs{"limit": trigramLimit})
		if err != nil {
			return err
		}
		rows, err := newLexicalQuery(scope, filter, set).like(ctx, tx, words)
		if err != nil {
			return err
		}
		var word string
		var like rag.SimilarTerm
		_, err = pgx.ForEachRow(rows, []any{&word, &like.Term, &like.Similarity, &like.Units}, func() error {
			if like.Similarity = likeness(word, like.Term, like.Similarity); like.Similarity > 0 {
				similar[word] = append(similar[word], like)
			}
			return nil
		})
		return err
	})
	for word, list := range similar {
		slices.SortFunc(list, func(a, b rag.SimilarTerm) int {
			return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.Units, a.Units), strings.Compare(a.Term, b.Term))
		})
		similar[word] = list[:min(len(list), mostSimilar)]
	}
	return similar, wrap(err, "look for similar words in %s", set)
}

// like reads the words that share trigrams with each of the words and stand in
// some unit that the filter leaves.
func (q lexicalQuery) like(ctx context.Context, tx pgx.Tx, words []string) (pgx.Rows, error) {
	return tx.Query(ctx, `
		select asked.word, l.term, l.alike, l.units
		from unnest(@words::text[]) as asked (word)
		cross join lateral (
			select distinct w.term, similarity(w.term, asked.word)::float8 as alike, held.units
			from lexical_words w
			cross join lateral (
				select coalesce(sum(p.n), 0)::int as units
				from postings p
				where p.term = w.term and p.group_id = any(array(`+groupsLeft+`))
			) held
			where w.term % asked.word and w.term <> asked.word and held.units > 0
			order by alike desc, w.term
			limit @most
		) l`, q.args(pgx.StrictNamedArgs{"words": words, "most": mostCompared}))
}

// likeness is how similar two words are that share trigrams; 0 if one must not
// stand in for the other. Letters that changed places break three trigrams, so
// slips are counted too.
func likeness(asked, found string, trigrams float64) float64 {
	short, long := min(utf8.RuneCountInString(asked), utf8.RuneCountInString(found)), max(utf8.RuneCountInString(asked), utf8.RuneCountInString(found))
	allowed := 0
	switch {
	case short >= 8:
		allowed = 2
	case short >= 5:
		allowed = 1
	}
	best := 0.0
	if trigrams >= enoughAlike {
		best = trigrams
	}
	if short >= sharedStart && (strings.HasPrefix(asked, found) || strings.HasPrefix(found, asked)) {
		best = max(best, float64(short)/float64(long))
	}
	if n := slips(asked, found); n <= allowed {
		best = max(best, 1-float64(n)/float64(long))
	}
	return best
}

// slips counts the letters that were added, left out, replaced, or swapped with
// the next (optimal string alignment).
func slips(from, to string) int {
	a, b := []rune(from), []rune(to)
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, old, row = old, row, older
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
