package handlers

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/views"
)

// Queue keeps the jobs of taking files in. Every method takes the scope.
type Queue interface {
	AddJob(ctx context.Context, scope rag.Scope, n rag.NewJob) (rag.Job, error)
	Job(ctx context.Context, scope rag.Scope, id int64) (rag.Job, error)
	Jobs(ctx context.Context, scope rag.Scope, f rag.JobFilter) ([]rag.Job, error)
	JobCounts(ctx context.Context, scope rag.Scope) (map[rag.JobState]int, error)
	CancelJob(ctx context.Context, scope rag.Scope, id int64) error
	RetryJob(ctx context.Context, scope rag.Scope, id int64) error
}

// Paths of the pages of jobs.
const (
	jobsPath       = "/jobs"
	jobsStreamPath = "/jobs/stream"
)

// shownJobs is how many jobs a page shows: as many as one upload may bring.
const shownJobs = maxFiles

// jobGap is how often the list is looked at while it is watched.
const jobGap = time.Second

func (p *pages) jobPages(site *echo.Group) {
	site.GET(jobsPath, p.jobs)
	site.GET(jobsStreamPath, p.jobsStream)
	site.GET("/jobs/:id", p.job)
	site.POST("/jobs/:id/cancel", p.cancelJob)
	site.POST("/jobs/:id/retry", p.retryJob)
}

// jobsAsked reads which jobs are asked for: those of one upload, of one document,
// or in one state.
func jobsAsked(q url.Values) (f rag.JobFilter, err error) {
	number := func(name string) int64 {
		n, bad := strconv.ParseInt(q.Get(name), 10, 64)
		if q.Get(name) != "" && (bad != nil || n < 1) {
			err = rag.Errorf(rag.CodeInvalid, "“%s” must be a number from 1.", name)
		}
		return n
	}
	f = rag.JobFilter{From: number("from"), Document: number("document"), Limit: shownJobs}
	for id := range strings.SplitSeq(q.Get("ids"), ",") {
		n, bad := strconv.ParseInt(id, 10, 64)
		if id != "" && bad != nil {
			err = rag.Errorf(rag.CodeInvalid, "“ids” must be numbers with commas between them.")
		}
		if id != "" {
			f.IDs = append(f.IDs, n)
		}
	}
	if to := number("to"); to > 0 {
		f.Before = to + 1
	}
	switch state := rag.JobState(q.Get("state")); state {
	case "":
	case "open":
		f.States = []rag.JobState{rag.JobQueued, rag.JobRunning}
	case rag.JobQueued, rag.JobRunning, rag.JobDone, rag.JobFailed, rag.JobCancelled:
		f.States = []rag.JobState{state}
	default:
		err = rag.Errorf(rag.CodeInvalid, "There is no state “%s” of a job.", string(state))
	}
	return f, err
}

// jobs lists jobs, newest first; those of an upload in the order of its files.
func (p *pages) jobs(c echo.Context) error {
	view, err := p.jobList(c, c.QueryParams())
	if err != nil {
		return err
	}
	if view.Writing {
		c.Response().Header().Set("Cache-Control", "no-store")
	}
	return draw(c, http.StatusOK, views.JobsPage(views.Layout{Title: "Jobs", Section: "jobs", Refresh: refreshOf(view)}, view))
}

// refreshOf has browsers without scripts load the page again while a job runs.
func refreshOf(view views.Jobs) int {
	if view.Writing {
		return 3
	}
	return 0
}

// jobList makes the view of the jobs that are asked for, see jobsAsked.
func (p *pages) jobList(c echo.Context, asked url.Values) (views.Jobs, error) {
	filter, err := jobsAsked(asked)
	if err != nil {
		return views.Jobs{}, err
	}
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	list, err := p.cfg.Queue.Jobs(ctx, scope, filter)
	if err != nil {
		return views.Jobs{}, fmt.Errorf("listing jobs: %w", err)
	}
	counts, err := p.cfg.Queue.JobCounts(ctx, scope)
	if err != nil {
		return views.Jobs{}, fmt.Errorf("counting jobs: %w", err)
	}
	view := views.Jobs{CSRF: csrfOf(c), Upload: filter.From > 0 || filter.IDs != nil, More: len(list) == filter.Limit}
	done := 0
	for _, j := range list {
		view.Jobs = append(view.Jobs, p.jobView(j))
		if j.State.Final() {
			done++
		} else {
			view.Writing = true
		}
	}
	view.Progress = fmt.Sprintf("%d of %s finished", done, count(len(list), "file", "files"))
	view.Done, view.All = done, len(list)
	chosen := asked.Get("state")
	for _, s := range []struct{ value, label string }{
		{"", "All"}, {"open", "Under way"}, {string(rag.JobFailed), "Failed"}, {string(rag.JobDone), "Done"}, {string(rag.JobCancelled), "Cancelled"},
	} {
		n := counts[rag.JobState(s.value)]
		switch s.value {
		case "":
			n = 0
			for _, of := range counts {
				n += of
			}
		case "open":
			n = counts[rag.JobQueued] + counts[rag.JobRunning]
		}
		link := jobsPath
		if s.value != "" {
			link += "?state=" + s.value
		}
		view.States = append(view.States, views.JobFilter{Label: s.label, Count: strconv.Itoa(n), URL: link, Chosen: chosen == s.value && !view.Upload})
	}
	view.StreamURL = jobsStreamPath + "?" + asked.Encode()
	return view, nil
}

// jobsStream sends the list each time that it has changed, until all of its jobs
// are final.
func (p *pages) jobsStream(c echo.Context) error {
	out := newEventStream(c, p.cfg.EventWrite)
	defer out.end()
	ctx := c.Request().Context()
	var last string
	begun := false
	for {
		view, err := p.jobList(c, c.QueryParams())
		if err != nil {
			if begun {
				return nil // the reader comes back; a stream cannot carry an error page
			}
			return err
		}
		html, err := text(ctx, views.JobRows(view))
		if err != nil {
			return fmt.Errorf("drawing jobs: %w", err)
		}
		if !begun && out.begin() != nil {
			return nil
		}
		begun = true
		if html != last {
			if out.send("jobs", html) != nil {
				return nil
			}
			last = html
		} else if out.comment() != nil {
			return nil
		}
		if !view.Writing {
			_ = out.send("done", "done") // when this fails the reader is gone
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(jobGap):
		}
	}
}

// jobJSON is what programs are told of a job.
type jobJSON struct {
	ID         int64    `json:"id"`
	URI        string   `json:"uri"`
	Space      string   `json:"space"`
	State      string   `json:"state"`
	Final      bool     `json:"final"`
	Stage      string   `json:"stage,omitempty"`
	UnitsDone  int      `json:"units_done"`
	Units      int      `json:"units"`
	Attempt    int      `json:"attempt"`
	Message    string   `json:"message,omitempty"`
	Outcome    string   `json:"outcome,omitempty"`
	Warnings   []string `json:"warnings,omitempty"`
	DocumentID int64    `json:"document_id,omitempty"`
	VersionID  int64    `json:"version_id,omitempty"`
}

// job shows one job, as a page or, to those who ask for it, as JSON.
func (p *pages) job(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	j, err := p.cfg.Queue.Job(c.Request().Context(), p.cfg.ScopeOf(c), id)
	if err != nil {
		return fmt.Errorf("reading job %d: %w", id, err)
	}
	if !strings.Contains(c.Request().Header.Get("Accept"), "application/json") {
		return c.Redirect(http.StatusSeeOther, fmt.Sprintf("%s?from=%d&to=%d", jobsPath, id, id))
	}
	return c.JSON(http.StatusOK, jobJSON{
		ID: j.ID, URI: j.SourceURI, Space: j.Space, State: string(j.State), Final: j.State.Final(), Stage: string(j.Stage),
		UnitsDone: j.UnitsDone, Units: j.Units, Attempt: j.Attempt, Message: j.Message, Outcome: j.Outcome,
		Warnings: j.Warnings, DocumentID: j.DocumentID, VersionID: j.VersionID,
	})
}

func (p *pages) cancelJob(c echo.Context) error { return p.changeJob(c, p.cfg.Queue.CancelJob) }

func (p *pages) retryJob(c echo.Context) error { return p.changeJob(c, p.cfg.Queue.RetryJob) }

func (p *pages) changeJob(c echo.Context, change func(context.Context, rag.Scope, int64) error) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	if err := change(c.Request().Context(), p.cfg.ScopeOf(c), id); err != nil {
		return fmt.Errorf("changing job %d: %w", id, err)
	}
	back := c.Request().Header.Get("Referer")
	if u, err := url.Parse(back); err == nil && u.Path == jobsPath {
		return c.Redirect(http.StatusSeeOther, jobsPath+"?"+u.RawQuery)
	}
	return c.Redirect(http.StatusSeeOther, jobsPath)
}
