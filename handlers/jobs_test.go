package handlers_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// T51, T53: each job says how far it is, how it ended and why.
func TestJobsSayWhereTheyAre(t *testing.T) {
	t.Parallel()
	s, b := uploads(t)
	b.jobs = []rag.Job{
		{ID: 1, SourceURI: "waiting.md", Space: "Platform", State: rag.JobQueued, Attempts: 6},
		{ID: 2, SourceURI: "half.md", State: rag.JobRunning, Stage: rag.StageEmbedding, UnitsDone: 50, Units: 200, Attempt: 2, Attempts: 6, Started: time.Now().Add(-10 * time.Second)},
		{ID: 3, SourceURI: "live.md", State: rag.JobDone, Outcome: "updated", DocumentID: 7, Reason: "It has a procedure.", Warnings: []string{"The fence is never closed."}},
		{ID: 4, SourceURI: "<b>bad.md", State: rag.JobFailed, Message: "Byte 3 is no UTF-8.", Attempt: 1, Attempts: 6},
		{ID: 5, SourceURI: "again.md", State: rag.JobQueued, Message: "The embedding server is busy.", Attempt: 1, Attempts: 6, NextTry: time.Date(2026, 3, 2, 10, 0, 7, 0, time.UTC)},
	}
	c := s.browser(t)
	_, page := s.open(t, c, "/jobs")
	list := texts(all(one(t, page, "ul", "jobs"), "li"))
	require.Len(t, list, 5)
	require.Contains(t, list[0], "Waiting again.md The embedding server is busy. Tried 1 time of at most 6; the next try is at 10:00:07 UTC")
	require.Contains(t, list[1], "Not taken <b>bad.md Byte 3 is no UTF-8.")
	require.Contains(t, list[2], "Live live.md Updated")
	require.Contains(t, list[2], "It has a procedure. The fence is never closed.")
	require.Contains(t, list[3], "Under way half.md Embedding (try 2 of 6) 50 of 200 units, 5 a second, about 30s left")
	require.Contains(t, words(page), "All 5")
	require.Contains(t, words(page), "Under way 3")

	_, page = s.open(t, c, "/jobs?state=failed")
	require.Len(t, all(one(t, page, "ul", "jobs"), "li"), 1)
	for _, bad := range []string{"?state=odd", "?from=x", "?ids=1,b", "?to=-1"} {
		resp, page := s.open(t, c, "/jobs"+bad)
		require.Equal(t, http.StatusBadRequest, resp.StatusCode, bad)
		require.NotEmpty(t, words(page))
	}

	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/jobs/4", nil)
	require.NoError(t, err)
	r.Header.Set("Accept", "application/json")
	resp, err := c.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	var told map[string]any
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&told))
	require.Equal(t, "failed", told["state"])
	require.Equal(t, true, told["final"])
	require.Equal(t, "Byte 3 is no UTF-8.", told["message"])
	missing, _ := s.open(t, c, "/jobs/99")
	require.Equal(t, http.StatusNotFound, missing.StatusCode)
}

func TestJobsAreCancelledAndTriedAgainFromThePage(t *testing.T) {
	t.Parallel()
	s, b := uploads(t)
	b.jobs = []rag.Job{{ID: 1, SourceURI: "a.md", State: rag.JobQueued}, {ID: 2, SourceURI: "b.md", State: rag.JobFailed, Message: "Busy."}}
	c := s.browser(t)
	_, page := s.open(t, c, "/jobs")
	s.submit(t, c, page, "/jobs/1/cancel", url.Values{})
	require.Equal(t, rag.JobCancelled, b.jobs[0].State)
	s.submit(t, c, page, "/jobs/2/retry", url.Values{})
	require.Equal(t, rag.JobQueued, b.jobs[1].State)
	resp, page := s.submit(t, c, page, "/jobs/1/cancel", url.Values{})
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	require.Contains(t, words(page), "The job is cancelled.")
}

// The list is sent again when it has changed, and the stream ends when all of
// its jobs have.
func TestJobsAreFollowed(t *testing.T) {
	t.Parallel()
	s, b := uploads(t)
	b.jobs = []rag.Job{{ID: 1, SourceURI: "a.md", State: rag.JobRunning}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/jobs/stream?from=1&to=1", nil)
	require.NoError(t, err)
	resp, err := s.browser(t).Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	stream := &reader{Scanner: bufio.NewScanner(resp.Body), resp: resp}
	e, ok := stream.next()
	require.True(t, ok)
	require.Equal(t, "jobs", e.name)
	require.Contains(t, e.data, "Under way")
	require.NoError(t, b.set(1, func(j *rag.Job) error { j.State = rag.JobDone; return nil }))
	seen := stream.until(t, "done")
	require.Contains(t, seen["jobs"], "Live")
	_, ok = stream.next()
	require.False(t, ok)
}
