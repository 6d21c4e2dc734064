package handlers

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"passage/rag"
	"passage/rag/answer"
	"passage/rag/retrieve"
	"passage/views"
)

// Limits of what a column shows of its trace: hits are many, and so is what is
// left out when the budget is small.
const (
	labWindows    = 40
	labCuts       = 40
	labHitText    = 400   // bytes of a hit
	labWindowText = 4_000 // bytes of a window
)

// labTrace adds windows, passages and what was left out to a column.
func (p *pages) labTrace(v *views.LabColumn, t labTry, lib library) {
	res, trace := t.result, t.result.Trace
	from := make([][]int, len(res.Passages)) // numbers of the windows in each
	for i, w := range trace.Windows {
		n := passageTouched(res.Passages, w.Version, w.Span)
		if n > 0 {
			from[n-1] = append(from[n-1], i+1)
		}
		if i < labWindows {
			window := labWindow(w, n, lib)
			window.Number = strconv.Itoa(i + 1)
			v.Windows = append(v.Windows, window)
		}
	}
	var beyond []string
	if more := len(trace.Windows) - len(v.Windows); more > 0 {
		beyond = append(beyond, count(more, "more window is not shown.", "more windows are not shown."))
	}
	if trace.Beyond > 0 {
		beyond = append(beyond, count(trace.Beyond, "further hit lies in no passage: there were enough better ones.", "further hits lie in no passage: there were enough better ones."))
	}
	v.Beyond = strings.Join(beyond, " ")
	for i, passage := range res.Passages {
		merged := labMerged(passage, from[i], lib)
		merged.Number = strconv.Itoa(i + 1)
		v.Merged = append(v.Merged, merged)
		v.Passages = append(v.Passages, p.labPassage(t.column, i+1, passage, lib))
	}
	v.Total = grouped(float64(trace.Tokens), 0) + " of " + grouped(float64(t.column.wantedTokens), 0) + " tokens; a passage’s head takes some of them too"
	for _, cut := range trace.Cut[:min(len(trace.Cut), labCuts)] {
		v.Cuts = append(v.Cuts, labCut(cut, lib))
	}
	if more := len(trace.Cut) - len(v.Cuts); more > 0 {
		v.MoreCuts = count(more, "more place was left out.", "more places were left out.")
	}
}

// passageTouched is the number of the passage that a window went into, from 1,
// and 0 when it is in none.
func passageTouched(passages []rag.Passage, version int64, s rag.Span) int {
	for i, p := range passages {
		if p.Version == version && p.Span.Overlaps(s) {
			return i + 1
		}
	}
	return 0
}

func labWindow(w retrieve.TraceWindow, passage int, lib library) views.LabWindow {
	v := views.LabWindow{Strategy: w.Strategy, Place: placeOf(w.Span), Length: lib.length(w.Version, w.Span), Becomes: "In no passage."}
	v.Title, v.URL, v.Text = lib.quote(w.Version, w.Span, labWindowText)
	if w.ChunkTotal > 0 {
		v.Place += fmt.Sprintf(", chunk %d of %d", w.ChunkIndex+1, w.ChunkTotal)
	}
	if passage > 0 {
		v.Becomes = "Goes into passage " + strconv.Itoa(passage) + "."
	}
	return v
}

// labMerged shows the lengths of a passage and the windows it is made of; its
// text stands below.
func labMerged(p rag.Passage, windows []int, lib library) views.LabWindow {
	v := views.LabWindow{Strategy: p.Strategy.String(), Place: placeOf(p.Span), Length: lib.length(p.Version, p.Span)}
	v.Title, v.URL, _ = lib.quote(p.Version, p.Span, 0)
	v.Length += ", " + count(p.Tokens, "token", "tokens")
	switch len(windows) {
	case 0:
	case 1:
		v.Becomes = "From window " + strconv.Itoa(windows[0]) + "."
	default:
		names := make([]string, len(windows))
		for i, n := range windows {
			names[i] = strconv.Itoa(n)
		}
		v.Becomes = "From windows " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + "."
	}
	if len(p.Gaps) > 0 {
		kept := 0
		for _, piece := range p.Pieces() {
			kept += piece.Len()
		}
		v.Becomes = strings.TrimSpace(fmt.Sprintf("%s %s left out inside: %s of %s bytes are kept.",
			v.Becomes, count(len(p.Gaps), "place is", "places are"), grouped(float64(kept), 0), grouped(float64(p.Span.Len()), 0)))
	}
	return v
}

func labCut(cut retrieve.TraceCut, lib library) views.LabCut {
	v := views.LabCut{Why: capital(cut.Why) + "."}
	v.Title, v.URL, _ = lib.quote(cut.Version, cut.Span, 0)
	r := lib.readings[cut.Version]
	if r == nil || cut.Span.End > len(r.Text) {
		return v
	}
	v.Length = characters(cut.Span.In(r.Text))
	if !cut.Kept.Empty() && cut.Kept.End <= len(r.Text) {
		var kept strings.Builder
		for _, piece := range rag.Pieces(cut.Kept, cut.Gaps) {
			kept.WriteString(piece.In(r.Text))
		}
		v.Length += ", of which " + strings.TrimSuffix(characters(kept.String()), " characters") + " are kept"
	}
	if len(cut.Warnings) > 0 {
		v.Length += "; " + count(len(cut.Warnings), "warning", "warnings") + " among what is left out"
	}
	return v
}

// labPassage shows a passage as the sources of an answer are shown, and to the
// letter as the model gets it.
func (p *pages) labPassage(c labColumn, number int, passage rag.Passage, lib library) views.LabPassage {
	d := passage.Document
	source := p.source(rag.Message{State: rag.AnswerDone}, rag.Citation{
		Number: number, Used: true, DocID: d.ID, VersionID: passage.Version, Title: d.Title, SourceURI: d.SourceURI, DocType: d.DocType, Date: d.Date,
		Path: passage.Path, Section: passage.Section, Span: passage.Span, Pages: passage.Pages, Text: passage.Text,
		Header: passage.Header, HeaderText: passage.HeaderText, Marks: passage.Marks, Parts: passage.Parts, Gaps: passage.Gaps,
	}, lib)
	source.ID = c.passageID(number)
	source.Description = "Column " + c.letter() + ", passage " + strconv.Itoa(number) + ": " + source.Title
	return views.LabPassage{
		Source: source, Given: answer.Given(passage),
		Tokens: count(passage.Tokens, "token", "tokens"), Length: characters(passage.Shown()),
	}
}

// placeOf is where a span stands in the text of its version.
func placeOf(s rag.Span) string {
	return "bytes " + grouped(float64(s.Start), 0) + "–" + grouped(float64(s.End), 0)
}

// length is the length of a span in characters and in units of sentences.
func (l library) length(version int64, s rag.Span) string {
	r := l.readings[version]
	if r == nil || s.Start < 0 || s.End > len(r.Text) || s.Empty() {
		return grouped(float64(s.Len()), 0) + " bytes"
	}
	text := characters(s.In(r.Text))
	units := r.Outline.UnitsOf(rag.SentenceSet)
	from := sort.Search(len(units), func(i int) bool { return units[i].Span.End > s.Start })
	n := 0
	for _, u := range units[from:] {
		if u.Span.Start >= s.End {
			break
		}
		n++
	}
	if n == 0 {
		return text
	}
	return text + ", " + count(n, "sentence or step", "sentences and steps")
}
