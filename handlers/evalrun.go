package handlers

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/evaluate"
	"passage/views"
)

const (
	listedProblems = 20 // of a run's questions that were left out
	comparedRuns   = 50 // to choose from
)

// runQuery is what the page of a run is asked for by its address.
type runQuery struct {
	id      int64
	measure evaluate.MeasureInfo
	docType string // "": all
	sort    string // a measure, with "-" before it from the greatest down; "": as the run had them
	setting int    // index of the one whose worst questions are shown; -1: the best
	with    int64  // the run to compare with; 0: none
}

func readRunQuery(c echo.Context, id int64) runQuery {
	q := runQuery{id: id, measure: measureInfo(evaluate.Found), docType: c.QueryParam("type"), setting: -1}
	if info, ok := evaluate.Info(evaluate.Measure(c.QueryParam("measure"))); ok {
		q.measure = info
	}
	by := c.QueryParam("sort")
	if _, ok := evaluate.Info(evaluate.Measure(strings.TrimPrefix(by, "-"))); ok {
		q.sort = by
	}
	if n, err := strconv.Atoi(c.QueryParam("setting")); err == nil && n >= 0 {
		q.setting = n
	}
	if id, err := strconv.ParseInt(c.QueryParam("with"), 10, 64); err == nil { // what is no number compares with nothing
		q.with = id
	}
	return q
}

// url is the address of the page that shows this.
func (q runQuery) url() string {
	v := url.Values{}
	set := func(say bool, name, value string) {
		if say {
			v.Set(name, value)
		}
	}
	set(q.measure.Measure != evaluate.Found, "measure", string(q.measure.Measure))
	set(q.docType != "", "type", q.docType)
	set(q.sort != "", "sort", q.sort)
	set(q.setting >= 0, "setting", strconv.Itoa(q.setting))
	set(q.with > 0, "with", itoa(q.with))
	if len(v) == 0 {
		return runURL(q.id)
	}
	return runURL(q.id) + "?" + v.Encode()
}

func (q runQuery) sorted(by string) runQuery {
	q.sort = by
	return q
}

func (q runQuery) of(setting int) runQuery {
	q.setting = setting
	return q
}

// run shows one run.
func (p *pages) run(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	ctx, scope, q := c.Request().Context(), p.cfg.ScopeOf(c), readRunQuery(c, id)
	run, err := p.cfg.Evaluation.Run(ctx, scope, id, true)
	if err != nil {
		return fmt.Errorf("reading run %d: %w", id, err)
	}
	labels, err := p.typeLabels(ctx)
	if err != nil {
		return err
	}
	view := runHead(run)
	view.CSRF = csrfOf(c)
	layout := views.Layout{Title: view.Title, Section: "evaluation"}
	if run.State == rag.RunRunning {
		progress := p.progress(c, run)
		view.Running, layout.Refresh = &progress, refreshSeconds
	}
	if len(run.Results) > 0 {
		if err := p.showResults(ctx, scope, &view, run, q, library{labels: labels}); err != nil {
			return err
		}
	}
	return draw(c, http.StatusOK, views.EvaluationRunPage(layout, view))
}

// runHead is what is said of a run whether it has figures or not.
func runHead(run evaluate.Run) views.EvaluationRun {
	view := views.EvaluationRun{
		Title: runTitle(run), Set: run.Set, Started: moment(run.Started), StartISO: run.Started.Format(time.RFC3339),
	}
	view.State, view.Kind = runState(run)
	view.Facts = append(view.Facts, count(len(run.Plan.Settings), "setting", "settings"))
	if n := run.Plan.Questions; n > 0 {
		asked := count(n, "question", "questions")
		if run.Plan.Half != evaluate.HalfAll {
			asked += " of half " + strings.ToUpper(string(run.Plan.Half))
		}
		view.Facts = append(view.Facts, asked)
	}
	if corpus := run.Plan.Corpus; corpus.Documents > 0 {
		view.Facts = append(view.Facts, count(corpus.Documents, "document", "documents"))
		if corpus.Embedder == "" {
			view.Facts = append(view.Facts, "searched by words only")
		} else {
			view.Facts = append(view.Facts, corpus.Embedder)
		}
	}
	switch run.State {
	case rag.RunFailed:
		view.Notice = &views.Notice{Kind: "error", Head: "It did not finish", Text: run.Failure}
	case rag.RunCancelled:
		view.Notice = &views.Notice{Kind: "warning", Head: "Cancelled", Text: "It was cancelled, or the server was stopped, before its end. What was measured until then is kept."}
	default:
	}
	view.Trouble = trouble(run.Plan.Problems)
	view.Problems, view.More = problemList(run.Plan.Problems)
	return view
}

// problemList lists problems with their questions, and says how many more there
// are than are listed.
func problemList(problems []evaluate.Problem) (list []string, more string) {
	for _, problem := range problems[:min(len(problems), listedProblems)] {
		list = append(list, problem.Question+": "+problem.Why)
	}
	if n := len(problems) - listedProblems; n > 0 {
		more = "And " + strconv.Itoa(n) + " more."
	}
	return list, more
}

// troubled counts the questions that cannot be asked, and those that are asked
// without one of their places.
func troubled(problems []evaluate.Problem) (left, lacking int) {
	without := map[string]bool{} // one of the places, or all
	for _, p := range problems {
		without[p.Question] = without[p.Question] || p.LeftOut
	}
	for _, all := range without {
		if all {
			left++
		} else {
			lacking++
		}
	}
	return left, lacking
}

// trouble says how many questions could not be asked as they are.
func trouble(problems []evaluate.Problem) string {
	left, lacking := troubled(problems)
	var said []string
	if left > 0 {
		said = append(said, count(left, "question was", "questions were")+" left out")
	}
	if lacking > 0 {
		said = append(said, count(lacking, "question was", "questions were")+" asked without one of the places")
	}
	return strings.Join(said, ", ")
}

// showResults fills in the figures of a run and what follows from them.
func (p *pages) showResults(ctx context.Context, scope rag.Scope, view *views.EvaluationRun, run evaluate.Run, q runQuery, lib library) error {
	types := typesOf(run.Results, lib)
	if !slices.ContainsFunc(types, func(o views.Option) bool { return o.Value == q.docType }) {
		q.docType = ""
	}
	if q.setting >= len(run.Results) {
		q.setting = -1
	}
	advice, err := p.advice(ctx, view, run, q, lib)
	if err != nil {
		return err
	}
	ringed, badges := map[string]int{}, map[int]string{}
	for _, a := range advice {
		if a.Strategy == nil {
			continue
		}
		ringed[a.DocType] = a.Chosen.Index
		if badges[a.Chosen.Index] == "" {
			badges[a.Chosen.Index] = "advised for "
		} else {
			badges[a.Chosen.Index] += ", "
		}
		badges[a.Chosen.Index] += lib.label(a.DocType)
	}
	best := bestOf(run.Results, q.docType, q.measure)
	if q.setting < 0 {
		q.setting = max(best, 0)
	}
	view.Headline = headline(run.Results, "", q.measure)
	view.Plots = plots(run.Results, q, types, ringed)
	view.Table = table(run.Results, q, badges)
	view.CSVURL = runURL(run.ID) + "/run-" + itoa(run.ID) + ".csv"
	view.JSONURL = runURL(run.ID) + "/run-" + itoa(run.ID) + ".json"
	if view.Choose, err = p.choose(ctx, scope, run, q, types); err != nil {
		return err
	}
	if view.Compare, err = p.comparison(ctx, scope, run, q); err != nil {
		return err
	}
	view.Worst, err = p.worst(ctx, scope, run, q)
	return err
}

// headline says what came out in one sentence.
func headline(results []evaluate.Result, docType string, info evaluate.MeasureInfo) string {
	best := bestOf(results, docType, info)
	if best < 0 {
		return ""
	}
	s := summaryOf(results[best], docType)
	e := s[info.Measure]
	text := fmt.Sprintf("%s is best: %s %s", settingName(results[best].Setting), info.Label, figure(info, e.Mean))
	if in := interval(info, e); in != "" {
		text += " (" + in + ")"
	}
	text += " on " + count(e.N, "question", "questions")
	if t, ok := s[evaluate.Tokens]; ok && info.Measure != evaluate.Tokens {
		text += ", with " + figure(measureInfo(evaluate.Tokens), t.Mean) + " tokens for each"
	}
	return text + "."
}

// typesOf are all questions, and the document types that they expect.
func typesOf(results []evaluate.Result, lib library) []views.Option {
	types := []views.Option{{Value: "", Label: "All documents"}}
	for _, r := range results {
		for name := range r.ByType {
			if !slices.ContainsFunc(types, func(o views.Option) bool { return o.Value == name }) {
				types = append(types, views.Option{Value: name, Label: lib.label(name)})
			}
		}
	}
	slices.SortFunc(types[1:], func(a, b views.Option) int { return strings.Compare(a.Label, b.Label) })
	return types
}

// choose makes the form that chooses what is shown.
func (p *pages) choose(ctx context.Context, scope rag.Scope, run evaluate.Run, q runQuery, types []views.Option) (views.RunChoice, error) {
	form := views.RunChoice{Action: runURL(run.ID), Sort: q.sort, Help: q.measure.Help, Others: []views.Option{{Label: "No other run"}}}
	for _, info := range evaluate.Measures() {
		has := func(r evaluate.Result) bool { _, ok := r.Total[info.Measure]; return ok }
		if slices.ContainsFunc(run.Results, has) {
			form.Measures = append(form.Measures, views.Option{Value: string(info.Measure), Label: info.Label, Selected: info.Measure == q.measure.Measure})
		}
	}
	for _, t := range types {
		t.Selected = t.Value == q.docType
		form.Types = append(form.Types, t)
	}
	others, err := p.cfg.Evaluation.Runs(ctx, scope, run.SetID, comparedRuns)
	if err != nil {
		return form, fmt.Errorf("listing runs of set %d: %w", run.SetID, err)
	}
	for _, o := range others {
		if o.ID != run.ID && o.State != rag.RunRunning {
			form.Others = append(form.Others, views.Option{Value: itoa(o.ID), Label: runTitle(o) + ", " + moment(o.Started), Selected: o.ID == q.with})
		}
	}
	return form, nil
}
