package handlers

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"passage/rag"
	"passage/rag/evaluate"
	"passage/views"
)

// comparison sets the run beside another, setting by setting.
func (p *pages) comparison(ctx context.Context, scope rag.Scope, run evaluate.Run, q runQuery) (*views.Comparison, error) {
	if q.with <= 0 || q.with == run.ID {
		return nil, nil //nolint:nilnil // nothing is compared, which is no fault
	}
	other, err := p.cfg.Evaluation.Run(ctx, scope, q.with, true)
	if err != nil {
		return nil, fmt.Errorf("reading run %d: %w", q.with, err)
	}
	view := &views.Comparison{Title: runTitle(other), URL: runURL(other.ID), Measure: capital(q.measure.Label)}
	for _, r := range run.Results {
		i := slices.IndexFunc(other.Results, func(o evaluate.Result) bool { return o.Setting.Key() == r.Setting.Key() })
		if i < 0 {
			continue
		}
		then, now := narrowed(other.Results[i], q), narrowed(r, q)
		for _, d := range evaluate.Compare(then, now, run.Plan.Seed) {
			view.Rows = append(view.Rows, difference(q.measure, settingName(r.Setting), d))
		}
	}
	if len(view.Rows) == 0 {
		view.None = "The two runs have no setting and question in common that have this measure."
	}
	return view, nil
}

// narrowed leaves of a result what one comparison looks at: one measure, and the
// questions that expect one document type.
func narrowed(r evaluate.Result, q runQuery) evaluate.Result {
	var kept []evaluate.Outcome
	for _, o := range r.Outcomes {
		if v, ok := o.Values[q.measure.Measure]; ok && (q.docType == "" || o.DocType == q.docType) {
			o.Values = evaluate.Values{q.measure.Measure: v}
			kept = append(kept, o)
		}
	}
	r.Outcomes = kept
	return r
}

func difference(info evaluate.MeasureInfo, name string, d evaluate.Difference) views.Difference {
	row := views.Difference{
		Name: name, Then: figure(info, d.A), Now: figure(info, d.B), Change: signed(info, d.Mean), N: strconv.Itoa(d.N),
		Mark: "within noise",
	}
	if d.Low != d.High {
		row.Range = signed(info, d.Low) + " to " + signed(info, d.High)
	}
	switch {
	case d.Low == 0 && d.High == 0:
		row.Mark = "equal"
	case d.Noise():
	case better(info, d.Mean, 0):
		row.Mark, row.Kind = "better, beyond noise", "ok"
	default:
		row.Mark, row.Kind = "worse, beyond noise", "error"
	}
	return row
}
