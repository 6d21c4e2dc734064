package handlers

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/evaluate"
	"passage/rag/retrieve"
	"passage/views"
)

const mostTops = 5 // numbers of passages in one run

// sweeps describe the sweeps that have a name; one that is not here is shown by
// its name alone.
var sweeps = map[string]struct{ label, help string }{
	"default":  {"All strategies", "Windows, sections and the chunks that are indexed, beside what each type has now."},
	"windows":  {"Windows", "The sentence that was hit with 0 to 5 sentences on each side, its paragraph, its section."},
	"sections": {"Sections", "Whole sections, divided above 256, 512, 1,024 and 2,048 tokens."},
	"chunks":   {"Fixed chunks", "The chunks of fixed size that every document is cut into already."},
	"legs":     {"Searches", "Both searches together, by meaning only, by words only."},
	"top":      {"Number of passages", "1, 3, 5, 10 and 20 passages, each type as it is set now."},
	"fusion":   {"Weights", "Each weight of the search left out, halved and doubled, and ranks alone."},
}

// startValues are what the forms of the page hold.
type startValues struct {
	set, half, sweep, tops, name string
	space                        string // of the import
}

func readStart(c echo.Context) startValues {
	return startValues{
		set: c.FormValue("set"), half: c.FormValue("half"), sweep: c.FormValue("sweep"),
		tops: strings.TrimSpace(c.FormValue("tops")), name: strings.TrimSpace(c.FormValue("name")),
	}
}

// startForm makes the form that starts a run.
func startForm(sets []evaluate.QuestionSet, v startValues) views.RunForm {
	f := views.RunForm{Tops: v.tops, Name: v.name}
	if f.Tops == "" {
		f.Tops = strconv.Itoa(retrieve.DefaultTop)
	}
	for _, s := range sets {
		label := s.Name
		if s.Space != "" {
			label += " (" + s.Space + ")"
		}
		f.Sets = append(f.Sets, views.Option{Value: itoa(s.ID), Label: label + ", " + count(s.Questions, "question", "questions"), Selected: itoa(s.ID) == v.set})
	}
	for _, h := range []struct {
		half  evaluate.Half
		label string
	}{{evaluate.HalfAll, "All"}, {evaluate.HalfA, "Half A, to tune on"}, {evaluate.HalfB, "Half B, to report on"}} {
		f.Halves = append(f.Halves, views.Option{Value: string(h.half), Label: h.label, Selected: string(h.half) == v.half})
	}
	for i, name := range evaluate.SweepNames() {
		choice := views.Choice{Value: name, Label: name, Checked: name == v.sweep || v.sweep == "" && i == 0}
		if s, ok := sweeps[name]; ok {
			choice.Label, choice.Help = s.label, s.help
		}
		f.Sweeps = append(f.Sweeps, choice)
	}
	return f
}

// startRun begins a run and leads to its page, which shows how far it is.
func (p *pages) startRun(c echo.Context) error {
	ctx, scope, v := c.Request().Context(), p.cfg.ScopeOf(c), readStart(c)
	refuse := func(err error) error {
		status, message := describe(err)
		if status >= http.StatusInternalServerError || rag.ErrorCode(err) == rag.CodeNotFound {
			return err
		}
		return p.showEvaluation(c, status, views.Evaluation{Notice: &views.Notice{Kind: "error", Head: "The run was not started", Text: message}}, v)
	}
	running, err := p.cfg.Evaluation.Runs(ctx, scope, 0, listedRuns)
	if err != nil {
		return fmt.Errorf("listing runs: %w", err)
	}
	if slices.ContainsFunc(running, func(r evaluate.Run) bool { return r.State == rag.RunRunning }) {
		return refuse(rag.Errorf(rag.CodeConflict, "Another run is going on. Wait for its end, or cancel it."))
	}
	plan, err := p.planOf(c, scope, v)
	if err != nil {
		return refuse(err)
	}
	run, err := p.cfg.Evaluation.Start(ctx, scope, plan)
	if err != nil {
		return refuse(fmt.Errorf("starting a run on set %d: %w", plan.SetID, err))
	}
	return c.Redirect(http.StatusSeeOther, runURL(run.ID))
}

// planOf reads the plan of a run from the form.
func (p *pages) planOf(c echo.Context, scope rag.Scope, v startValues) (evaluate.Plan, error) {
	plan := evaluate.Plan{Name: v.name, Half: evaluate.Half(v.half), Seed: 1}
	if !slices.Contains([]evaluate.Half{evaluate.HalfAll, evaluate.HalfA, evaluate.HalfB}, plan.Half) {
		return plan, rag.Errorf(rag.CodeInvalid, "Please choose all questions, or one of the two halves.")
	}
	if len([]rune(v.name)) > maxNameSize {
		return plan, rag.Errorf(rag.CodeInvalid, "The name of a run has at most %d characters.", maxNameSize)
	}
	var err error
	if plan.SetID, err = strconv.ParseInt(v.set, 10, 64); err != nil {
		return plan, rag.Errorf(rag.CodeInvalid, "Please choose a question set.")
	}
	tops, err := readTops(v.tops)
	if err != nil {
		return plan, err
	}
	chunks, err := p.cfg.Evaluation.ChunkStrategies(c.Request().Context(), scope, plan.SetID)
	if err != nil {
		return plan, fmt.Errorf("reading the chunks of set %d: %w", plan.SetID, err)
	}
	sweep, err := evaluate.NamedSweep(v.sweep, chunks)
	if err != nil {
		return plan, err
	}
	if len(sweep.Tops) == 0 {
		sweep.Tops = tops
	}
	plan.Settings, err = sweep.Settings()
	return plan, err
}

// readTops reads numbers of passages: "5", "3, 5, 10".
func readTops(s string) ([]int, error) {
	var tops []int
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, rag.Errorf(rag.CodeInvalid, "“Passages returned” takes numbers from 1, such as 5 or 3, 5, 10; %q is none.", cutTo(part, 40))
		}
		tops = append(tops, n)
	}
	if len(tops) == 0 {
		tops = []int{retrieve.DefaultTop}
	}
	if len(tops) > mostTops {
		return nil, rag.Errorf(rag.CodeInvalid, "At most %d numbers of passages can be tried in one run.", mostTops)
	}
	return tops, nil
}

// progress is how far a run is.
func (p *pages) progress(c echo.Context, run evaluate.Run) views.Progress {
	v := views.Progress{
		Title: runTitle(run), PollURL: runURL(run.ID) + "/progress", CancelURL: runURL(run.ID) + "/cancel", CSRF: csrfOf(c),
		Done: run.Done, Total: run.Total, Words: "Beginning…",
	}
	if run.Total > 0 {
		v.Words = fmt.Sprintf("%s of %s questions asked, %d %%", grouped(float64(run.Done), 0), grouped(float64(run.Total), 0), 100*min(run.Done, run.Total)/run.Total)
	}
	return v
}

// runProgress is asked for again and again while a run goes on. When it has
// ended, the page that asks loads itself anew.
func (p *pages) runProgress(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	run, err := p.cfg.Evaluation.Run(c.Request().Context(), p.cfg.ScopeOf(c), id, false)
	if err != nil {
		return fmt.Errorf("reading run %d: %w", id, err)
	}
	if !isFragment(c) {
		return c.Redirect(http.StatusSeeOther, runURL(id))
	}
	if run.State != rag.RunRunning {
		c.Response().Header().Set("HX-Refresh", "true")
		return c.NoContent(http.StatusOK)
	}
	view := p.progress(c, run)
	if !strings.HasSuffix(c.Request().Header.Get("HX-Current-URL"), runURL(id)) {
		view.URL = runURL(id)
	}
	return draw(c, http.StatusOK, views.RunProgress(view))
}

// cancelRun ends a run and keeps what it measured.
func (p *pages) cancelRun(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	err = p.cfg.Evaluation.CancelRun(c.Request().Context(), p.cfg.ScopeOf(c), id)
	if err != nil && rag.ErrorCode(err) != rag.CodeConflict { // one that has ended meanwhile needs no cancelling
		return fmt.Errorf("cancelling run %d: %w", id, err)
	}
	return c.Redirect(http.StatusSeeOther, runURL(id))
}
