package evaluate

import (
	"maps"
	"slices"
	"time"

	"passage/rag"
)

// Context is a piece of text that was retrieved: [Start, End) in code points of
// the text of the document. A passage with gaps is several contexts of one rank.
type Context struct {
	DocID string  `json:"doc_id"`
	Space string  `json:"space,omitempty"`
	Start int     `json:"start"`
	End   int     `json:"end"`
	Rank  int     `json:"rank,omitempty"` // of the passage, from 1
	Score float64 `json:"score,omitempty"`
}

// Outcome is what one question gave under one setting.
type Outcome struct {
	Question string    `json:"question"`          // id
	Repeats  string    `json:"repeats,omitempty"` // id of an earlier question of the run with the same text
	Kind     Kind      `json:"kind"`
	DocType  string    `json:"doc_type,omitempty"` // of the expected document; "" when there is none
	Contexts []Context `json:"contexts"`
	Refused  bool      `json:"refused,omitempty"`
	Values   Values    `json:"values"`
}

// Result is what one setting gave.
type Result struct {
	Setting   Setting            `json:"setting"`
	Questions int                `json:"questions"`          // measured
	Total     Summary            `json:"total"`              // over all of them
	ByType    map[string]Summary `json:"by_type,omitempty"`  // by document type of the expected document
	Outcomes  []Outcome          `json:"outcomes,omitempty"` // in the order of the set; nil when they were not loaded
}

// CorpusState is what the questions were asked of.
type CorpusState struct {
	Documents int    `json:"documents"` // live, in the spaces of the set
	Units     int    `json:"units"`     // of them, all unit sets together
	Embedder  string `json:"embedder"`  // "" when only words were searched
	Version   string `json:"version"`   // of the program
}

// Plan is what a run is to do, and once it runs, what it found before the first
// question.
type Plan struct {
	SetID     int64     `json:"set_id"`
	Name      string    `json:"-"` // of the run, for people; may be empty
	Half      Half      `json:"half,omitempty"`
	Settings  []Setting `json:"settings"`
	Seed      uint64    `json:"seed"`
	AddChunks bool      `json:"add_chunks,omitempty"` // chunk sets that are missing are made first; else it is an error

	Questions int         `json:"questions"`          // of the half; filled in by the run
	Problems  []Problem   `json:"problems,omitempty"` // questions left out; filled in by the run
	Corpus    CorpusState `json:"corpus"`             // filled in by the run
}

// Run is an evaluation: some settings on one question set.
type Run struct {
	ID       int64
	SetID    int64
	Set      string // name
	SpaceID  int64
	Name     string
	State    rag.RunState
	Done     int // retrievals
	Total    int
	Failure  string // a sentence for people
	Started  time.Time
	Finished time.Time
	Plan     Plan
	Results  []Result // in the order of Plan.Settings; nil in lists and before the run has ended
}

// Progress is told after each retrieval.
type Progress struct {
	Done, Total int
}

// Difference is how a measure changes from one result to another, over the
// questions that both have.
type Difference struct {
	Measure Measure
	A, B    float64 // means over the common questions
	Mean    float64 // of B − A
	Low     float64 // 95 % interval of the mean, paired bootstrap
	High    float64
	N       int // common questions
}

// Noise says that the interval holds 0: another draw of questions could turn the
// difference around.
func (d Difference) Noise() bool { return d.Low <= 0 && d.High >= 0 }

// Choice is a setting in an advice.
type Choice struct {
	Index   int // of the result in the run
	Setting Setting
	Value   Estimate // of the main measure, on the document type
	Tokens  float64  // mean tokens of context, on the document type
}

// Advice is the smallest setting for one document type that is within noise of
// the best, of those that leave no more procedures incomplete than they must.
type Advice struct {
	DocType    string
	Measure    Measure
	Questions  int
	Chosen     Choice
	Best       Choice
	Difference Difference // from the chosen to the best
	Reason     string     // a sentence or two for people
	// Strategy is what applying the advice sets for the document type; nil when
	// there are too few questions to advise anything, as Reason says.
	Strategy *rag.Strategy
}

// TypeNames lists the document types of the result by name.
func (r Result) TypeNames() []string { return slices.Sorted(maps.Keys(r.ByType)) }
