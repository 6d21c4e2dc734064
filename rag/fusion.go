package rag

// Fusion says how the signs that a unit answers a question are added up to one
// score. Each sign is from 0 to 1 (a cosine from -1); what counts words is
// divided by the best of the question. The score is the weighted sum over the
// sum of the weights.
type Fusion struct {
	// RankOnly adds 1/(60+rank) of both legs instead, as Cormack, Clarke and
	// Büttcher do in "Reciprocal Rank Fusion outperforms Condorcet and individual
	// Rank Learning Methods" (2009). No other sign counts then.
	RankOnly bool `json:"rank_only,omitempty"`

	Cosine   float64 `json:"cosine"`   // similarity of the unit
	Words    float64 `json:"words"`    // BM25 of the unit, with title and headings
	Window   float64 `json:"window"`   // BM25 of the unit with two neighbours on each side
	Document float64 `json:"document"` // BM25 of the whole document
	Title    float64 `json:"title"`    // how much the title and the question are alike
	Aspect   float64 `json:"aspect"`   // a heading names what is asked for: causes, treatment, rollback
	Steps    float64 `json:"steps"`    // the unit is in a procedure and the question asks how

	// Subject is the share of its score, 0 to 1, that a unit loses when the
	// question names the title of one or two documents and its own document says
	// that name nowhere: the dose of another drug.
	Subject float64 `json:"subject,omitempty"`
}

// Total is the sum of the weights.
func (f Fusion) Total() float64 {
	return f.Cosine + f.Words + f.Window + f.Document + f.Title + f.Aspect + f.Steps
}

// DefaultFusion is how hits in documents of a type are scored unless the type
// says otherwise. The weights were measured, see docs/architecture.md: whole
// pages of a runbook are about one alert, so there the document counts most, and
// who asks how wants the procedure; long articles touch many subjects.
func DefaultFusion(docType string) Fusion {
	if docType == "runbook" {
		return Fusion{Cosine: 1, Words: 1, Window: 0.25, Document: 1.5, Title: 0.25, Aspect: 0.5, Steps: 1}
	}
	general := Fusion{Cosine: 0.7, Words: 1, Window: 1.25, Title: 1, Aspect: 0.5, Steps: 0.1}
	if docType == "guideline" {
		general.Subject = 0.5
	}
	return general
}

// Or is f, or the default of the type when f says nothing.
func (f Fusion) Or(docType string) Fusion {
	if f.RankOnly || f.Total() > 0 {
		return f
	}
	return DefaultFusion(docType)
}

// MaxFusionWeight is the largest weight of a sign.
const MaxFusionWeight = 10

// Validate returns an Error with CodeInvalid that says what to change.
func (f Fusion) Validate() error {
	for _, w := range []float64{f.Cosine, f.Words, f.Window, f.Document, f.Title, f.Aspect, f.Steps} {
		if !(w >= 0 && w <= MaxFusionWeight) { // not a number is refused too
			return Errorf(CodeInvalid, "The weights of a fusion must be from 0 to %d.", MaxFusionWeight)
		}
	}
	if !(f.Subject >= 0 && f.Subject <= 1) {
		return Errorf(CodeInvalid, "What another subject costs must be from 0 to 1.")
	}
	if !f.RankOnly && f.Total() == 0 {
		return Errorf(CodeInvalid, "A fusion needs a weight above 0.")
	}
	return nil
}
