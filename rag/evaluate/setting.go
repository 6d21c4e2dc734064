package evaluate

import (
	"encoding/json"
	"fmt"
	"strings"

	"passage/rag"
	"passage/rag/retrieve"
)

// Setting is one way to retrieve: everything that is decided at query time. Its
// JSON is stored with runs; the zero value of a field is left out, so that a
// field more does not make old runs incomparable. A field more stands here, in
// Request and in String.
type Setting struct {
	Strategy     *rag.Strategy `json:"strategy,omitempty"`      // nil: each document type's own
	Exact        bool          `json:"exact,omitempty"`         // windows of exactly k sentences
	Top          int           `json:"top,omitempty"`           // 0: retrieve.DefaultTop
	BudgetTokens int           `json:"budget_tokens,omitempty"` // 0: retrieve.DefaultBudget, below 0: none
	BudgetChars  int           `json:"budget_chars,omitempty"`
	Legs         retrieve.Legs `json:"legs,omitempty"`        // "": hybrid
	PlainOrder   bool          `json:"plain_order,omitempty"` // without the reranker
	Fusion       *rag.Fusion   `json:"fusion,omitempty"`      // nil: each document type's own
}

// Request makes the request that asks a question under the setting.
func (s Setting) Request(scope rag.Scope, f rag.Filter, question string) retrieve.Request {
	return retrieve.Request{
		Scope: scope, Question: question, Filter: f, Strategy: s.Strategy, Exact: s.Exact, Top: s.Top,
		BudgetTokens: s.BudgetTokens, BudgetChars: s.BudgetChars, Legs: s.Legs, PlainOrder: s.PlainOrder,
		Fusion: s.Fusion,
	}
}

// String is the setting for people: "sentence_window k=2, top 10, bm25". What is
// as in the chat is left out.
func (s Setting) String() string {
	parts := []string{"auto"}
	if s.Strategy != nil {
		parts[0] = s.Strategy.String()
	}
	add := func(say bool, format string, args ...any) {
		if say {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(s.Exact, "exact")
	add(s.Top != 0 && s.Top != retrieve.DefaultTop, "top %d", s.Top)
	add(s.Legs != "" && s.Legs != retrieve.Hybrid, "%s", s.Legs)
	add(s.BudgetTokens > 0 && s.BudgetTokens != retrieve.DefaultBudget, "%d tokens at most", s.BudgetTokens)
	add(s.BudgetTokens < 0, "no token limit")
	add(s.BudgetChars > 0, "%d characters at most", s.BudgetChars)
	add(s.PlainOrder, "not reranked")
	if s.Fusion != nil {
		add(true, "%s", weights(*s.Fusion))
	}
	return strings.Join(parts, ", ")
}

// Key is equal for settings that retrieve the same.
func (s Setting) Key() string {
	if s.Top == retrieve.DefaultTop {
		s.Top = 0
	}
	if s.BudgetTokens == retrieve.DefaultBudget {
		s.BudgetTokens = 0
	}
	if s.Legs == retrieve.Hybrid {
		s.Legs = ""
	}
	key, err := json.Marshal(s)
	if err != nil { // of plain fields only: never
		return s.String()
	}
	return string(key)
}

// Validate checks a setting before a run. Errors: CodeInvalid.
func (s Setting) Validate() error {
	if s.Strategy != nil {
		if err := s.Strategy.Validate(); err != nil {
			return err
		}
	}
	if s.Fusion != nil {
		if err := s.Fusion.Validate(); err != nil {
			return err
		}
	}
	if s.Top < 0 || s.Top > maxTop {
		return rag.Errorf(rag.CodeInvalid, "The number of passages must be from 1 to %d, not %d.", maxTop, s.Top)
	}
	switch s.Legs {
	case "", retrieve.Hybrid, retrieve.DenseOnly, retrieve.LexicalOnly:
		return nil
	}
	return rag.Errorf(rag.CodeInvalid, "There is no search %q. Use hybrid, dense or bm25.", s.Legs)
}

// maxTop is the most passages that a setting may ask for.
const maxTop = 100
