package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/evaluate"
	"passage/views"
)

// advice fills in what the run advises for each document type. A run that can
// advise nothing, such as one over searches, has none.
func (p *pages) advice(ctx context.Context, view *views.EvaluationRun, run evaluate.Run, q runQuery, lib library) ([]evaluate.Advice, error) {
	list, err := p.advised.of(run, advisedBy(q.measure))
	if rag.ErrorCode(err) == rag.CodeInvalid {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	types, err := p.cfg.Store.DocTypes(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading document types: %w", err)
	}
	for _, a := range list {
		i := slices.IndexFunc(types, func(t rag.DocType) bool { return t.Name == a.DocType })
		if i < 0 {
			continue // the type is gone since
		}
		item := views.Advice{DocType: lib.label(a.DocType), Now: types[i].Strategy.String(), Reason: a.Reason, Chosen: a.DocType}
		if a.Strategy != nil {
			item.Setting, item.Same = a.Strategy.String(), *a.Strategy == types[i].Strategy
			if p.cfg.Tuner != nil && !item.Same {
				item.Action = runURL(run.ID) + "/apply?measure=" + string(advisedBy(q.measure))
				item.Apply = "Apply to " + item.DocType
			}
		}
		view.Advice = append(view.Advice, item)
	}
	return list, nil
}

// advisedBy is the measure that settings are advised by: the chosen one where it
// is a share of which more is better, else the main one.
func advisedBy(info evaluate.MeasureInfo) evaluate.Measure {
	if info.Amount || info.Less {
		return evaluate.Found
	}
	return info.Measure
}

// apply gives a document type the strategy that a run advises for it.
func (p *pages) apply(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	run, err := p.cfg.Evaluation.Run(ctx, scope, id, true)
	if err != nil {
		return fmt.Errorf("reading run %d: %w", id, err)
	}
	q := readRunQuery(c, id)
	list, err := p.advised.of(run, advisedBy(q.measure))
	if err != nil {
		return err
	}
	docType := c.FormValue("doc_type")
	i := slices.IndexFunc(list, func(a evaluate.Advice) bool { return a.DocType == docType && a.Strategy != nil })
	if i < 0 {
		return rag.Errorf(rag.CodeConflict, "This run advises nothing for that document type.")
	}
	return p.tune(c, docType, *list[i].Strategy, q.url()+"#advice")
}

// setStrategy gives a document type the strategy of a form: the way back.
func (p *pages) setStrategy(c echo.Context) error {
	var s rag.Strategy
	if err := json.Unmarshal([]byte(c.FormValue("strategy")), &s); err != nil {
		return rag.WithCause(err, rag.CodeInvalid, "The form arrived damaged. Please load the page of the run again.")
	}
	if err := s.Validate(); err != nil {
		return err
	}
	return p.tune(c, c.FormValue("doc_type"), s, "/evaluation")
}

// tune changes the strategy of a document type, then says what changed and how
// to take it back.
func (p *pages) tune(c echo.Context, docType string, s rag.Strategy, back string) error {
	ctx := c.Request().Context()
	types, err := p.cfg.Store.DocTypes(ctx)
	if err != nil {
		return fmt.Errorf("reading document types: %w", err)
	}
	i := slices.IndexFunc(types, func(t rag.DocType) bool { return t.Name == docType })
	if i < 0 {
		return rag.Errorf(rag.CodeNotFound, "There is no such document type.")
	}
	before := types[i].Strategy
	if err := p.cfg.Tuner.SetStrategy(ctx, docType, s); err != nil {
		return fmt.Errorf("setting the strategy of %s: %w", docType, err)
	}
	undo, err := json.Marshal(before)
	if err != nil {
		return fmt.Errorf("writing a strategy: %w", err)
	}
	return draw(c, http.StatusOK, views.AppliedPage(views.Layout{Title: types[i].Label + " changed", Section: "evaluation"}, views.Applied{
		CSRF: csrfOf(c), DocType: types[i].Label, Before: before.String(), After: s.String(), UndoURL: strategyPath, Back: back,
		Undo: []views.Field{{Name: "doc_type", Value: docType}, {Name: "strategy", Value: string(undo)}},
	}))
}

const strategyPath = "/evaluation/strategy"
