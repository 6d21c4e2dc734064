package main

import (
	"context"

	"passage/rag"
	"passage/rag/ingest"
)

// workCommand takes in what is queued until the context ends.
func workCommand(ctx context.Context, p *program, args []string) error {
	if err := parse(p.flags("work", ""), args, 0, 0); err != nil {
		return err
	}
	p.config.Workers = max(p.config.Workers, 1)
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		if err := a.prepare(ctx, rag.Filter{}, nil); err != nil {
			return err
		}
		if err := a.work(ctx); err != nil {
			return err
		}
		a.log.InfoContext(ctx, "working on what is queued", "workers", a.config.Workers)
		if p.onReady != nil {
			p.onReady("")
		}
		<-ctx.Done()
		return nil
	})
}

// work begins to take in what is queued; what is under way when the app is closed
// is put back.
func (a *app) work(ctx context.Context) error {
	if a.config.Workers == 0 {
		return nil
	}
	worker := ingest.NewWorker(a.ingester, a.store, a.log)
	w, err := a.store.StartWorkers(ctx, a.config.Workers, worker.Run)
	if err != nil {
		return err
	}
	a.onClose("workers", w.Stop)
	return nil
}
