package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"passage/rag"
	"passage/rag/retrieve"
)

// growFlags are the flags that choose how hits grow.
type growFlags struct {
	kind, k       *string
	size, overlap *int
	limit         *int
}

func strategyFlags(f *pflag.FlagSet) growFlags {
	return growFlags{
		kind:    f.String("strategy", "auto", "auto (each document type's own), sentence_window, parent_section, fixed_tokens or fixed_chars"),
		k:       f.String("k", "3", "sentence_window: sentences on each side, or paragraph, or section"),
		size:    f.Int("size", 256, "fixed_tokens, fixed_chars: size of a chunk"),
		overlap: f.Int("overlap", 32, "fixed_tokens, fixed_chars: what a chunk shares with the one before"),
		limit:   f.Int("cap", rag.DefaultCap, "parent_section: most tokens of a section"),
	}
}

// strategy gives nil for auto.
func (g growFlags) strategy() (*rag.Strategy, error) {
	var s rag.Strategy
	var err error
	switch kind := rag.StrategyKind(*g.kind); kind {
	case "auto":
		return nil, nil //nolint:nilnil // nil is the strategy of each document type
	case rag.SentenceWindow:
		s, err = rag.ParseWindow(*g.k)
	case rag.ParentSection:
		s = rag.Strategy{Kind: kind, Cap: *g.limit}
	default:
		s = rag.Strategy{Kind: kind, Size: *g.size, Overlap: *g.overlap}
	}
	if err == nil {
		err = s.Validate()
	}
	return &s, err
}

// mostInBudget is how many passages fill a budget when no number is asked for.
const mostInBudget = 20

// retrieveCommand writes the passages found for each question of a file.
func retrieveCommand(ctx context.Context, p *program, args []string) error {
	f := p.flags("retrieve", "--questions Q.jsonl --out R.jsonl […]")
	questions := f.String("questions", "", "JSON objects with id and question, one a line")
	out := f.String("out", "-", "file for the results, one JSON object a line; - is the terminal")
	spaces := f.StringSlice("space", nil, "search these spaces only")
	types := f.StringSlice("doc-type", nil, "search these document types only")
	grow := strategyFlags(f)
	top := f.Int("top", 0, "passages wanted; 0: as many as the budget of characters holds, at most 20, else 8 for auto and 5 for a strategy")
	chars := f.Int("budget-chars", 0, "most characters of all passages together; 0: no such limit")
	toks := f.Int("budget-tokens", 0, "most tokens of all passages together; 0: as in the chat for auto, else no limit")
	legs := f.String("search", string(retrieve.Hybrid), "hybrid, dense or bm25")
	exact := f.Bool("exact", false, "sentence_window: exactly k sentences; a procedure that is touched is labelled, not completed")
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	strategy, err := grow.strategy()
	if err != nil {
		return err
	}
	list, err := readQuestions(*questions)
	if err != nil {
		return err
	}
	req := retrieve.Request{
		Scope: everything, Strategy: strategy, Exact: *exact, Top: *top,
		BudgetChars: *chars, BudgetTokens: *toks, Legs: retrieve.Legs(*legs),
	}
	if req.Top == 0 && *chars > 0 {
		req.Top = mostInBudget
	}
	if req.BudgetTokens == 0 && (strategy != nil || *chars > 0) {
		req.BudgetTokens = -1
	}
	return p.withApp(ctx, func(ctx context.Context, a *app) error {
		if req.Filter, err = a.filter(ctx, *spaces, *types); err != nil {
			return err
		}
		if err := a.prepare(ctx, req.Filter, strategy); err != nil {
			return err
		}
		w, err := openLines(*out, p.stdout)
		if err != nil {
			return err
		}
		return w.close(a.retrieveAll(ctx, req, list, w))
	})
}

type question struct {
	ID       string `json:"id"`
	Question string `json:"question"`
}

func readQuestions(name string) ([]question, error) {
	if name == "" {
		return nil, rag.Errorf(rag.CodeInvalid, "name the file of questions with --questions")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, rag.WithCause(err, rag.CodeInvalid, "%s cannot be read.", name)
	}
	defer f.Close()
	var list []question
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for n := 1; sc.Scan(); n++ {
		if len(sc.Bytes()) == 0 {
			continue
		}
		var q question
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil || q.ID == "" || q.Question == "" {
			return nil, rag.WithCause(err, rag.CodeInvalid, "Line %d of %s is not a JSON object with id and question.", n, name)
		}
		list = append(list, q)
	}
	return list, sc.Err()
}

// retrievedContext is one passage, in code points of the source file. One with
// gaps is several, in order and with the same score.
type retrievedContext struct {
	DocID string  `json:"doc_id"`
	Start int     `json:"start"`
	End   int     `json:"end"`
	Score float64 `json:"score"`
}

func (a *app) retrieveAll(ctx context.Context, req retrieve.Request, list []question, w *lines) error {
	points := map[int64]*codePoints{}
	for _, q := range list {
		req.Question = q.Question
		start := time.Now()
		res, err := a.retriever.Retrieve(ctx, req)
		if err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		took := float64(time.Since(start).Microseconds()) / 1000
		contexts := []retrievedContext{}
		for _, passage := range res.Passages {
			c := points[passage.Version]
			if c == nil {
				readings, err := a.store.Readings(ctx, req.Scope, []int64{passage.Version})
				if err != nil {
					return err
				}
				if readings[passage.Version] == nil {
					continue
				}
				c = newCodePoints(readings[passage.Version].Text)
				points[passage.Version] = c
			}
			for _, piece := range passage.Pieces() {
				s := c.span(piece)
				contexts = append(contexts, retrievedContext{passage.Document.SourceURI, s.Start, s.End, passage.Score})
			}
		}
		if err := w.write(struct {
			ID       string             `json:"id"`
			Contexts []retrievedContext `json:"contexts"`
			MS       float64            `json:"ms"`
			Refused  bool               `json:"refused"`
		}{q.ID, contexts, took, res.Refused}); err != nil {
			return err
		}
	}
	return nil
}
