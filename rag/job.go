package rag

import "time"

// JobState is how far a job is.
type JobState string

// The states of a job. The last three are final.
const (
	JobQueued    JobState = "queued"    // waits for a worker, or for its next try
	JobRunning   JobState = "running"   // a worker is at it
	JobDone      JobState = "done"      // its document is live, or was already
	JobFailed    JobState = "failed"    // the reason is in Message; what was live before still is
	JobCancelled JobState = "cancelled" // by a person; what was live before still is
)

// Final says that the job will not change any more by itself.
func (s JobState) Final() bool {
	return s == JobDone || s == JobFailed || s == JobCancelled
}

// JobStage is what a worker does for a job just now.
type JobStage string

// The stages of a job, in their order.
const (
	StageWaiting   JobStage = ""
	StageReading   JobStage = "reading"   // the file is read and split
	StageEmbedding JobStage = "embedding" // its units get their vectors
	StageWriting   JobStage = "writing"   // the version is checked and swapped live
)

// NewJob is a file to be taken in by a worker.
type NewJob struct {
	SpaceID   int64
	SourceURI string // identity in the space: a slash-separated path, or a URL
	Name      string // of the file, whose ending tells its format; "" when SourceURI does
	DocType   string // "" to guess
	Data      []byte // the file
	SourceID  int64  // of the source that a sync found it in; 0 for an upload
	Link      string // web address of the file as it was found, such as at its commit; "" for none
}

// Job is the taking in of one file: its bytes are stored with it in one
// transaction, so that it survives whatever happens to the server.
type Job struct {
	ID         int64
	SpaceID    int64
	Space      string
	SourceURI  string
	Name       string
	DocType    string // as asked for; "" to guess
	SourceID   int64  // 0 for an upload
	Bytes      int    // of the file
	State      JobState
	Stage      JobStage
	UnitsDone  int // that have their vectors
	Units      int // in all; 0 until the file is read
	Attempt    int // tries begun
	Attempts   int // the most tries
	Message    string
	Outcome    string // what a job that is done did: "created", "updated", "unchanged"
	Reason     string // why this document type
	Warnings   []string
	DocumentID int64 // 0 until there is one
	VersionID  int64
	Created    time.Time
	Started    time.Time // of the last try; zero before
	Finished   time.Time // zero until it is final
	NextTry    time.Time // of a queued job that was tried before
}

// JobTry is one try at a job. What it writes counts only while the job is running
// and no later try has begun, so that a job is done once, whoever else was at it.
type JobTry struct {
	ID       int64
	Attempt  int
	Outcome  string // "created", "updated", "unchanged"
	Reason   string // why this document type
	Warnings []string
}

// JobFilter narrows a list of jobs; the zero value is all, newest first.
type JobFilter struct {
	IDs      []int64 // nil: all
	States   []JobState
	Document int64 // 0: all
	From     int64 // only jobs with this id or a larger one
	Before   int64 // only jobs with a smaller id; 0: from the newest on
	Limit    int   // 1 to 500
}
