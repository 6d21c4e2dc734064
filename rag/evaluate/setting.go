package evaluate

import (
	"passage/rag"
	"passage/rag/retrieve"
)

// Setting is one way to retrieve: everything that is decided at query time. Its
// JSON is stored with runs; the zero value of a field is left out, so that a
// field more does not make old runs incomparable.
type Setting struct {
	Strategy     *rag.Strategy `json:"strategy,omitempty"`      // nil: each document type's own
	Exact        bool          `json:"exact,omitempty"`         // windows of exactly k sentences
	Top          int           `json:"top,omitempty"`           // 0: retrieve.DefaultTop
	BudgetTokens int           `json:"budget_tokens,omitempty"` // 0: retrieve.DefaultBudget, below 0: none
	BudgetChars  int           `json:"budget_chars,omitempty"`
	Legs         retrieve.Legs `json:"legs,omitempty"`        // "": hybrid
	PlainOrder   bool          `json:"plain_order,omitempty"` // without the reranker
}

// Request makes the request that asks a question under the setting.
func (s Setting) Request(scope rag.Scope, f rag.Filter, question string) retrieve.Request {
	return retrieve.Request{
		Scope: scope, Question: question, Filter: f, Strategy: s.Strategy, Exact: s.Exact, Top: s.Top,
		BudgetTokens: s.BudgetTokens, BudgetChars: s.BudgetChars, Legs: s.Legs, PlainOrder: s.PlainOrder,
	}
}
