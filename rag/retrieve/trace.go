package retrieve

import "passage/rag"

// traceHits is how many hits a trace keeps.
const traceHits = 30

// Trace says how a result came about, for people who ask why. It holds spans
// and scores, no text of documents.
type Trace struct {
	Question  string              `json:"question"`
	Terms     []string            `json:"terms,omitempty"`
	Unknown   []string            `json:"unknown,omitempty"`  // terms that no document holds
	Similar   map[string][]string `json:"similar,omitempty"`  // what was searched in the place of a term that no document holds
	Evidence  *Evidence           `json:"evidence,omitempty"` // that the best hits answer the question
	Legs      Legs                `json:"legs"`
	Reranker  string              `json:"reranker,omitempty"`
	WordsOnly bool                `json:"words_only,omitempty"` // the embedder did not answer
	Sets      map[string][]string `json:"sets"`                 // unit set → document types
	Dense     int                 `json:"dense"`
	Lexical   int                 `json:"lexical"`
	Hits      []TraceHit          `json:"hits"`
	Windows   []TraceWindow       `json:"windows"`
	Merged    []TraceWindow       `json:"merged"`
	Cut       []TraceCut          `json:"cut,omitempty"`
	Beyond    int                 `json:"beyond,omitempty"` // hits in none of the passages, when there were enough
	Tokens    int                 `json:"tokens"`           // of all passages
	// RerankFault is why the order of the search was kept although there is a
	// reranker.
	RerankFault string  `json:"rerank_fault,omitempty"`
	SearchMS    float64 `json:"search_ms"`
	TotalMS     float64 `json:"total_ms"`
}

// TraceHit is one hit with its scores and its rank in each leg, from 1; 0 when
// that leg did not find it.
type TraceHit struct {
	Unit        int64    `json:"unit"`
	Version     int64    `json:"version"`
	DocType     string   `json:"doc_type"`
	Span        rag.Span `json:"span"`
	Cosine      float64  `json:"cosine"`
	BM25        float64  `json:"bm25"`
	Score       float64  `json:"score"`
	DenseRank   int      `json:"dense_rank,omitempty"`
	LexicalRank int      `json:"lexical_rank,omitempty"`
}

// TraceWindow is what a hit grew into, before or after merging.
type TraceWindow struct {
	Unit     int64    `json:"unit"`
	Version  int64    `json:"version"`
	Span     rag.Span `json:"span"`
	Strategy string   `json:"strategy"`
	Tokens   int      `json:"tokens,omitempty"`
	// Of a fixed chunk: which one of how many the version was cut into, from 0.
	ChunkIndex int `json:"chunk_index,omitempty"`
	ChunkTotal int `json:"chunk_total,omitempty"`
}

// TraceCut is what was left out, and why.
type TraceCut struct {
	Version int64      `json:"version"`
	Span    rag.Span   `json:"span"`
	Kept    rag.Span   `json:"kept"`           // empty when nothing was kept
	Gaps    []rag.Span `json:"gaps,omitempty"` // left out inside Kept
	// Warnings are those left out although something of their section is kept,
	// because there was no room for them beside the best hit.
	Warnings []rag.Span `json:"warnings,omitempty"`
	Why      string     `json:"why"`
}

func newTrace(req Request, p plan) Trace {
	t := Trace{Question: req.Question, Terms: p.words, Unknown: p.unknown, Similar: p.standIns(), Legs: req.Legs, WordsOnly: p.wordsOnly, Sets: map[string][]string{}}
	for set, types := range p.sets {
		t.Sets[string(set)] = types
	}
	return t
}

func (t *Trace) legs(dense, lexical, fused []rag.Hit) {
	t.Dense, t.Lexical = len(dense), len(lexical)
	t.Hits, t.Windows, t.Cut = nil, nil, nil // of an earlier, shorter search
	denseRank, lexicalRank := ranks(dense), ranks(lexical)
	for _, h := range fused[:min(len(fused), traceHits)] {
		t.Hits = append(t.Hits, TraceHit{
			Unit: h.UnitID, Version: h.VersionID, DocType: h.DocType, Span: h.Span,
			Cosine: h.Cosine, BM25: h.BM25, Score: h.Score,
			DenseRank: denseRank[h.UnitID], LexicalRank: lexicalRank[h.UnitID],
		})
	}
}

func ranks(hits []rag.Hit) map[int64]int {
	m := make(map[int64]int, len(hits))
	for i, h := range hits {
		m[h.UnitID] = i + 1
	}
	return m
}

func (t *Trace) window(h rag.Hit, c *candidate) {
	w := TraceWindow{Unit: h.UnitID, Version: h.VersionID, Span: c.span, Strategy: c.strategy.String()}
	if h.Set != rag.SentenceSet {
		w.ChunkIndex, w.ChunkTotal = h.Ordinal, len(c.reading.Outline.UnitsOf(h.Set))
	}
	t.Windows = append(t.Windows, w)
}

func (t *Trace) drop(h rag.Hit, why string) {
	t.Cut = append(t.Cut, TraceCut{Version: h.VersionID, Span: h.Span, Why: why})
}

// note says something about a hit that was kept.
func (t *Trace) note(h rag.Hit, what string) {
	t.Cut = append(t.Cut, TraceCut{Version: h.VersionID, Span: h.Span, Kept: h.Span, Why: what})
}

func (t *Trace) cut(c, kept *candidate, why string) {
	cut := TraceCut{Version: c.reading.Version, Span: c.span, Why: why}
	if kept != nil {
		cut.Kept, cut.Gaps = kept.span, kept.gaps
		if cut.Warnings = c.lost(kept); len(cut.Warnings) > 0 {
			cut.Why += whyWarnings
		}
	}
	t.Cut = append(t.Cut, cut)
}

func (t *Trace) finish(passages []rag.Passage, total float64) {
	t.TotalMS = total
	for _, p := range passages {
		w := TraceWindow{Version: p.Version, Span: p.Span, Strategy: p.Strategy.String(), Tokens: p.Tokens}
		if len(p.Marks) > 0 {
			w.Unit = p.Marks[0].UnitID
		}
		t.Merged = append(t.Merged, w)
		t.Tokens += p.Tokens
	}
}
