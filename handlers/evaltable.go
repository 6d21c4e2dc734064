package handlers

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"passage/rag/evaluate"
	"passage/views"
)

// tableMeasures are the columns of the table, in this order; one that no setting
// has is left out, and the chosen measure is always there.
var tableMeasures = []evaluate.Measure{
	evaluate.Found, evaluate.Tokens, evaluate.Hit5, evaluate.TokenRecall, evaluate.TokenIoU, evaluate.MRR, evaluate.NDCG10,
	evaluate.StepRecall, evaluate.Complete, evaluate.LastStep, evaluate.RefusedRightly, evaluate.RefusedWrongly,
	evaluate.Latency,
}

// summaryOf is what a setting gave on a document type, on all questions for "".
func summaryOf(r evaluate.Result, docType string) evaluate.Summary {
	if docType == "" {
		return r.Total
	}
	return r.ByType[docType]
}

// columnsOf are the measures that the table shows.
func columnsOf(results []evaluate.Result, q runQuery) []evaluate.MeasureInfo {
	var columns []evaluate.MeasureInfo
	shown := tableMeasures
	if !slices.Contains(shown, q.measure.Measure) {
		shown = append([]evaluate.Measure{q.measure.Measure}, shown...)
	}
	for _, m := range shown {
		has := func(r evaluate.Result) bool { _, ok := summaryOf(r, q.docType)[m]; return ok }
		if slices.ContainsFunc(results, has) {
			columns = append(columns, measureInfo(m))
		}
	}
	return columns
}

// better says that a mean is better than another.
func better(info evaluate.MeasureInfo, a, b float64) bool {
	if info.Less {
		return a < b
	}
	return a > b
}

// bestOf is the index of the best result by a measure, the one with fewer tokens
// among equals; -1 when none has the measure.
func bestOf(results []evaluate.Result, docType string, info evaluate.MeasureInfo) int {
	best := -1
	for i, r := range results {
		s := summaryOf(r, docType)
		e, ok := s[info.Measure]
		if !ok {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		than := summaryOf(results[best], docType)
		if better(info, e.Mean, than[info.Measure].Mean) ||
			e.Mean == than[info.Measure].Mean && s[evaluate.Tokens].Mean < than[evaluate.Tokens].Mean {
			best = i
		}
	}
	return best
}

// table makes the table of a run's figures.
func table(results []evaluate.Result, q runQuery, advised map[int]string) views.ResultTable {
	columns := columnsOf(results, q)
	t := views.ResultTable{
		Caption: "Figures by setting",
		Hint:    "Means over the questions, with the interval in which the means of 95 of 100 draws of such questions fall. A heading sorts the table, a setting shows its worst questions.",
	}
	t.Columns = append(t.Columns, heading(q, "", "Setting", "In the order of the run"))
	best := make([]int, len(columns))
	for i, info := range columns {
		t.Columns = append(t.Columns, heading(q, string(info.Measure), info.Label, info.Help))
		if best[i] = bestOf(results, q.docType, info); allEqual(results, q.docType, info) {
			best[i] = -1 // what all are is no merit
		}
	}
	for _, i := range order(results, q) {
		r := results[i]
		row := views.ResultRow{
			ID: "setting-" + strconv.Itoa(i), Name: settingName(r.Setting), URL: q.of(i).url() + "#worst",
			Current: i == q.setting, Advised: advised[i],
		}
		for n, info := range columns {
			cell := views.Cell{Value: "–", Best: best[n] >= 0 && sameMean(results, q.docType, info, i, best[n])}
			if e, ok := summaryOf(r, q.docType)[info.Measure]; ok {
				cell.Value, cell.Range = figure(info, e.Mean), interval(info, e)
				if info.Measure == evaluate.Latency {
					cell.Value, cell.Range = figure(info, e.P50), "p95 "+figure(info, e.P95)
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func sameMean(results []evaluate.Result, docType string, info evaluate.MeasureInfo, i, best int) bool {
	e, ok := summaryOf(results[i], docType)[info.Measure]
	return ok && e.Mean == summaryOf(results[best], docType)[info.Measure].Mean
}

func allEqual(results []evaluate.Result, docType string, info evaluate.MeasureInfo) bool {
	for i := range results {
		if !sameMean(results, docType, info, i, 0) {
			return false
		}
	}
	return true
}

// heading is a column's heading: its link sorts by it, the best first, and the
// other way round when it is sorted so already.
func heading(q runQuery, measure, label, help string) views.Column {
	c := views.Column{Label: label, Help: help, Sort: "none"}
	by, down := strings.CutPrefix(q.sort, "-")
	if measure == "" {
		c.URL = q.sorted("").url() + "#figures"
		return c
	}
	first := "-" + measure
	if measureInfo(evaluate.Measure(measure)).Less {
		first = measure
	}
	next := first
	if by == measure {
		c.Sort = "ascending"
		if down {
			c.Sort = "descending"
		}
		if q.sort == first {
			next = measure
			if !down {
				next = "-" + measure
			}
		}
	}
	c.URL = q.sorted(next).url() + "#figures"
	return c
}

// order gives the indexes of results as the table lists them. What lacks the
// measure comes last, either way.
func order(results []evaluate.Result, q runQuery) []int {
	all := make([]int, len(results))
	for i := range all {
		all[i] = i
	}
	by, down := strings.CutPrefix(q.sort, "-")
	if by == "" {
		return all
	}
	slices.SortStableFunc(all, func(a, b int) int {
		x, hasX := summaryOf(results[a], q.docType)[evaluate.Measure(by)]
		y, hasY := summaryOf(results[b], q.docType)[evaluate.Measure(by)]
		switch {
		case !hasX || !hasY:
			return cmp.Compare(rank(hasY), rank(hasX))
		case down:
			return cmp.Compare(y.Mean, x.Mean)
		default:
			return cmp.Compare(x.Mean, y.Mean)
		}
	})
	return all
}

func rank(is bool) int {
	if is {
		return 1
	}
	return 0
}
