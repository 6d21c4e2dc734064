package main

import (
	"context"

	"passage/rag"
)

// restorer takes earlier versions live again with the ingester of the app.
type restorer struct{ a *app }

func (r restorer) Restore(ctx context.Context, scope rag.Scope, documentID, versionID, live int64) error {
	_, err := r.a.ingester.Restore(ctx, r.a.store, scope, documentID, versionID, live)
	return err
}
