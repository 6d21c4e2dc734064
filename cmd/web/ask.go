package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"passage/rag"
	"passage/rag/answer"
	"passage/rag/retrieve"
)

// askCommand answers one question on the terminal and stores nothing.
func askCommand(ctx context.Context, p *program, args []string) error {
	f := p.flags("ask", "[--space S] [--doc-type T] [--strategy S] [--k N] [--json] \"question\"")
	spaces := f.StringSlice("space", nil, "search these spaces only")
	types := f.StringSlice("doc-type", nil, "search these document types only")
	asJSON := f.Bool("json", false, "print everything as one JSON object")
	grow := strategyFlags(f)
	exact := f.Bool("exact", false, "sentence_window: exactly k sentences; a procedure that is touched is labelled, not completed")
	if err := parse(f, args, 1, 1); err != nil {
		return err
	}
	strategy, err := grow.strategy()
	if err != nil {
		return err
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		filter, err := a.filter(ctx, *spaces, *types)
		if err != nil {
			return err
		}
		if err := a.prepare(ctx, filter, strategy); err != nil {
			return err
		}
		m, err := a.desk.Once(ctx, everything, f.Arg(0), answer.Options{Filter: filter, Strategy: strategy, Exact: *exact})
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(p, f.Arg(0), m)
		}
		return printAnswer(p, m)
	})
}

// askedCitation is a citation as web ask --json prints it; spans are bytes of
// the version's text.
type askedCitation struct {
	Number int        `json:"number"`
	Used   bool       `json:"used"`
	DocID  string     `json:"doc_id"`
	Title  string     `json:"title"`
	Path   []string   `json:"path"`
	Start  int        `json:"start"`
	End    int        `json:"end"`
	Marks  []rag.Span `json:"marks"`
	Gaps   []rag.Span `json:"gaps,omitempty"` // left out of the passage: […] in its text
	Parts  []string   `json:"parts,omitempty"`
	Text   string     `json:"text"`
}

func printJSON(p *program, question string, m rag.Message) error {
	citations := []askedCitation{}
	for _, c := range m.Citations {
		a := askedCitation{
			Number: c.Number, Used: c.Used, DocID: c.SourceURI, Title: c.Title, Path: c.Path,
			Start: c.Span.Start, End: c.Span.End, Marks: []rag.Span{}, Gaps: c.Gaps, Text: c.Shown(),
		}
		for _, mark := range c.Marks {
			a.Marks = append(a.Marks, mark.Span)
		}
		for _, part := range c.Parts {
			a.Parts = append(a.Parts, part.Label())
		}
		citations = append(citations, a)
	}
	enc := json.NewEncoder(p.stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(map[string]any{
		"question": question, "answer": answer.Text(m), "state": m.State, "notice": m.Notice, "model": m.Model,
		"citations": citations, "checks": checksOf(m), "trace": m.Trace,
	})
}

// askedChecks is what was computed about the answer.
type askedChecks struct {
	Cited      int      `json:"cited"`      // citations that the answer refers to
	Procedures []string `json:"procedures"` // of those citations: "steps 1–9 of 9"
	Whole      bool     `json:"whole"`      // every one of these procedures is there with all its steps
}

func checksOf(m rag.Message) askedChecks {
	c := askedChecks{Procedures: []string{}, Whole: true}
	for _, citation := range m.Citations {
		if !citation.Used {
			continue
		}
		c.Cited++
		for _, part := range citation.Parts {
			c.Procedures = append(c.Procedures, part.Label())
			c.Whole = c.Whole && part.Whole()
		}
	}
	return c
}

// printTrace says in a few words how the passages were found.
func printTrace(b *strings.Builder, raw json.RawMessage) {
	var t retrieve.Trace
	if json.Unmarshal(raw, &t) != nil {
		return
	}
	fmt.Fprintf(b, "\nsearched %s: %d units by meaning, %d by words, %d passages, %d tokens, %.0f ms\n",
		t.Legs, t.Dense, t.Lexical, len(t.Merged), t.Tokens, t.TotalMS)
	for _, cut := range t.Cut {
		fmt.Fprintf(b, "left out: bytes %d–%d of version %d: %s", cut.Span.Start, cut.Span.End, cut.Version, cut.Why)
		if !cut.Kept.Empty() {
			fmt.Fprintf(b, "; kept %d–%d with %d gaps", cut.Kept.Start, cut.Kept.End, len(cut.Gaps))
		}
		b.WriteByte('\n')
	}
}

func printAnswer(p *program, m rag.Message) error {
	var b strings.Builder
	if m.Notice != "" {
		fmt.Fprintf(&b, "(%s)\n\n", m.Notice)
	}
	if text := answer.Text(m); text != "" {
		fmt.Fprintf(&b, "%s\n\n", text)
	}
	if m.State == rag.AnswerRefused && len(m.Citations) > 0 {
		b.WriteString("What came nearest (it may not answer the question):\n")
	}
	for _, c := range m.Citations {
		fmt.Fprintf(&b, "[%d] %s — %s, bytes %d–%d", c.Number, c.SourceURI, strings.Join(c.Path, " › "), c.Span.Start, c.Span.End)
		for _, part := range c.Parts {
			b.WriteString(", " + part.Label())
		}
		b.WriteByte('\n')
	}
	if c := checksOf(m); len(c.Procedures) > 0 && !c.Whole {
		b.WriteString("\nNot every step of a cited procedure is here.\n")
	}
	printTrace(&b, m.Trace)
	_, err := fmt.Fprint(p.stdout, b.String())
	return err
}
