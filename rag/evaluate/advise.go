package evaluate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"passage/rag"
)

// leastQuestions is how many questions have to expect a document type before
// anything is advised for it. With fewer, the interval of a difference holds 0
// almost always, and the smallest setting would win by ignorance.
const leastQuestions = 10

// Advise finds, for each document type that questions of the run expect, the
// setting with the fewest tokens whose main measure is within noise of the best:
// the paired bootstrap interval of the difference holds 0. Only settings are
// compared that differ in their strategy alone, since a strategy is what a
// document type has; when the run has several such groups, it is the one with
// most strategies, the first of them when there are equal ones. The run needs its
// outcomes. Errors: CodeInvalid for a measure that is unknown or an amount, or a
// run without a result that forces a strategy.
func Advise(run Run, m Measure) ([]Advice, error) {
	info, ok := Info(m)
	if !ok || info.Amount || info.Less {
		return nil, rag.Errorf(rag.CodeInvalid, "Advice needs a share of which more is better, as %s or %s, not %q.", Found, CharRecall, m)
	}
	group := strategies(run.Results)
	if len(group) == 0 {
		return nil, rag.Errorf(rag.CodeInvalid, "The run has no setting with a strategy of its own. Run a sweep over strategies first.")
	}
	var list []Advice
	for _, name := range docTypes(run.Results) {
		if a, ok := advise(run, group, name, info); ok {
			list = append(list, a)
		}
	}
	return list, nil
}

// strategies gives the numbers of the results that differ in strategy alone.
func strategies(results []Result) []int {
	groups := map[string][]int{}
	var order []string
	for i, r := range results {
		if r.Setting.Strategy == nil || len(r.Outcomes) == 0 {
			continue
		}
		rest := r.Setting
		rest.Strategy = nil
		key := rest.Key()
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	var best []int
	for _, key := range order {
		if len(groups[key]) > len(best) {
			best = groups[key]
		}
	}
	return best
}

// docTypes lists the document types that questions expect, by name.
func docTypes(results []Result) []string {
	var names []string
	for _, r := range results {
		for _, o := range r.Outcomes {
			if o.DocType != "" && !slices.Contains(names, o.DocType) {
				names = append(names, o.DocType)
			}
		}
	}
	slices.Sort(names)
	return names
}

func advise(run Run, group []int, docType string, info MeasureInfo) (Advice, bool) {
	type candidate struct {
		Choice
		outcomes []Outcome
	}
	var all []candidate
	for _, i := range group {
		r := run.Results[i]
		outcomes := ofType(r.Outcomes, docType)
		values := column(outcomes, info.Measure)
		if len(values) == 0 {
			continue
		}
		all = append(all, candidate{Choice{
			Index: i, Setting: r.Setting, Value: estimate(values, false, run.Plan.Seed),
			Tokens: mean(column(outcomes, Tokens)),
		}, outcomes})
	}
	if len(all) == 0 {
		return Advice{}, false
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.Tokens, b.Tokens) })
	best := slices.MaxFunc(all, func(a, b candidate) int { return cmp.Compare(a.Value.Mean, b.Value.Mean) })
	chosen := best
	var change Difference
	for _, c := range all {
		change = difference(c.outcomes, best.outcomes, info.Measure, run.Plan.Seed)
		if c.Index == best.Index || change.Noise() {
			chosen = c
			break
		}
	}
	a := Advice{
		DocType: docType, Measure: info.Measure, Questions: best.Value.N,
		Chosen: chosen.Choice, Best: best.Choice, Difference: change,
	}
	if a.Questions >= leastQuestions {
		a.Strategy = chosen.Setting.Strategy
	}
	a.Reason = a.reason(info, len(all), chosen.Index == all[0].Index)
	return a, true
}

func ofType(outcomes []Outcome, docType string) []Outcome {
	var list []Outcome
	for _, o := range outcomes {
		if o.DocType == docType {
			list = append(list, o)
		}
	}
	return list
}

// reason is the advice in one sentence.
func (a Advice) reason(info MeasureInfo, settings int, smallest bool) string {
	verb := "reaches " + info.Label + " " + share(a.Chosen.Value.Mean)
	best := "reaches " + share(a.Best.Value.Mean)
	if info.Measure == Found {
		verb, best = "finds "+share(a.Chosen.Value.Mean)+" of the answers", "finds "+share(a.Best.Value.Mean)
	}
	said := fmt.Sprintf("%s %s with %s tokens", a.Chosen.Setting.Strategy, verb, thousands(a.Chosen.Tokens))
	switch {
	case a.Questions < leastQuestions:
		return fmt.Sprintf("Only %s: too few to advise, %d are needed (so far %s).", questions(a.Questions), leastQuestions, said)
	case settings == 1:
		return said + "; the run compares it with no other strategy."
	case a.Chosen.Index != a.Best.Index:
		return fmt.Sprintf("%s; the best, %s, %s with %s, which is within the noise of %s.",
			said, a.Best.Setting.Strategy, best, thousands(a.Best.Tokens), questions(a.Questions))
	case smallest:
		return fmt.Sprintf("%s; no other of the %d settings is better or smaller on %s.", said, settings, questions(a.Questions))
	default:
		return fmt.Sprintf("%s; it is the best, and every smaller setting is worse by more than the noise of %s.", said, questions(a.Questions))
	}
}

func questions(n int) string {
	if n == 1 {
		return "1 question"
	}
	return thousands(float64(n)) + " questions"
}

// share prints a share with two digits: ".84", "1.00".
func share(f float64) string { return strings.TrimPrefix(strconv.FormatFloat(f, 'f', 2, 64), "0") }

// thousands prints a whole number with commas: "1,240".
func thousands(f float64) string {
	s := strconv.FormatFloat(f, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
