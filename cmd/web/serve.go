package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"passage/handlers"
	"passage/rag"
	"passage/rag/answer"
)

// serve runs the server until the context ends.
func serve(ctx context.Context, p *program, args []string) error {
	if err := parse(p.flags("serve", ""), args, 0, 0); err != nil {
		return err
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		if err := a.prepare(ctx, rag.Filter{}, nil); err != nil {
			return err
		}
		a.sweep(ctx)
		if err := a.work(ctx); err != nil {
			return err
		}
		a.tidy(ctx)
		suggestions, err := a.loadExamples(ctx)
		if err != nil {
			return err
		}
		return a.listen(ctx, p, suggestions)
	})
}

// sweep marks answers and evaluation runs whose process is gone, now and then
// twice a minute until the app is closed.
func (a *app) sweep(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(30 * time.Second)
		defer tick.Stop()
		for {
			n, err := a.store.AbandonAnswers(ctx, answer.AbandonedAfter, "The server ended while this answer was being written.")
			if err != nil && ctx.Err() == nil {
				a.log.WarnContext(ctx, "unfinished answers not looked through", "error", err)
			}
			if n > 0 {
				a.log.InfoContext(ctx, "abandoned answers marked", "answers", n)
			}
			n, err = a.store.AbandonRuns(ctx, abandonedRun, "The server ended while this run was going on. Start it again.")
			if err != nil && ctx.Err() == nil {
				a.log.WarnContext(ctx, "unfinished runs not looked through", "error", err)
			}
			if n > 0 {
				a.log.InfoContext(ctx, "abandoned runs marked", "runs", n)
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	a.onClose("sweep", func(ctx context.Context) error { cancel(); return await(ctx, ended) })
}

// tidy brings the indexes into the shape that searches like best, beside the
// first questions: profiles for what was ingested before there were any, without
// which its passages rank too low; postings packed, and HNSW indexes where a
// space has outgrown the exact scan, without which searches find the same, only
// slower.
func (a *app) tidy(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		n, err := a.ingester.AddProfiles(ctx, a.store, everything)
		if err != nil && ctx.Err() == nil {
			a.log.WarnContext(ctx, "profiles of older documents not made", "error", err)
		}
		if n > 0 {
			a.log.InfoContext(ctx, "profiles of older documents made", "documents", n)
		}
		if err := a.store.MergePostings(ctx); err != nil && ctx.Err() == nil {
			a.log.WarnContext(ctx, "postings not merged", "error", err)
		}
		if err := a.store.GrowIndexes(ctx); err != nil && ctx.Err() == nil {
			a.log.WarnContext(ctx, "vector indexes not built", "error", err)
		}
	}()
	a.onClose("tidying", func(ctx context.Context) error { cancel(); return await(ctx, ended) })
}

// await waits for the end of a part of the app, or of the time to stop: what
// is in the middle of a long statement does not hold up the program.
func await(ctx context.Context, ended <-chan struct{}) error {
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// listen serves pages until the context ends, then ends the running answers,
// lets requests finish within the time limit, and returns.
func (a *app) listen(ctx context.Context, p *program, suggestions []string) error {
	e := handlers.New(handlers.Config{
		Log: a.log, Store: a.store, Desk: a.desk, Queue: a.store,
		Evaluation: a.openBench(), Tuner: tuner{a},
		Lab: a.retriever, Cuts: a.store,
		Restorer: restorer{a}, Recipe: a.ingester.Present,
		ScopeOf:     func(echo.Context) rag.Scope { return everything },
		Ready:       a.store.Ping,
		Suggestions: suggestions,
		Space:       a.config.Space,
		MaxUpload:   a.config.MaxUpload << 20,
	})
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", a.config.Addr)
	if err != nil {
		return rag.WithCause(err, rag.CodeUnavailable, "The address %s cannot be listened on; another program may use it. Set PASSAGE_ADDR to another one.", a.config.Addr)
	}
	server := &http.Server{
		Handler: e,
		// An upload or an answer's stream may take long; each sets limits of its own.
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	addr := l.Addr().String()
	a.log.InfoContext(ctx, "Passage is ready", "url", "http://"+addr)
	if p.onReady != nil {
		p.onReady(addr)
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serving on %s: %w", addr, err)
	case <-ctx.Done():
	}
	a.log.InfoContext(ctx, "stopping")
	return a.shutdown(context.WithoutCancel(ctx), server)
}

// shutdown takes no new requests, ends the answers, whose streams then end by
// themselves, and waits for the requests that are left.
func (a *app) shutdown(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, a.config.StopTimeout)
	defer cancel()
	drained := make(chan error, 1)
	go func() { drained <- server.Shutdown(ctx) }()
	err := a.desk.Close(ctx)
	if drainErr := <-drained; drainErr != nil {
		a.log.WarnContext(ctx, "requests were cut off after the time to stop", "error", drainErr)
		err = errors.Join(err, server.Close())
	}
	return err
}
