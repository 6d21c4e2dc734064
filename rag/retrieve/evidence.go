package retrieve

import (
	"math"
	"slices"

	"passage/rag"
)

// evidenceHits is how many of the best hits are looked at for evidence.
const evidenceHits = 10

// Evidence is what speaks for ten hits answering the question at all, whatever
// else was found: those that come first by the weights that the calibration was
// made with, see witness. Shares are of the weight (inverse document
// frequency) of the question's words; a word that no document holds weighs most.
type Evidence struct {
	Cosine   float64 `json:"cosine"`   // of the most similar of them
	Unit     float64 `json:"unit"`     // share of the words in one unit, with its title and headings
	Window   float64 `json:"window"`   // share in one unit with its neighbours
	Document float64 `json:"document"` // share in the document of one
	Unknown  float64 `json:"unknown"`  // share of the words that stand in no document
	Words    int     `json:"words"`    // of the question
}

// witness gives the weights by which hits are put in order for the evidence. They
// stay as they are when those of a document type change, or an admin changes them:
// the calibration fits no others.
func witness(docType string) rag.Fusion {
	if docType == "runbook" {
		return rag.Fusion{Cosine: 0.5, Words: 1, Window: 1, Document: 1.5, Title: 0.5, Aspect: 0.3, Steps: 0.5}
	}
	f := rag.Fusion{Cosine: 0.7, Words: 1, Window: 1.25, Title: 1, Aspect: 0.5, Steps: 0.1}
	if docType == "guideline" {
		f.Subject = 0.5
	}
	return f
}

// gather looks at the hits that come first by their signs.
func gather(hits []rag.Hit, all []signs, most signs, p plan, opened map[profileKey]*rated, read *reader) *Evidence {
	e := &Evidence{Words: len(read.idf)}
	order := make([]rag.Hit, len(hits))
	for i, h := range hits {
		h.Score = all[i].score(witness(h.DocType), most)
		order[i] = h
	}
	slices.SortFunc(order, byScore)
	for _, h := range order[:min(len(order), evidenceHits)] {
		e.Cosine = max(e.Cosine, h.Cosine)
		d := opened[profileKey{h.VersionID, h.Set}]
		if d == nil || h.Ordinal >= len(d.own) {
			e.Unit = max(e.Unit, share(h, p.possible))
			continue
		}
		e.Unit = max(e.Unit, read.share(read.unit(d, h.Ordinal)))
		e.Window = max(e.Window, read.share(read.window(d, h.Ordinal)))
		e.Document = max(e.Document, read.share(d.whole))
	}
	e.Window, e.Document = max(e.Window, e.Unit), max(e.Document, e.Unit)
	for _, t := range p.unknown {
		if read.possible > 0 {
			e.Unknown += p.idf[t] / read.possible
		}
	}
	e.Unknown = math.Min(e.Unknown, 1)
	return e
}

// share is the share of the question's words, by weight, that a text holds.
func (r *reader) share(t tally) float64 {
	if r.possible == 0 {
		return 0
	}
	held := 0.0
	for i, n := range t.counts {
		if n > 0 {
			held += r.idf[i]
		}
	}
	return held / r.possible
}
