package handlers

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/evaluate"
	"passage/views"
)

// Evaluation keeps question sets and runs, and measures. Every method keeps to
// the scope: what lies outside gives CodeNotFound.
type Evaluation interface {
	Sets(ctx context.Context, scope rag.Scope) ([]evaluate.QuestionSet, error)
	EnsureSet(ctx context.Context, scope rag.Scope, spaceID int64, name string) (evaluate.QuestionSet, error)
	Put(ctx context.Context, scope rag.Scope, setID int64, questions []evaluate.Question) (added, changed int, err error)
	// Check says what is wrong with the questions of a set: documents and texts
	// that are not there.
	Check(ctx context.Context, scope rag.Scope, setID int64) ([]evaluate.Problem, error)
	AddDraft(ctx context.Context, scope rag.Scope, setID int64, d evaluate.Draft) (evaluate.Question, error)
	Questions(ctx context.Context, scope rag.Scope, setID int64) ([]evaluate.Question, error)
	// Runs lists the runs of a set, of every set for 0, the newest first.
	Runs(ctx context.Context, scope rag.Scope, setID int64, limit int) ([]evaluate.Run, error)
	Run(ctx context.Context, scope rag.Scope, id int64, outcomes bool) (evaluate.Run, error)
	// ChunkStrategies are those whose chunks every document of a set has.
	ChunkStrategies(ctx context.Context, scope rag.Scope, setID int64) ([]rag.Strategy, error)
	// Start begins a run in the background. Errors: CodeInvalid, CodeNotFound,
	// CodeUnavailable.
	Start(ctx context.Context, scope rag.Scope, plan evaluate.Plan) (evaluate.Run, error)
	// CancelRun ends a run, which keeps what it measured. Errors: CodeConflict
	// when it has ended.
	CancelRun(ctx context.Context, scope rag.Scope, id int64) error
}

// Tuner changes how the hits of a document type grow.
type Tuner interface {
	// SetStrategy gives a document type another strategy, and its documents the
	// units that it searches. Errors: CodeNotFound, CodeInvalid.
	SetStrategy(ctx context.Context, docType string, s rag.Strategy) error
}

const (
	listedRuns = 20   // on one page of the list
	mostRuns   = 2000 // that the list reaches back to
)

// evaluation shows question sets and runs.
func (p *pages) evaluation(c echo.Context) error {
	view := views.Evaluation{}
	if c.QueryParam("imported") != "" {
		view.Notice = &views.Notice{Kind: "info", Text: importedText(c)}
		if err := p.checkImport(c, &view); err != nil {
			return err
		}
	}
	return p.showEvaluation(c, http.StatusOK, view, startValues{})
}

// showEvaluation fills the page in around what a form had to say.
func (p *pages) showEvaluation(c echo.Context, status int, view views.Evaluation, chosen startValues) error {
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	sets, err := p.cfg.Evaluation.Sets(ctx, scope)
	if err != nil {
		return fmt.Errorf("listing question sets: %w", err)
	}
	page := pageOf(c)
	runs, err := p.cfg.Evaluation.Runs(ctx, scope, 0, min(page*listedRuns+1, mostRuns))
	if err != nil {
		return fmt.Errorf("listing runs: %w", err)
	}
	spaces, err := p.cfg.Store.Spaces(ctx, scope)
	if err != nil {
		return fmt.Errorf("listing spaces: %w", err)
	}
	for _, s := range spaces {
		view.Import.Spaces = append(view.Import.Spaces, views.Option{Value: itoa(s.ID), Label: s.Name, Selected: itoa(s.ID) == chosen.space})
	}
	view.CSRF, view.Import.Limit = csrfOf(c), megabytes(mostQuestionBytes)
	view.Import.Open = view.Import.Open || len(sets) == 0
	layout := views.Layout{Title: "Evaluation", Section: "evaluation"}
	if len(runs) > 0 && runs[0].State == rag.RunRunning {
		progress := p.progress(c, runs[0])
		progress.URL = runURL(runs[0].ID)
		view.Running, layout.Refresh = &progress, refreshSeconds
	}
	for _, s := range sets {
		view.Sets = append(view.Sets, setItem(s, runs))
	}
	view.Start = startForm(sets, chosen)

	from := min((page-1)*listedRuns, len(runs))
	for _, r := range runs[from:min(from+listedRuns, len(runs))] {
		view.Runs = append(view.Runs, runItem(r))
	}
	if page > 1 {
		view.Prev = evaluationURL(page - 1)
	}
	if len(runs) > page*listedRuns {
		view.Next = evaluationURL(page + 1)
	}
	view.Count = count(len(runs), "run", "runs")
	if view.Prev != "" || view.Next != "" {
		view.Count = fmt.Sprintf("Runs %d–%d, newest first", from+1, from+len(view.Runs))
	}
	return draw(c, status, views.EvaluationPage(layout, view))
}

func pageOf(c echo.Context) int {
	n, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil || n < 1 || n > mostRuns/listedRuns {
		return 1
	}
	return n
}

func evaluationURL(page int) string {
	if page < 2 {
		return "/evaluation"
	}
	return "/evaluation?page=" + strconv.Itoa(page)
}

func runURL(id int64) string { return "/evaluation/runs/" + itoa(id) }

func setItem(s evaluate.QuestionSet, runs []evaluate.Run) views.QuestionSet {
	item := views.QuestionSet{
		Name: s.Name, Space: s.Space, Questions: count(s.Questions, "question", "questions"),
		Origin: "imported", ExportURL: "/evaluation/sets/" + itoa(s.ID) + ".jsonl",
	}
	if s.Space == "" {
		item.Space = "Every space"
	}
	if s.Name == evaluate.FeedbackSet {
		item.Origin = "made from answers that readers marked as wrong"
	}
	item.Changed, item.ChangedISO = dates(s.Updated)
	if i := slices.IndexFunc(runs, func(r evaluate.Run) bool { return r.SetID == s.ID }); i >= 0 {
		item.LastRun, item.LastRunURL = moment(runs[i].Started), runURL(runs[i].ID)
	}
	return item
}

func runItem(r evaluate.Run) views.RunItem {
	item := views.RunItem{
		Title: runTitle(r), URL: runURL(r.ID), Set: r.Set, Started: moment(r.Started), StartedISO: r.Started.Format(time.RFC3339),
		Facts: count(len(r.Plan.Settings), "setting", "settings"),
	}
	if r.Plan.Questions > 0 {
		item.Facts += " on " + count(r.Plan.Questions, "question", "questions")
	}
	item.State, item.Kind = runState(r)
	return item
}

// runState is the state of a run in a word, and the class of its badge.
func runState(r evaluate.Run) (word, kind string) {
	switch r.State {
	case rag.RunRunning:
		return "Running", "warning"
	case rag.RunDone:
		return "Finished", "ok"
	case rag.RunCancelled:
		return "Cancelled", ""
	case rag.RunFailed:
		return "Failed", "error"
	default:
		return string(r.State), ""
	}
}

// runTitle names a run that has no name by its set and number.
func runTitle(r evaluate.Run) string {
	if r.Name != "" {
		return r.Name
	}
	return r.Set + ", run " + itoa(r.ID)
}

// moment is a point in time as people read it.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2 January 2006, 15:04")
}
