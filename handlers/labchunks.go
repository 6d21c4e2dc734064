package handlers

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"passage/rag"
	"passage/views"
)

// sayMissing says in a column that documents are not cut into the chunks that it
// searches, so that it cannot find them.
func (p *pages) sayMissing(ctx context.Context, scope rag.Scope, q labQuery, t labTry, v *views.LabColumn) error {
	if p.cfg.Cuts == nil {
		return nil
	}
	for _, set := range slices.Sorted(maps.Keys(t.result.Trace.Sets)) {
		if rag.UnitSet(set) == rag.SentenceSet {
			continue // which every version has
		}
		f := q.filter()
		f.DocTypes = t.result.Trace.Sets[set]
		without, err := p.cfg.Cuts.LiveVersions(ctx, scope, f, rag.UnitSet(set))
		if err != nil {
			return fmt.Errorf("listing documents without %s: %w", set, err)
		}
		if len(without) == 0 {
			continue
		}
		all, err := p.cfg.Cuts.LiveVersions(ctx, scope, f, "")
		if err != nil {
			return fmt.Errorf("listing documents: %w", err)
		}
		if len(without) >= len(all) && len(t.result.Trace.Sets) == 1 {
			v.Notices, v.NoHits = nil, "Nothing was searched: there are no such chunks." // which is no refusal
			v.Refused, v.Verdict = false, ""
		}
		v.Notices = append(v.Notices, views.Notice{Kind: "warning", Head: "Chunks are missing", Text: missing(set, len(without), len(all)) + " " + remedy(t.column.chosen)})
	}
	return nil
}

func missing(set string, without, all int) string {
	chunks := "the chunks “" + set + "”"
	switch {
	case without >= all && all == 1:
		return "The only document searched is not cut into " + chunks + ", so nothing can be found in it this way."
	case without >= all:
		return fmt.Sprintf("None of the %s documents searched is cut into %s, so nothing can be found in them this way.", grouped(float64(all), 0), chunks)
	case without == 1:
		return fmt.Sprintf("1 of %s documents searched is not cut into %s and cannot be found this way.", grouped(float64(all), 0), chunks)
	default:
		return fmt.Sprintf("%s of %s documents searched are not cut into %s and cannot be found this way.", grouped(float64(without), 0), grouped(float64(all), 0), chunks)
	}
}

// remedy says how the chunks come to be: of a strategy that was chosen, or of
// those that the document types have.
func remedy(chosen *rag.Strategy) string {
	if chosen == nil {
		return "Upload these documents again, or start the server again: it makes the chunks that document types ask for."
	}
	return fmt.Sprintf("They are made when a document type gets the strategy %s, or on the server by: web retrieve --strategy %s --size %d --overlap %d --questions FILE.",
		chosen, chosen.Kind, chosen.Size, chosen.Overlap)
}
