package rag

import (
	"encoding/json"
	"time"
)

// QuestionSet is a named list of questions whose answers are known. One that
// belongs to a space is read by who reads the space; one that belongs to none
// is read by who may read every space.
type QuestionSet struct {
	ID        int64
	Name      string // unique in its space
	SpaceID   int64  // 0: every space
	Space     string // its name, "" for every space
	Questions int    // in the set
	Created   time.Time
	Updated   time.Time // when a question was last added, changed or removed
}

// EvalQuestion is a question as it is stored: Body is the question as a line of
// JSON, see package rag/evaluate, which reads and writes it.
type EvalQuestion struct {
	ID   string // unique in the set
	Body json.RawMessage
}

// RunState is where an evaluation run stands. Only RunRunning changes further.
type RunState string

// The states of a run.
const (
	RunRunning   RunState = "running"
	RunDone      RunState = "done"
	RunCancelled RunState = "cancelled" // what was measured until then is kept
	RunFailed    RunState = "failed"    // Failure says why
)

// EvalRun is a run as it is stored: Plan and Results are JSON, which package
// rag/evaluate reads and writes.
type EvalRun struct {
	ID       int64
	SetID    int64
	Set      string // name of the question set
	SpaceID  int64  // of the set; 0: every space
	Name     string // for people; may be empty
	State    RunState
	Done     int // retrievals done
	Total    int // retrievals to do
	Failure  string
	Started  time.Time
	Finished time.Time // zero while it runs
	Plan     json.RawMessage
	Results  []EvalResult // nil in lists
}

// EvalResult is what one setting of a run gave.
type EvalResult struct {
	Summary  json.RawMessage // the setting and its figures
	Outcomes json.RawMessage // question by question; nil when they were not asked for
}

// Source is the text of a live version and the document it belongs to.
type Source struct {
	Document Document
	Text     string
}
