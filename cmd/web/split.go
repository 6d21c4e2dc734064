package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/ingest"
	"passage/rag/split"
	"passage/rag/tokens"
)

// splitCommand shows what the splitter does, without a database.
func splitCommand(ctx context.Context, p *program, args []string) error {
	f := p.flags("split", "--cases C.json | --procedures DIR, --out R.jsonl")
	cases := f.String("cases", "", "JSON list of {id, text}: split each text into sentences")
	dir := f.String("procedures", "", "folder: list every procedure of the files below it")
	out := f.String("out", "-", "file for the results, one JSON object a line; - is the terminal")
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	if (*cases == "") == (*dir == "") {
		return rag.Errorf(rag.CodeInvalid, "web split takes either --cases or --procedures")
	}
	w, err := openLines(*out, p.stdout)
	if err != nil {
		return err
	}
	if *cases != "" {
		err = splitCases(*cases, w)
	} else {
		err = splitProcedures(ctx, *dir, w)
	}
	return w.close(err)
}

func splitCases(name string, w *lines) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return rag.WithCause(err, rag.CodeInvalid, "%s cannot be read.", name)
	}
	var cases []struct {
		ID   json.RawMessage `json:"id"`
		Text string          `json:"text"`
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		return rag.WithCause(err, rag.CodeInvalid, "%s is not a JSON list of {id, text}.", name)
	}
	for _, c := range cases {
		sentences := []string{}
		for _, s := range split.Sentences(c.Text) {
			sentences = append(sentences, s.In(c.Text))
		}
		if err := w.write(struct {
			ID        json.RawMessage `json:"id"`
			Sentences []string        `json:"sentences"`
		}{c.ID, sentences}); err != nil {
			return err
		}
	}
	return nil
}

// procedureLine is one procedure, in code points of the file.
type procedureLine struct {
	DocID string     `json:"doc_id"`
	Start int        `json:"start"`
	End   int        `json:"end"`
	Steps []rag.Span `json:"steps"`
}

func splitProcedures(ctx context.Context, dir string, w *lines) error {
	tok, err := tokens.CL100K()
	if err != nil {
		return err
	}
	listing, err := ingest.Files(dir, []string{dir})
	if err != nil {
		return err
	}
	defer func() { _ = listing.Close() }()
	var unread []string
	for _, file := range listing.Files {
		var x rag.Extraction
		data, err := file.Read()
		if err == nil {
			x, err = extract.File(ctx, file.URI, data)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			unread = append(unread, file.URI+": "+explain(err))
			continue
		}
		o, err := split.Split(x, split.Options{Tokens: tok, SectionCap: rag.DefaultCap})
		if err != nil {
			return err
		}
		points := newCodePoints(x.Text)
		for _, proc := range o.Procedures {
			line := procedureLine{DocID: file.URI, Start: points.at(proc.Span.Start), End: points.at(proc.Span.End)}
			for _, step := range proc.Steps {
				line.Steps = append(line.Steps, points.span(step.Span))
			}
			if err := w.write(line); err != nil {
				return err
			}
		}
	}
	if len(unread) > 0 {
		return rag.Errorf(rag.CodeInvalid, "%d of %d files could not be read:\n%s", len(unread), len(listing.Files), strings.Join(unread, "\n"))
	}
	return nil
}
