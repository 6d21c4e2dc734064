package ingest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"passage/rag"
	"passage/rag/extract"
)

// File is a file to ingest.
type File struct {
	Path string // on disk
	URI  string // relative to the root, with slashes
}

// Files lists the files named by paths, and those below the folders among
// them, each with its URI relative to root, in the order of the URIs. Hidden
// files and folders and files of other formats are left out of folders; a file
// that is named itself is always taken. Errors: CodeInvalid, CodeNotFound.
func Files(root string, paths []string) ([]File, error) {
	root, err := resolve(root)
	if err != nil {
		return nil, err
	}
	var files []File
	add := func(p string) error {
		rel, err := filepath.Rel(root, p)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return rag.Errorf(rag.CodeInvalid, "%s does not lie below the root folder %s. Name a --root that holds it.", p, root)
		}
		files = append(files, File{Path: p, URI: filepath.ToSlash(rel)})
		return nil
	}
	for _, p := range paths {
		p, err := resolve(p)
		if err != nil {
			return nil, err
		}
		err = filepath.WalkDir(p, func(at string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			hidden := strings.HasPrefix(d.Name(), ".") && at != p
			switch {
			case d.IsDir() && hidden:
				return filepath.SkipDir
			case d.IsDir():
				return nil
			case at == p:
				return add(at)
			case hidden || !extract.Supported(at):
				return nil
			}
			return add(at)
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.URI, b.URI) })
	return slices.Compact(files), nil
}

// resolve makes a path absolute and follows links in it, so that a linked
// folder is searched like any other.
func resolve(p string) (string, error) {
	abs, err := filepath.Abs(p)
	if err != nil {
		return "", err
	}
	linked, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", rag.WithCause(err, rag.CodeNotFound, "There is no file or folder %s.", p)
	}
	return linked, err
}

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
	info, err := os.Stat(f.Path)
	if err == nil && info.Size() > extract.MaxBytes {
		err = rag.Errorf(rag.CodeTooLarge, "%s has %d MB; the limit for one file is %d MB.", f.URI, info.Size()>>20, extract.MaxBytes>>20)
	}
	if err == nil {
		req.Data, err = os.ReadFile(f.Path)
	}
	if err != nil {
		res.Err = err
		return res
	}
	req.SourceURI = f.URI
	res.Outcome, res.Err = in.Ingest(ctx, req)
	return res
}
