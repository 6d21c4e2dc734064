package views

// Jobs is the list of jobs.
type Jobs struct {
	CSRF      string
	Upload    bool // the jobs of one upload
	Progress  string
	Done, All int
	Writing   bool // some job is not final
	StreamURL string
	States    []JobFilter
	Notes     []string // what was left out of an upload
	Jobs      []Job
	More      bool // older ones are not shown
}

// JobFilter is a link to the jobs in one state.
type JobFilter struct {
	Label, Count, URL string
	Chosen            bool
}

// Job is one job.
type Job struct {
	ID        string
	Name      string
	Space     string
	State     string
	Kind      string // of its badge
	Outcome   string
	Stage     string
	Share     string // percent of its units, "" when not known
	Rate      string
	Size      string
	When      string
	Message   string
	Reason    string
	Warnings  []string
	URL       string // of the document, "" without one
	CancelURL string
	RetryURL  string
}
