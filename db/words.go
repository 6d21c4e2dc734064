package db

import (
	"context"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
)

// Words of other lengths, in letters, have nothing similar.
const (
	shortestWord = 4
	longestWord  = 40
)

// isWord says that a term may be misspelt or have an ending: it is of letters
// only. A number or a code that differs in one sign is another thing.
func isWord(term string) bool {
	if len(term) < shortestWord {
		return false
	}
	for _, r := range term {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	n := utf8.RuneCountInString(term)
	return shortestWord <= n && n <= longestWord
}

// writeWords adds the words that are not in the list yet. Two writers may add
// the same one: neither sees the other's, and neither waits.
func writeWords(ctx context.Context, tx pgx.Tx, words []string) error {
	slices.Sort(words)
	_, err := tx.Exec(ctx, `
		insert into lexical_words (term)
		select term from unnest(@words::text[]) as term
		where not exists (select from lexical_words w where w.term = term.term collate "C")`,
		pgx.StrictNamedArgs{"words": slices.Compact(words)})
	return err
}

// dropWords takes words out of the list that no posting holds any more. It
// waits for writers that add words, and they for it, so that no word is taken
// out that one of them has just found in the list.
func (s *Store) dropWords(ctx context.Context, words []string) error {
	words = slices.DeleteFunc(words, func(w string) bool { return !isWord(w) })
	if len(words) == 0 {
		return nil
	}
	return s.write(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "lock table lexical_words in share row exclusive mode"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			delete from lexical_words w
			where w.term = any(@words) and not exists (select from postings p where p.term = w.term)`,
			pgx.StrictNamedArgs{"words": words})
		return err
	})
}
