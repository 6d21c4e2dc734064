package rag

import (
	"context"
	"strconv"
)

// Embedder turns texts into vectors of unit length.
type Embedder interface {
	// ID names the model, its weights and its dimension; vectors of different
	// IDs are never compared.
	ID() string
	// Dimension is the length of every vector.
	Dimension() int
	// Embed returns one vector of length 1 per text, in the order of the texts,
	// and does not change the slice. Errors: CodeUnavailable, CodeRateLimited,
	// CodeInvalid (the server refuses the request or the key).
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Reranker orders texts by how well they answer a question.
type Reranker interface {
	// ID names the model.
	ID() string
	// MaxTokens is how much of one text the model reads; what is longer is cut
	// before it is sent, the passage itself never.
	MaxTokens() int
	// Rerank gives one score per text, in the order of the texts; higher is
	// better, and only the order tells anything. Errors: CodeUnavailable,
	// CodeRateLimited, CodeInvalid (the server refuses the request or the key).
	Rerank(ctx context.Context, question string, texts []string) ([]float64, error)
}

// Place is a span of a version's text.
type Place struct {
	Version int64
	Span    Span
}

// Hit is a unit found by search, with its scores.
type Hit struct {
	UnitID    int64
	VersionID int64
	DocType   string
	Set       UnitSet
	Ordinal   int // of the unit within its set
	Span      Span
	Cosine    float64 // similarity to the question, -1…1; 0 when only the lexical leg found it
	BM25      float64 // 0 when only the dense leg found it
	Score     float64 // fused
}

// TermWeight is how much a term of a question tells.
type TermWeight struct {
	Term  string
	Units int     // that hold it
	Of    int     // units that are searched
	IDF   float64 // inverse document frequency, as in BM25
}

// Mark is a matched unit inside a passage.
type Mark struct {
	UnitID int64   `json:"unit_id"`
	Span   Span    `json:"span"`
	Score  float64 `json:"score"`
}

// Part says which steps of a procedure a passage holds. A passage never holds
// some steps of a procedure without a Part that says so. From and To are 0 when
// the passage touches the procedure but holds none of its steps whole.
type Part struct {
	Procedure int  `json:"procedure"` // ordinal in the version
	Section   int  `json:"section"`   // ordinal of the section it starts in
	From      int  `json:"from"`      // first step held, from 1
	To        int  `json:"to"`        // last step held
	N         int  `json:"n"`         // steps of the procedure
	Span      Span `json:"span"`      // of the whole procedure, for the link to the rest
}

// Whole says that every step is there.
func (p Part) Whole() bool { return p.From == 1 && p.To == p.N }

// Label is the part in words: "steps 1–6 of 6".
func (p Part) Label() string {
	n := strconv.Itoa(p.N)
	if p.From == 0 {
		return "part of a procedure of " + n + " steps"
	}
	if p.From == p.To {
		return "step " + strconv.Itoa(p.From) + " of " + n
	}
	return "steps " + strconv.Itoa(p.From) + "–" + strconv.Itoa(p.To) + " of " + n
}

// Passage is what is handed to the model and shown: a span of a version's text
// with the spans of the hits inside it.
type Passage struct {
	Document   Document
	Version    int64
	Path       []string // heading path of the section it starts in
	Section    int      // ordinal of that section
	Span       Span
	Pages      PageRange
	Text       string // the span of the version's text, gaps included
	Header     Span   // the table's header row when the passage starts inside a table, else empty
	HeaderText string
	Marks      []Mark // the hits inside, in the order of the text
	Parts      []Part // procedures it holds steps of, in the order of the text
	Gaps       []Span // what compression left out inside Span, in the order of the text; shown as "[…]"
	Score      float64
	Tokens     int
	Strategy   Strategy // the one that grew it
}

// Scope says who asks: the spaces that this person may read. Every read takes
// one; the zero Scope reads nothing.
type Scope struct {
	User   string  // stable name of the asker; "local" for the single local user
	Spaces []int64 // ids of readable spaces
	All    bool    // may read every space (the local user, and commands run on the server)
}

// Reads says whether the scope covers the space.
func (s Scope) Reads(space int64) bool {
	if s.All {
		return true
	}
	for _, id := range s.Spaces {
		if id == space {
			return true
		}
	}
	return false
}
