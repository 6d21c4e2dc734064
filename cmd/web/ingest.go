package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/ingest"
)

// ingestCommand takes files and folders live.
func ingestCommand(ctx context.Context, p *program, args []string) error {
	f := p.flags("ingest", "[--space S] [--doc-type T] [--root DIR] [--no-embed] PATH…")
	space := f.String("space", p.config.Space, "space the documents go to; it is made when it is not there")
	docType := f.String("doc-type", "", "document type of all of them (default: guessed for each)")
	root := f.String("root", "", "folder that document ids are relative to (default: this folder, or the one named when it lies elsewhere)")
	noEmbed := f.Bool("no-embed", false, "without vectors: found by their words only; measures all but the embedder")
	quiet := f.BoolP("quiet", "q", false, "print the summary and what went wrong only")
	if err := parse(f, args, 1, -1); err != nil {
		return err
	}
	if *root == "" {
		*root = rootOf(f.Args())
	}
	listing, err := ingest.Files(*root, f.Args())
	if err != nil {
		return err
	}
	defer func() { _ = listing.Close() }()
	files := listing.Files
	if len(files) == 0 {
		return rag.Errorf(rag.CodeInvalid, "there is nothing to read below %v: put %s there, or a ZIP archive of them", f.Args(), extract.Kinds)
	}
	for _, note := range listing.LeftOut {
		fmt.Fprintln(p.stdout, note)
	}
	if *noEmbed {
		p.config.Embedder = "none"
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		if *docType != "" {
			if _, err := a.filter(ctx, nil, []string{*docType}); err != nil {
				return err
			}
		}
		s, err := a.store.EnsureSpace(ctx, *space)
		if err != nil {
			return err
		}
		var mu sync.Mutex
		req := ingest.Request{Scope: everything, SpaceID: s.ID, DocType: *docType}
		sum, err := a.ingester.IngestFiles(ctx, req, files, p.config.Workers, func(r ingest.FileResult) {
			mu.Lock()
			defer mu.Unlock()
			if !errors.Is(r.Err, context.Canceled) {
				p.printResult(r, *quiet)
			}
		})
		if errors.Is(err, context.Canceled) {
			return rag.WithCause(err, rag.CodeUnavailable, "Stopped: %d of %d files are live. Run the command again to go on; what is there is left alone.",
				sum.Documents+sum.Unchanged, len(files))
		}
		if err != nil {
			return err
		}
		return p.printSummary(sum)
	})
}

// rootOf is the folder that ids are relative to when none is named: the current
// one, unless the one path named lies elsewhere.
func rootOf(paths []string) string {
	if len(paths) != 1 || filepath.IsLocal(paths[0]) {
		return "."
	}
	here, err := os.Getwd()
	if err != nil {
		return "."
	}
	abs, err := filepath.Abs(paths[0])
	if err != nil {
		return "."
	}
	if rel, err := filepath.Rel(here, abs); err == nil && filepath.IsLocal(rel) {
		return "."
	}
	if info, err := os.Stat(abs); err == nil && !info.IsDir() {
		return filepath.Dir(abs)
	}
	return abs
}

func (p *program) printResult(r ingest.FileResult, quiet bool) {
	switch {
	case r.Err != nil:
		fmt.Fprintf(p.stdout, "failed     %s: %s\n", r.URI, explain(r.Err))
	case quiet:
		return
	case r.State == ingest.Unchanged:
		fmt.Fprintf(p.stdout, "unchanged  %s (%s)\n", r.URI, r.Reason)
	default:
		fmt.Fprintf(p.stdout, "%-9s  %s: %s (%s), %d units, %d procedures\n", r.State, r.URI, r.DocType, r.Reason, r.Units, r.Procedures)
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(p.stdout, "  warning: %s\n", w)
	}
}

func (p *program) printSummary(s ingest.Summary) error {
	secs := s.Elapsed.Seconds()
	fmt.Fprintf(p.stdout, "%d documents, %d units, %.2f s, %.3g MB/s; %d unchanged, %d failed\n",
		s.Documents, s.Units, secs, float64(s.Bytes)/1e6/max(secs, 1e-9), s.Unchanged, s.Failed)
	if s.Failed == 0 {
		return nil
	}
	for _, r := range s.Results {
		if r.Err != nil {
			return rag.Errorf(rag.CodeInvalid, "%d of %d files could not be ingested, the first: %s: %s", s.Failed, len(s.Results), r.URI, explain(r.Err))
		}
	}
	return nil
}
