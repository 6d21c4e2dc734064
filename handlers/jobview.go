package handlers

import (
	"fmt"
	"strconv"
	"time"

	"passage/rag"
	"passage/views"
)

// jobLabels say in which state a job is.
var jobLabels = map[rag.JobState]struct{ label, kind string }{
	rag.JobQueued:    {"Waiting", ""},
	rag.JobRunning:   {"Under way", "info"},
	rag.JobDone:      {"Live", "ok"},
	rag.JobFailed:    {"Not taken", "error"},
	rag.JobCancelled: {"Cancelled", ""},
}

var stageLabels = map[rag.JobStage]string{
	rag.StageReading:   "Reading the file",
	rag.StageEmbedding: "Embedding",
	rag.StageWriting:   "Checking and taking it live",
}

var outcomeLabels = map[string]string{"created": "New", "updated": "Updated", "unchanged": "Unchanged"}

func (p *pages) jobView(j rag.Job) views.Job {
	l := jobLabels[j.State]
	v := views.Job{
		ID: itoa(j.ID), Name: j.SourceURI, Space: j.Space, State: l.label, Kind: l.kind, Size: fileSize(j.Bytes),
		Message: j.Message, Reason: j.Reason, Warnings: j.Warnings, When: j.Created.UTC().Format("2 January 2006, 15:04 MST"),
	}
	if j.DocumentID != 0 {
		v.URL = documentURL(j.DocumentID)
	}
	switch j.State {
	case rag.JobRunning:
		v.Stage, v.CancelURL = stageLabels[j.Stage], "/jobs/"+v.ID+"/cancel"
		if j.Stage == rag.StageEmbedding && j.Units > 0 {
			v.Share = strconv.Itoa(100 * j.UnitsDone / j.Units)
			v.Rate = rateOf(j, time.Now())
		}
		if j.Attempt > 1 {
			v.Stage += fmt.Sprintf(" (try %d of %d)", j.Attempt, j.Attempts)
		}
	case rag.JobQueued:
		v.CancelURL = "/jobs/" + v.ID + "/cancel"
		if !j.NextTry.IsZero() {
			v.Stage = fmt.Sprintf("Tried %s of at most %d; the next try is at %s", count(j.Attempt, "time", "times"), j.Attempts, j.NextTry.UTC().Format("15:04:05 MST"))
		}
	case rag.JobFailed, rag.JobCancelled:
		v.RetryURL = "/jobs/" + v.ID + "/retry"
	case rag.JobDone:
		v.Outcome = outcomeLabels[j.Outcome]
	}
	return v
}

// rateOf says how fast the units of a job get their vectors, and how long it
// will take.
func rateOf(j rag.Job, now time.Time) string {
	took := now.Sub(j.Started).Seconds()
	text := fmt.Sprintf("%d of %d units", j.UnitsDone, j.Units)
	if j.UnitsDone == 0 || took < 1 {
		return text
	}
	rate := float64(j.UnitsDone) / took
	left := time.Duration(float64(j.Units-j.UnitsDone)/rate) * time.Second
	return fmt.Sprintf("%s, %.0f a second, about %s left", text, rate, left.Round(time.Second))
}
