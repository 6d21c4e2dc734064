package handlers

import (
	"passage/rag"
	"passage/rag/answer"
	"passage/rag/render"
	"passage/views"
)

// turns pairs the questions of a chat with their answers.
func (p *pages) turns(messages []rag.Message, lib library, token string) []views.Turn {
	var turns []views.Turn
	for _, m := range messages {
		if m.Role == rag.RoleUser {
			turns = append(turns, views.Turn{Question: &views.Question{ID: "q-" + itoa(m.ID), Text: m.Text}})
			continue
		}
		if len(turns) == 0 || turns[len(turns)-1].Answer != nil {
			turns = append(turns, views.Turn{})
		}
		a := p.answer(answer.Snapshot{Stage: answer.StageOf(m), Message: m}, lib, token)
		turns[len(turns)-1].Answer = &a
	}
	return turns
}

// answer makes the view of an answer, finished or not.
func (p *pages) answer(s answer.Snapshot, lib library, token string) views.Answer {
	m := s.Message
	id := itoa(m.ID)
	a := views.Answer{
		ID:        "m-" + id,
		Writing:   m.State == rag.AnswerWriting,
		Stage:     stageText(s),
		StreamURL: "/answers/" + id + "/stream",
		StopURL:   "/answers/" + id + "/stop",
		CSRF:      token,
		Notice:    noticeOf(m),
		Nearest:   m.State == rag.AnswerRefused,
	}
	cites := make([]render.Cite, 0, len(m.Citations))
	for _, c := range m.Citations {
		cites = append(cites, render.Cite{Number: c.Number, Href: "#" + sourceID(m.ID, c.Number), Label: sourceLabel(c)})
		a.Sources = append(a.Sources, p.source(m, c, lib))
	}
	if answer.Quotes(m) {
		a.Quotes = p.quotes(m, cites, lib)
	} else {
		a.HTML = views.SafeHTML(p.markup.Answer(m.Text, cites))
	}
	if m.State == rag.AnswerDone || m.State == rag.AnswerStopped || m.State == rag.AnswerBroken {
		a.Byline = byline(m.Model)
	}
	if m.State != rag.AnswerDone && m.State != rag.AnswerWriting {
		a.AgainURL = "/answers/" + id + "/again"
	}
	a.Feedback = p.feedbackForm(m, token)
	return a
}

func byline(model string) string {
	switch model {
	case "":
		return ""
	case "extractive":
		return "Quoted from the documents"
	default:
		return "Answered by " + model
	}
}

// quotes renders the quotations of an answer as their sources are: inside their
// documents, so that a piece of a list, a table or a code block looks right.
func (p *pages) quotes(m rag.Message, cites []render.Cite, lib library) []views.Quote {
	var list []views.Quote
	for _, c := range m.Citations {
		if !c.Used {
			continue
		}
		q := views.Quote{Lead: views.SafeHTML(p.markup.Answer(answer.Lead(c), cites))}
		if !c.Deleted {
			q.Body = p.passage(c, lib.readings[c.VersionID])
		}
		list = append(list, q)
	}
	return list
}

// stageText says how far an answer is; for a final one, how it ended.
func stageText(s answer.Snapshot) string {
	if s.Message.State != rag.AnswerWriting {
		if head := noticeHeads[s.Message.State].head; head != "" {
			return head
		}
		return "The answer is ready."
	}
	if s.Stage == answer.StageSearching {
		return "Searching the documents…"
	}
	return "Writing the answer…"
}

// noticeHeads say how an answer ended that is not simply done.
var noticeHeads = map[rag.AnswerState]struct{ kind, head, text string }{
	rag.AnswerStopped: {"info", "Stopped", "You stopped this answer. It is not complete."},
	rag.AnswerBroken:  {"warning", "Not complete", "The answer broke off here. What follows is missing."},
	rag.AnswerRefused: {"info", "Not found in the documents", "Nothing that was found is good enough to answer from."},
	rag.AnswerFailed:  {"error", "No answer", "The question could not be answered just now."},
}

// noticeOf makes what is said beside an answer: how it ended, and the reason
// that was stored with it.
func noticeOf(m rag.Message) *views.Notice {
	n, ok := noticeHeads[m.State]
	switch {
	case ok && m.Notice != "":
		return &views.Notice{Kind: n.kind, Head: n.head, Text: m.Notice}
	case ok:
		return &views.Notice{Kind: n.kind, Head: n.head, Text: n.text}
	case m.Notice != "":
		return &views.Notice{Kind: "info", Text: m.Notice}
	default:
		return nil
	}
}
