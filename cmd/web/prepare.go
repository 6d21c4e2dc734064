package main

import (
	"context"
	"slices"
	"time"

	"passage/rag"
)

// filter turns names of spaces and document types into a filter.
func (a *app) filter(ctx context.Context, spaces, types []string) (rag.Filter, error) {
	f := rag.Filter{DocTypes: types}
	known, err := a.store.DocTypes(ctx)
	if err != nil {
		return f, err
	}
	for _, name := range types {
		if !slices.ContainsFunc(known, func(t rag.DocType) bool { return t.Name == name }) {
			return f, rag.Errorf(rag.CodeInvalid, "there is no document type %q", name)
		}
	}
	if len(spaces) == 0 {
		return f, nil
	}
	all, err := a.store.Spaces(ctx, everything)
	if err != nil {
		return f, err
	}
	ids := map[string]int64{}
	for _, s := range all {
		ids[s.Name] = s.ID
	}
	for _, name := range spaces {
		id, ok := ids[name]
		if !ok {
			return f, rag.Errorf(rag.CodeNotFound, "there is no space %q; web ingest --space makes one", name)
		}
		f.Spaces = append(f.Spaces, id)
	}
	return f, nil
}

// prepare makes the chunks that are searched, where they are missing: those of a
// forced strategy, or those of the document types, which are missing after a
// change of the tokenizer. Documents indexed with another embedder are left for
// their next ingest.
func (a *app) prepare(ctx context.Context, f rag.Filter, s *rag.Strategy) error {
	if s != nil {
		return a.addChunks(ctx, f, *s)
	}
	types, err := a.store.DocTypes(ctx)
	if err != nil {
		return err
	}
	for _, t := range types {
		if len(f.DocTypes) > 0 && !slices.Contains(f.DocTypes, t.Name) {
			continue
		}
		err := a.addChunks(ctx, rag.Filter{Spaces: f.Spaces, DocTypes: []string{t.Name}}, t.Strategy)
		switch rag.ErrorCode(err) {
		case rag.CodeConflict, rag.CodeUnavailable, rag.CodeRateLimited:
			a.log.WarnContext(ctx, "documents of this type lack the chunks that are searched; ingest them again", "doc_type", t.Name, "error", err)
		default:
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *app) addChunks(ctx context.Context, f rag.Filter, s rag.Strategy) error {
	start := time.Now()
	n, err := a.ingester.AddSet(ctx, a.store, everything, f, s)
	if n > 0 {
		a.log.InfoContext(ctx, "chunks indexed", "unit_set", string(s.UnitSet(a.cut.ChunkTokens())), "documents", n, "seconds", time.Since(start).Seconds())
	}
	return err
}
