package handlers

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"passage/rag/evaluate"
	"passage/rag/plot"
	"passage/views"
)

// plots draws the chosen measure against the tokens it costs: over all
// questions, and for each document type when there are several.
func plots(results []evaluate.Result, q runQuery, types []views.Option, advised map[string]int) []views.Plot {
	var drawn []views.Plot
	for i, t := range types {
		if t.Value == "" && len(types) == 2 {
			continue // one type alone: the picture of all is its own
		}
		chosen, ok := advised[t.Value]
		if !ok {
			chosen = -1
		}
		c := chart(results, t.Value, q.measure, chosen)
		c.ID = "plot-" + strconv.Itoa(i)
		c.Title = capital(q.measure.Label) + " against tokens: " + t.Label
		hint := questionsOf(results, t.Value, q.measure)
		if chosen >= 0 {
			hint += ", the advised setting is ringed"
		}
		drawn = append(drawn, views.Plot{Title: t.Label, Hint: hint, SVG: views.SafeHTML(c.SVG())})
	}
	return drawn
}

// chart makes the picture of a measure: a series for each family of strategies,
// in the order of the settings.
func chart(results []evaluate.Result, docType string, info evaluate.MeasureInfo, advised int) plot.Chart {
	tokens := measureInfo(evaluate.Tokens)
	c := plot.Chart{
		X: plot.Axis{Label: "tokens of context for a question", Log: true, Zero: true},
		Y: plot.Axis{Label: info.Label, Zero: info.Amount},
	}
	if !info.Amount {
		c.Y.Least, c.Y.Most = 0, 1
	}
	for i, r := range results {
		s := summaryOf(r, docType)
		y, hasY := s[info.Measure]
		x, hasX := s[evaluate.Tokens]
		if !hasY || !hasX {
			continue
		}
		name, label := family(r.Setting)
		at := slices.IndexFunc(c.Series, func(s plot.Series) bool { return s.Name == name })
		if at < 0 {
			at = len(c.Series)
			c.Series = append(c.Series, plot.Series{Name: name})
		}
		detail := fmt.Sprintf("%s: %s", settingName(r.Setting), figure(info, y.Mean))
		if in := interval(info, y); in != "" {
			detail += " (" + in + ")"
		}
		c.Series[at].Points = append(c.Series[at].Points, plot.Point{
			X: x.Mean, Y: y.Mean, Low: y.Low, High: y.High, Label: label, Strong: i == advised,
			Detail: detail + ", " + figure(tokens, x.Mean) + " tokens",
		})
	}
	for _, s := range c.Series {
		slices.SortStableFunc(s.Points, func(a, b plot.Point) int { return cmp.Compare(a.X, b.X) })
	}
	c.Desc = "Nothing was measured."
	if best := bestOf(results, docType, info); best >= 0 {
		s := summaryOf(results[best], docType)
		c.Desc = fmt.Sprintf("%s in %s. The best is %s with %s at %s tokens. The table below holds all figures.",
			count(len(results), "setting", "settings"), count(len(c.Series), "family", "families"),
			settingName(results[best].Setting), figure(info, s[info.Measure].Mean), figure(tokens, s[evaluate.Tokens].Mean))
	}
	return c
}

// questionsOf says how many questions a picture rests on.
func questionsOf(results []evaluate.Result, docType string, info evaluate.MeasureInfo) string {
	n := 0
	for _, r := range results {
		n = max(n, summaryOf(r, docType)[info.Measure].N)
	}
	return count(n, "question", "questions")
}
