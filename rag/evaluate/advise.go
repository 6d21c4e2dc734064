package evaluate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

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
// most strategies, the first of them when there are equal ones. A setting that
// brings fewer procedures of the type back whole than another one does is never
// advised, however well it does otherwise: it falls short when the paired interval
// lies below 0, or by more than 0.05. Questions with the same text count once, with
// the mean of their values. The run needs its outcomes. Errors: CodeInvalid for a measure that is unknown or an amount, or a
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

// candidate is a setting that may be advised for a document type.
type candidate struct {
	Choice
	outcomes []Outcome
}

func advise(run Run, group []int, docType string, info MeasureInfo) (Advice, bool) {
	var all []candidate
	for _, i := range group {
		r := run.Results[i]
		outcomes := once(ofType(r.Outcomes, docType))
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
	settings := len(all)
	all = whole(all, run.Plan.Seed)
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
	a.Reason = a.reason(info, len(all), settings-len(all), chosen.Index == all[0].Index)
	return a, true
}

// mostIncomplete is by how much the share of procedures that come back whole may
// fall short of the highest, when there are too few of them for an interval to
// tell.
const mostIncomplete = 0.05

// whole leaves out the settings that bring fewer procedures back whole than the
// one that brings most. Without procedures all of them stay.
func whole(all []candidate, seed uint64) []candidate {
	complete := func(c candidate) float64 { return mean(column(c.outcomes, Complete)) }
	most := slices.MaxFunc(all, func(a, b candidate) int { return cmp.Compare(complete(a), complete(b)) })
	return slices.DeleteFunc(slices.Clone(all), func(c candidate) bool {
		d := difference(most.outcomes, c.outcomes, Complete, seed)
		return d.N > 0 && (d.High < 0 || d.Mean < -mostIncomplete-1e-9) // 0.95 is not less than 1 − 0.05
	})
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

// once makes one outcome of those whose questions have the same text: a question
// that was imported twice says no more than once. Its values are the means.
func once(outcomes []Outcome) []Outcome {
	groups := map[string][]Outcome{}
	var order []string
	for _, o := range outcomes {
		key := cmp.Or(o.Repeats, o.Question)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], o)
	}
	list := make([]Outcome, 0, len(order))
	for _, key := range order {
		group := groups[key]
		o := group[0]
		o.Question = key
		if len(group) > 1 {
			o.Values = means(group)
		}
		list = append(list, o)
	}
	return list
}

// means gives the mean of each measure over the outcomes that have it.
func means(outcomes []Outcome) Values {
	v := Values{}
	for _, o := range outcomes {
		for m := range o.Values {
			if _, done := v[m]; !done {
				v[m] = mean(column(outcomes, m))
			}
		}
	}
	return v
}

// reason is the advice in a sentence, and one more when settings were left out
// because they bring fewer procedures back whole.
func (a Advice) reason(info MeasureInfo, settings, incomplete int, smallest bool) string {
	text := a.choice(info, settings, incomplete, smallest)
	switch {
	case incomplete == 0 || a.Questions < leastQuestions:
		return text
	case incomplete == 1:
		return text + " Another setting is not advised: it brings fewer procedures back whole."
	default:
		return fmt.Sprintf("%s %d other settings are not advised: they bring fewer procedures back whole.", text, incomplete)
	}
}

func (a Advice) choice(info MeasureInfo, settings, incomplete int, smallest bool) string {
	verb := "reaches " + info.Label + " " + share(a.Chosen.Value.Mean)
	best := "reaches " + share(a.Best.Value.Mean)
	if info.Measure == Found {
		verb, best = "finds "+share(a.Chosen.Value.Mean)+" of the answers", "finds "+share(a.Best.Value.Mean)
	}
	said := fmt.Sprintf("%s %s with %s tokens", a.Chosen.Setting.Strategy, verb, thousands(a.Chosen.Tokens))
	switch {
	case a.Questions < leastQuestions:
		return fmt.Sprintf("Only %s: too few to advise, %d are needed (so far %s).", questions(a.Questions), leastQuestions, said)
	case settings == 1 && incomplete > 0:
		return said + "."
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

// share prints a share with two digits, as tables do: "0.84".
func share(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// thousands prints a whole number with commas: "1,240".
func thousands(f float64) string {
	s := strconv.FormatFloat(f, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
