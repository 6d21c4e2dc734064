package evaluate

// Measure names a figure of one question.
type Measure string

// The measures. Each is a number from 0 to 1 where more is better, but for the
// last group. A measure that says nothing about a question (the steps of a
// question that asks for no procedure) is absent from its Values. Of a question
// that was refused nothing counts as found and all amounts but Latency are 0,
// see Score.
const (
	// Found is the share of the answer that came back: of a procedure 1 when
	// every step is there, else 0; of spans the share that stand whole in one
	// context (with SpanAny: 1 when one does); of documents 1 when one is there.
	// It is the main measure, which questions of all kinds have.
	Found Measure = "found"

	Hit1     Measure = "hit@1" // a relevant passage is among the first k
	Hit3     Measure = "hit@3"
	Hit5     Measure = "hit@5"
	Hit10    Measure = "hit@10"
	Recall1  Measure = "recall@1" // share of the relevant items that the first k passages touch
	Recall3  Measure = "recall@3"
	Recall5  Measure = "recall@5"
	Recall10 Measure = "recall@10"
	MRR      Measure = "mrr"     // 1 / rank of the first relevant passage
	NDCG10   Measure = "ndcg@10" // of the first 10 passages
	DocHit   Measure = "doc_hit" // a passage of an expected document is there

	AnswerInContext Measure = "answer_in_context" // an answer span stands whole in one context
	AnswerMRR       Measure = "answer_mrr"        // 1 / rank of the first context that holds one whole
	CharRecall      Measure = "char_recall"
	CharPrecision   Measure = "char_precision"
	CharIoU         Measure = "char_iou"
	TokenRecall     Measure = "token_recall"
	TokenPrecision  Measure = "token_precision"
	TokenIoU        Measure = "token_iou"

	StepRecall   Measure = "step_recall"   // share of the steps that are there whole
	Complete     Measure = "complete"      // all steps are there
	Complete4000 Measure = "complete@4000" // all steps are in the first passages that hold together at most so many characters
	Complete6000 Measure = "complete@6000"
	Complete8000 Measure = "complete@8000"
	LastStep     Measure = "last_step"  // the last step is there
	OrderKept    Measure = "order_kept" // the steps that are there come in the order of the procedure

	RefusedRightly Measure = "refused_rightly" // of an unanswerable question: it was refused
	RefusedWrongly Measure = "refused_wrongly" // of an answerable one; less is better

	Chars   Measure = "chars"  // code points of all contexts
	Tokens  Measure = "tokens" // of all contexts, by the language model's tokenizer
	Latency Measure = "ms"     // of the retrieval, the embedding of the question included
)

// MeasureInfo describes a measure for tables and pictures.
type MeasureInfo struct {
	Measure Measure
	Label   string // "answer in context"
	Help    string // one sentence
	Less    bool   // less is better
	Amount  bool   // a number of something, with p50 and p95; else a share from 0 to 1
}

// Values are the measures of one question under one setting.
type Values map[Measure]float64

// Estimate is the mean of a measure over questions, with the interval that holds
// 95 of 100 means of as many questions drawn from them (percentile bootstrap).
type Estimate struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	N    int     `json:"n"`             // questions that have the measure
	P50  float64 `json:"p50,omitempty"` // of amounts only
	P95  float64 `json:"p95,omitempty"`
}

// Summary holds the estimates of one setting. A measure that no question has is
// absent.
type Summary map[Measure]Estimate
