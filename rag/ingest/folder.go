package ingest

import (
	"cmp"
	"context"
	"path"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"passage/rag/extract/archive"
)

// FileResult is what became of one file.
type FileResult struct {
	File
	Outcome
	Err error
}

// Summary adds up an ingest of files.
type Summary struct {
	Results   []FileResult // in the order of the files
	Documents int          // created or updated
	Unchanged int
	Failed    int
	Units     int
	Bytes     int64
	Elapsed   time.Duration
}

// IngestArchive ingests the documents of a ZIP archive whose bytes are
// req.Data, each under req.SourceURI and its path in the archive. The note says
// what was left out, "" when nothing was. Errors: CodeInvalid and CodeTooLarge
// when the archive cannot be opened, and that of the context.
func (in *Ingester) IngestArchive(ctx context.Context, req Request, workers int) (sum Summary, note string, err error) {
	name := cmp.Or(req.Name, path.Base(req.SourceURI))
	a, err := archive.Open(name, req.Data)
	if err != nil {
		return Summary{}, "", err
	}
	files := make([]File, len(a.Entries))
	for i := range a.Entries {
		e := &a.Entries[i]
		files[i] = File{Path: name, URI: req.SourceURI + "/" + e.Path, entry: e}
	}
	sum, err = in.IngestFiles(ctx, req, files, workers, nil)
	return sum, a.LeftOutNote(), err
}

// IngestFiles ingests the files, workers at a time. A file that cannot be
// ingested does not stop the others; its error stands in its result. The error
// returned is only that of the context.
func (in *Ingester) IngestFiles(ctx context.Context, req Request, files []File, workers int, progress func(FileResult)) (Summary, error) {
	start := time.Now()
	sum := Summary{Results: make([]FileResult, len(files))}
	var mu sync.Mutex
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, workers))
	for i, f := range files {
		g.Go(func() error {
			if gctx.Err() != nil {
				return gctx.Err()
			}
			res := in.ingestFile(gctx, req, f)
			mu.Lock()
			defer mu.Unlock()
			sum.Results[i] = res
			if progress != nil {
				progress(res)
			}
			return nil
		})
	}
	err := g.Wait()
	if err == nil {
		err = in.again(ctx, req, &sum, progress)
	}
	for _, res := range sum.Results {
		if res.Path != "" { // a batch that was stopped has results that never began
			sum.count(res)
		}
	}
	sum.Elapsed = time.Since(start)
	return sum, err
}

// again looks a second time at files that were left out because another
// document held the same bytes: that one may have changed in the same batch, as
// when a file is renamed and a new one takes its name.
func (in *Ingester) again(ctx context.Context, req Request, sum *Summary, progress func(FileResult)) error {
	for i, res := range sum.Results {
		if res.Err != nil || res.State != Unchanged || res.SourceURI == res.URI {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		second := in.ingestFile(ctx, req, res.File)
		if second.Err == nil && second.State == Unchanged {
			continue
		}
		sum.Results[i] = second
		if progress != nil {
			progress(second)
		}
	}
	return nil
}

func (s *Summary) count(res FileResult) {
	switch {
	case res.Err != nil:
		s.Failed++
	case res.State == Unchanged:
		s.Unchanged++
	default:
		s.Documents++
		s.Units += res.Units
		s.Bytes += int64(res.Bytes)
	}
}

func (in *Ingester) ingestFile(ctx context.Context, req Request, f File) FileResult {
	res := FileResult{File: f}
	if req.Data, res.Err = f.Read(); res.Err != nil {
		return res
	}
	req.SourceURI, req.Name = f.URI, path.Base(f.URI)
	res.Outcome, res.Err = in.Ingest(ctx, req)
	return res
}
