package views

// Evaluation is the page of question sets and runs.
type Evaluation struct {
	CSRF     string
	Notice   *Notice  // what was just done, or went wrong
	Problems []string // of the questions just imported: each of them, and why
	More     string   // "And 12 more."
	Running  *Progress
	Sets     []QuestionSet
	Import   ImportForm
	Start    RunForm
	Runs     []RunItem
	Count    string // "12 runs", "Runs 21–40 of 64"
	Prev     string // address of the page before; "" on the first
	Next     string
}

// QuestionSet is a question set in the list.
type QuestionSet struct {
	Name       string
	Space      string // "Every space" or its name
	Questions  string // "74 questions"
	Origin     string // where they come from
	Changed    string // "2 March 2026"
	ChangedISO string
	LastRun    string // "2 March 2026, 14:05"; "" when there was none
	LastRunURL string
	ExportURL  string // the questions as JSONL
}

// ImportForm is the form for a file of questions.
type ImportForm struct {
	Open   bool // unfolded
	Name   string
	Spaces []Option
	Faults []string // what is wrong with the file, one sentence for each line
	More   string   // "and 12 more"; "" when all faults are listed
	Limit  string   // "20 MB"
}

// RunForm is the form that starts a run.
type RunForm struct {
	Sets   []Option
	Sweeps []Choice
	Halves []Option
	Tops   string // "5" or "3, 5, 10"
	Name   string
}

// Choice is one radio button with what it means.
type Choice struct {
	Value   string
	Label   string
	Help    string
	Checked bool
}

// Progress is how far a running evaluation is.
type Progress struct {
	Title     string // of the run
	URL       string // of its page; "" on that page itself
	PollURL   string // where htmx asks how far it is
	CancelURL string // "" once it is being cancelled
	CSRF      string
	Done      int
	Total     int
	Words     string // "120 of 840 questions asked, 14 %"
}

// RunItem is a run in the list.
type RunItem struct {
	Title      string
	URL        string
	State      string // "Finished"
	Kind       string // class of the badge
	Set        string
	Facts      string // "18 settings on 74 questions"
	Started    string
	StartedISO string
}

// EvaluationRun is the page of one run.
type EvaluationRun struct {
	CSRF     string
	Title    string
	Set      string
	State    string
	Kind     string
	Facts    []string
	Started  string
	StartISO string
	Notice   *Notice // what was just done, or why the run did not end as it should
	Running  *Progress
	Headline string
	Trouble  string   // "2 questions were left out, 1 lacks a place"
	Problems []string // each of them, and why
	More     string   // "and 12 more"

	Choose  RunChoice
	Advice  []Advice
	Plots   []Plot
	Table   ResultTable
	Worst   WorstQuestions
	Compare *Comparison
	CSVURL  string // "" when there is nothing to download
	JSONURL string
}

// RunChoice is the form that chooses what a run's page shows.
type RunChoice struct {
	Action   string
	Measures []Option
	Types    []Option // document types; the first is all
	Others   []Option // runs to compare with; the first is none
	Sort     string   // kept as it is
	Setting  string   // kept as it is
	Help     string   // what the chosen measure is
}

// Advice is what is advised for one document type.
type Advice struct {
	DocType string // for people
	Now     string // the setting it has now
	Setting string // the advised one; "" when nothing can be advised
	Reason  string
	Same    bool // the document type has it already
	Action  string
	Chosen  string // value of the form: the index of the setting
	Apply   string // "Apply to Runbook"
}

// Plot is a drawing with its heading.
type Plot struct {
	Title string
	Hint  string
	SVG   SafeHTML
}

// ResultTable is the figures of a run, a row for each setting.
type ResultTable struct {
	Caption string
	Hint    string
	Columns []Column
	Rows    []ResultRow
}

// Column is a column of figures; its heading sorts the table.
type Column struct {
	Label string
	Help  string
	URL   string
	Sort  string // "ascending", "descending" or "none"
}

// ResultRow is a setting with its figures.
type ResultRow struct {
	ID      string // element id
	Name    string
	URL     string // shows the worst questions of this setting
	Current bool   // whose worst questions are shown
	Advised string // "advised for Runbook"; "" when it is not
	Cells   []Cell
}

// Cell is a figure with its interval.
type Cell struct {
	Value string // "–" when there is none
	Range string // "0.87–0.97"; "" when there is none
	Best  bool   // the best of its column
}

// WorstQuestions are the questions that a setting answers worst.
type WorstQuestions struct {
	Setting string
	Measure string
	Items   []WorstQuestion
	None    string // said when there are none
}

// WorstQuestion is one of them.
type WorstQuestion struct {
	Text    string
	Figures string // "found 0.00 · 812 tokens"
	Refused bool
	Links   []Link // the documents that hold the answer
	Came    []Link // the passages that came back
}

// Link is a link with its text; without an address it is the text alone.
type Link struct{ Text, URL string }

// Comparison is how a run differs from another.
type Comparison struct {
	Title   string // of the other run
	URL     string
	Measure string
	Rows    []Difference
	None    string // said when nothing can be compared
}

// Difference is how one setting changed from the other run to this one.
type Difference struct {
	Name   string
	Then   string
	Now    string
	Change string // "+0.04"
	Range  string // "+0.01 – +0.07"
	Mark   string // "better", "worse" or "within noise"
	Kind   string // class of the badge
	N      string // questions that both asked
}

// Applied says that a document type has another strategy.
type Applied struct {
	CSRF    string
	DocType string
	Before  string
	After   string
	UndoURL string
	Undo    []Field
	Back    string // address of the run
}

// Field is a hidden field of a form.
type Field struct{ Name, Value string }

// Feedback is the form under an answer that was wrong.
type Feedback struct {
	ID       string // element id
	Action   string
	CSRF     string
	Passages []FeedbackPassage
}

// FeedbackPassage is a passage that may have been the right one.
type FeedbackPassage struct {
	ID     string // element id
	Number string
	Title  string
}

// FeedbackTaken says that feedback was kept.
type FeedbackTaken struct {
	Text string
	Back string // address of the answer
}

// questionSample shows what a line of a file of questions looks like.
const questionSample = `{"id": "q1", "question": "How do I rotate a certificate?", "doc_id": "kafka/rotate.md", "answer_spans": [{"start": 163, "end": 225}]}
{"id": "q2", "question": "What are the ports?", "doc_id": "kafka/ports.md"}
{"id": "q3", "question": "Who painted the Mona Lisa?", "unanswerable": true}`
