package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"passage/rag"
	"passage/rag/ingest"
)

// examplesSpace is the space that the example documents go to.
const examplesSpace = "Examples"

// loadExamples ingests the example documents when the database holds no
// document at all, and gives the questions to suggest while they are there.
func (a *app) loadExamples(ctx context.Context) ([]string, error) {
	dir := a.config.Examples
	if dir == "" {
		return nil, nil
	}
	_, total, err := a.store.Documents(ctx, everything, rag.DocumentFilter{Limit: 1})
	if err != nil {
		return nil, err
	}
	if total == 0 {
		if err := a.ingestExamples(ctx, dir); err != nil {
			return nil, err
		}
	}
	f, err := a.filter(ctx, []string{examplesSpace}, nil)
	if rag.ErrorCode(err) == rag.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	_, total, err = a.store.Documents(ctx, everything, rag.DocumentFilter{Filter: f, Limit: 1})
	if err != nil || total == 0 {
		return nil, err
	}
	return suggestions(dir)
}

func (a *app) ingestExamples(ctx context.Context, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return rag.WithCause(err, rag.CodeInvalid, "PASSAGE_EXAMPLES names %s, which cannot be read.", dir)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, filepath.Join(dir, e.Name()))
		}
	}
	listing, err := ingest.Files(dir, folders)
	if err != nil {
		return err
	}
	defer func() { _ = listing.Close() }()
	files := listing.Files
	if len(files) == 0 {
		return nil
	}
	space, err := a.store.EnsureSpace(ctx, examplesSpace)
	if err != nil {
		return err
	}
	a.log.InfoContext(ctx, "loading the example documents", "documents", len(files))
	sum, err := a.ingester.IngestFiles(ctx, ingest.Request{Scope: everything, SpaceID: space.ID}, files, a.config.Workers, nil)
	if err != nil {
		return err
	}
	for _, r := range sum.Results {
		if r.Err != nil {
			a.log.WarnContext(ctx, "example not loaded", "file", r.URI, "error", r.Err)
		}
	}
	a.log.InfoContext(ctx, "examples loaded", "documents", sum.Documents, "units", sum.Units, "seconds", sum.Elapsed.Seconds())
	return nil
}

// suggestions reads the questions that the start page offers.
func suggestions(dir string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "questions.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, rag.WithCause(err, rag.CodeInvalid, "The questions in %s cannot be read.", dir)
	}
	var all []struct {
		Question string `json:"question"`
		Suggest  bool   `json:"suggest"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, rag.WithCause(err, rag.CodeInvalid, "questions.json in %s is not a list of questions.", dir)
	}
	var list []string
	for _, q := range all {
		if q.Suggest {
			list = append(list, q.Question)
		}
	}
	return list, nil
}
