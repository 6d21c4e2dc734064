package handlers

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/retrieve"
	"passage/views"
)

// Limits of what a column of the lab may ask for: what stands in three of them
// is one page.
const (
	labColumns   = 3
	labMostTop   = 30
	labMostTok   = 32_000
	ownStrategy  = "auto" // each document type's own
	noColumn     = ""
	ownFusion    = "own"
	ranksFusion  = "ranks"
	strategyName = "s" // of the parameter, before the number of its column
)

// labColumn is the setting of one column as it was typed.
type labColumn struct {
	n                         int // from 1
	strategy                  string
	k, limit, size, overlap   string
	exact                     bool
	legs, fusion, top, budget string
	chosen                    *rag.Strategy // nil: each document type's own
	wantedTop, wantedTokens   int
	faults                    map[string]string // by the name of the field, without its number
}

// labQuery is what the lab is asked by its address.
type labQuery struct {
	asked     bool // the form was sent
	question  string
	space     int64
	spaceText string
	docType   string
	columns   []labColumn
}

func readLabQuery(c echo.Context) labQuery {
	v := c.QueryParams()
	q := labQuery{
		asked: v.Has("q"), question: strings.TrimSpace(v.Get("q")),
		spaceText: strings.TrimSpace(v.Get("space")), docType: strings.TrimSpace(v.Get("type")),
	}
	q.space, _ = strconv.ParseInt(q.spaceText, 10, 64) // what is no number is no space
	for n := 1; n <= labColumns; n++ {
		otherwise := noColumn
		switch {
		case n == 1:
			otherwise = ownStrategy
		case n == 2 && len(v) == 0: // to begin with, there is something to compare
			otherwise = string(rag.SentenceWindow)
		}
		q.columns = append(q.columns, readColumn(v, n, otherwise))
	}
	return q
}

// readColumn reads the setting of a column. What is left empty is its default.
func readColumn(v url.Values, n int, strategy string) labColumn {
	get := func(name, otherwise string) string {
		if s := strings.TrimSpace(v.Get(name + strconv.Itoa(n))); s != "" {
			return s
		}
		return otherwise
	}
	c := labColumn{
		n: n, faults: map[string]string{},
		strategy: get(strategyName, strategy), k: get("k", "3"), limit: get("cap", strconv.Itoa(rag.DefaultCap)),
		size: get("size", "256"), overlap: get("overlap", "32"), exact: get("exact", "") == "1",
		legs: get("legs", string(retrieve.Hybrid)), fusion: get("fusion", ownFusion),
		top: get("top", ""), budget: get("budget", strconv.Itoa(retrieve.DefaultBudget)),
	}
	if c.on() {
		c.check()
	}
	return c
}

func (c labColumn) on() bool { return c.strategy != noColumn }

// letter names a column for people.
func (c labColumn) letter() string { return string(rune('A' + c.n - 1)) }

// passageID is the id of the element of a passage.
func (c labColumn) passageID(number int) string {
	return "passage-" + strings.ToLower(c.letter()) + "-" + strconv.Itoa(number)
}

// check reads what was typed and notes what is wrong, field by field.
func (c *labColumn) check() {
	c.chosen = c.checkStrategy()
	switch retrieve.Legs(c.legs) {
	case retrieve.Hybrid, retrieve.DenseOnly, retrieve.LexicalOnly:
	default:
		c.faults["legs"] = "There is no search " + strconv.Quote(cutTo(c.legs, 40)) + ". Use hybrid, dense or bm25."
	}
	if c.fusion != ownFusion && c.fusion != ranksFusion {
		c.faults["fusion"] = "There is no fusion " + strconv.Quote(cutTo(c.fusion, 40)) + ". Use own or ranks."
	}
	if c.top != "" {
		c.wantedTop = c.number("top", "number of passages", c.top, 1, labMostTop)
	}
	c.wantedTokens = c.number("budget", "budget of tokens", c.budget, 1, labMostTok)
}

func (c *labColumn) checkStrategy() *rag.Strategy {
	s, field := rag.Strategy{Kind: rag.StrategyKind(c.strategy)}, strategyName
	switch s.Kind {
	case ownStrategy:
		return nil
	case rag.SentenceWindow:
		var err error
		field = "k"
		if s, err = rag.ParseWindow(cutTo(c.k, 40)); err != nil {
			c.faults[field] = rag.ErrorMessage(err)
			return nil
		}
	case rag.ParentSection:
		field = "cap"
		s.Cap = c.number(field, "section cap", c.limit, rag.MinSectionCap, rag.MaxSectionCap)
	case rag.FixedTokens, rag.FixedChars:
		s.Size = c.number("size", "chunk size", c.size, 1, rag.MaxChunkSize)
		s.Overlap = c.number("overlap", "overlap", c.overlap, 0, rag.MaxChunkSize)
		field = "overlap"
	default:
		s.Kind = rag.StrategyKind(cutTo(c.strategy, 40))
	}
	if len(c.faults) > 0 {
		return nil
	}
	if err := s.Validate(); err != nil {
		c.faults[field] = rag.ErrorMessage(err)
		return nil
	}
	return &s
}

// number reads a whole number within bounds.
func (c *labColumn) number(field, what, typed string, least, most int) int {
	n, err := strconv.Atoi(typed)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		c.faults[field] = "The " + what + " must be a whole number, not " + strconv.Quote(cutTo(typed, 40)) + "."
	case err != nil || n < least || n > most:
		c.faults[field] = "The " + what + " must be from " + grouped(float64(least), 0) + " to " + grouped(float64(most), 0) + ", not " + cutTo(typed, 40) + "."
	}
	return n
}

// request is the search that the column stands for.
func (c labColumn) request(scope rag.Scope, q labQuery) retrieve.Request {
	r := retrieve.Request{
		Scope: scope, Question: q.question, Filter: q.filter(), Strategy: c.chosen, Exact: c.exact,
		Top: c.wantedTop, BudgetTokens: c.wantedTokens, Legs: retrieve.Legs(c.legs),
	}
	if c.fusion == ranksFusion {
		r.Fusion = &rag.Fusion{RankOnly: true}
	}
	return r
}

func (q labQuery) filter() rag.Filter {
	var f rag.Filter
	if q.space > 0 {
		f.Spaces = []int64{q.space}
	}
	if q.docType != "" {
		f.DocTypes = []string{q.docType}
	}
	return f
}

// url is the shortest address of the same comparison: what does not matter for a
// column, or is its default, is left out.
func (q labQuery) url() string {
	v := url.Values{"q": {q.question}}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("space", q.spaceText)
	set("type", q.docType)
	for _, c := range q.columns {
		if !c.on() {
			continue
		}
		n := strconv.Itoa(c.n)
		blank := readColumn(nil, c.n, noColumn)
		other := func(name, value, otherwise string) {
			if value != otherwise {
				set(name+n, value)
			}
		}
		if c.n > 1 || c.strategy != ownStrategy {
			set(strategyName+n, c.strategy)
		}
		switch rag.StrategyKind(c.strategy) {
		case rag.SentenceWindow:
			set("k"+n, c.k)
		case rag.ParentSection:
			other("cap", c.limit, blank.limit)
		case rag.FixedTokens, rag.FixedChars:
			set("size"+n, c.size)
			set("overlap"+n, c.overlap)
		}
		if c.exact {
			set("exact"+n, "1")
		}
		other("legs", c.legs, blank.legs)
		other("fusion", c.fusion, blank.fusion)
		set("top"+n, c.top)
		other("budget", c.budget, blank.budget)
	}
	return labPath + "?" + v.Encode()
}

// setups are the parts of the form, one for each column, as they were typed.
func setups(q labQuery) []views.LabSetup {
	var list []views.LabSetup
	for _, c := range q.columns {
		n := strconv.Itoa(c.n)
		field := func(name, value string) views.LabField {
			return views.LabField{Name: name + n, Value: value, Fault: c.faults[name]}
		}
		s := views.LabSetup{
			Letter: c.letter(), Strategy: field(strategyName, c.strategy),
			K: field("k", c.k), Cap: field("cap", c.limit), Size: field("size", c.size), Overlap: field("overlap", c.overlap),
			Exact: field("exact", "1"), IsExact: c.exact, Legs: field("legs", c.legs), Fusion: field("fusion", c.fusion),
			Top: field("top", c.top), Budget: field("budget", c.budget),
		}
		if c.n > 1 {
			s.Strategies = append(s.Strategies, views.Option{Value: noColumn, Label: "nothing: leave this column out", Selected: !c.on()})
		}
		s.Strategies = append(s.Strategies, options(c.strategy,
			ownStrategy, "each document type’s own", string(rag.SentenceWindow), "sentence_window", string(rag.ParentSection), "parent_section",
			string(rag.FixedTokens), "fixed_tokens", string(rag.FixedChars), "fixed_chars")...)
		s.Searches = options(c.legs, string(retrieve.Hybrid), "hybrid: both", string(retrieve.DenseOnly), "dense: by meaning", string(retrieve.LexicalOnly), "BM25: by words")
		s.Fusions = options(c.fusion, ownFusion, "own weights", ranksFusion, "reciprocal ranks")
		list = append(list, s)
	}
	return list
}

// options makes choices of pairs of a value and its label. A value that is none
// of them was typed into the address and stays, so that it can be seen.
func options(selected string, pairs ...string) []views.Option {
	var list []views.Option
	found := selected == ""
	for i := 0; i+1 < len(pairs); i += 2 {
		found = found || pairs[i] == selected
		list = append(list, views.Option{Value: pairs[i], Label: pairs[i+1], Selected: pairs[i] == selected})
	}
	if !found {
		list = append(list, views.Option{Value: selected, Label: cutTo(selected, 40), Selected: true})
	}
	return list
}
