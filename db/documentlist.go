package db

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// maxPage is the most documents of one page of a list.
const maxPage = 200

// documentOrder is what a list is sorted by: an expression that an index holds,
// and the same of the key of a rag.DocumentPlace, which read makes a value of.
type documentOrder struct {
	expression, key string
	read            func(key string) (any, error)
	falling         bool
}

var byTitle = documentOrder{
	expression: "lower(left(d.title, 200))", key: "lower(left(@key::text, 200))",
	read: func(key string) (any, error) { return clean(key), nil },
}

var documentOrders = map[rag.DocumentOrder]documentOrder{
	"":          byTitle,
	rag.ByTitle: byTitle,
	rag.ByChange: {
		expression: "d.changed_at", key: "@key::timestamptz", falling: true,
		read: func(key string) (any, error) { return time.Parse(time.RFC3339Nano, key) },
	},
	rag.ByReview: {
		expression: "coalesce(d.review_due, 'infinity'::date)", key: "coalesce(@key::date, 'infinity'::date)",
		read: func(key string) (any, error) {
			if key == "" {
				return nil, nil //nolint:nilnil // no date is a place too
			}
			return time.Parse(time.DateOnly, key)
		},
	},
}

// documentFilter is the condition of a list of documents. Every word must stand
// in the title or the source URI: an index finds the longest, what it leaves is
// looked through for the others.
const documentFilter = `
	where (@all_spaces or d.space_id = any(@scope_spaces))
	  and (@spaces::bigint[] is null or d.space_id = any(@spaces))
	  and (@doc_types::bigint[] is null or d.doc_type_id = any(@doc_types))
	  and (@state = '' or (@state = 'stale') = (d.superseded_by <> '' or coalesce(d.review_due < current_date, false)))
	  and (@like::text is null or lower(d.title || ' ' || d.source_uri) like lower(@like))
	  and (@words::text[] is null or not exists (
	      select from unnest(@words) as word
	      where strpos(lower(d.title || ' ' || d.source_uri), lower(word)) = 0))`

// Documents lists a page of documents in an order, and counts all that the
// filter leaves. Errors: CodeInvalid for a limit outside 1–200, and for an order,
// a state or a place that does not exist.
func (s *Store) Documents(ctx context.Context, scope rag.Scope, filter rag.DocumentFilter) ([]rag.Document, int, error) {
	if filter.Limit < 1 || filter.Limit > maxPage {
		return nil, 0, rag.Errorf(rag.CodeInvalid, "A page holds 1 to %d documents.", maxPage)
	}
	order, known := documentOrders[filter.Order]
	if !known {
		return nil, 0, rag.Errorf(rag.CodeInvalid, "Documents cannot be sorted by that.")
	}
	if !slices.Contains([]rag.DocumentState{"", rag.DocumentCurrent, rag.DocumentStale}, filter.State) {
		return nil, 0, rag.Errorf(rag.CodeInvalid, "Documents have no such state.")
	}
	var docs []rag.Document
	var total int
	err := s.read(ctx, func(tx pgx.Tx) error {
		types, err := docTypeIDs(ctx, tx, filter.DocTypes)
		if err != nil {
			return err
		}
		args := filterArgs(scope, filter.Spaces, types, wordArgs(filter.Words))
		args["state"] = string(filter.State)
		if err := tx.QueryRow(ctx, "select count(*) from documents d"+documentFilter, args).Scan(&total); err != nil {
			return err
		}
		docs, err = documentPage(ctx, tx, order, filter, args)
		return err
	})
	return docs, total, wrap(err, "list documents")
}

// documentPage reads the documents themselves: an index gives the ids in order
// from the place on, and only those are completed.
func documentPage(ctx context.Context, tx pgx.Tx, order documentOrder, filter rag.DocumentFilter, args pgx.StrictNamedArgs) ([]rag.Document, error) {
	args["limit"] = filter.Limit
	direction, after := "asc", ">"
	if order.falling != filter.Back {
		direction, after = "desc", "<"
	}
	sorted := " order by " + order.expression + " " + direction + ", d.id " + direction
	from := ""
	if filter.From != nil {
		from = " and (" + order.expression + ", d.id) " + after + " (" + order.key + ", @from)"
		key, err := order.read(filter.From.Key)
		if err != nil {
			return nil, rag.WithCause(err, rag.CodeInvalid, "The list has no such place. Begin at its first page.")
		}
		args["key"], args["from"] = key, filter.From.ID
	}
	rows, err := tx.Query(ctx, `
		with page as materialized (
			select d.id from documents d`+documentFilter+from+sorted+` limit @limit
		)`+documentQuery+`
		where d.id in (select id from page)`+sorted, args)
	if err != nil {
		return nil, err
	}
	docs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (rag.Document, error) {
		r, err := pgx.RowToStructByName[documentRow](row)
		return r.document(), err
	})
	if filter.Back {
		slices.Reverse(docs)
	}
	return docs, err
}

// wordArgs divides the words of a filter: @like is a pattern of the longest,
// @words are the others; null for none.
func wordArgs(text string) pgx.StrictNamedArgs {
	words := strings.Fields(clean(text))
	if len(words) == 0 {
		return pgx.StrictNamedArgs{"like": nil, "words": []string(nil)}
	}
	longest := 0
	for i, word := range words {
		if len(word) > len(words[longest]) {
			longest = i
		}
	}
	like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(words[longest]) + "%"
	words = slices.Delete(words, longest, longest+1)
	if len(words) == 0 {
		words = nil
	}
	return pgx.StrictNamedArgs{"like": like, "words": words}
}
