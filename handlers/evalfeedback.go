package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/evaluate"
	"passage/views"
)

// maxExpected is the most bytes of a document's name in feedback.
const maxExpected = 2000

// feedbackForm is the form under a finished answer.
func (p *pages) feedbackForm(m rag.Message, token string) *views.Feedback {
	if p.cfg.Evaluation == nil || m.State == rag.AnswerWriting || m.State == rag.AnswerFailed {
		return nil
	}
	id := itoa(m.ID)
	f := &views.Feedback{ID: "f-" + id, Action: "/answers/" + id + "/wrong", CSRF: token}
	for _, c := range m.Citations {
		if !c.Deleted {
			f.Passages = append(f.Passages, views.FeedbackPassage{Number: strconv.Itoa(c.Number), Title: placeTitle(c)})
		}
	}
	return f
}

// placeTitle names a passage by its document and the heading it stands under.
func placeTitle(c rag.Citation) string {
	title := titleOf(c.Title, c.SourceURI)
	if below := pathBelow(c.Title, c.Path); len(below) > 0 {
		title += " › " + below[len(below)-1]
	}
	return title
}

// wrong keeps the question of an answer that was wrong as a question of the set
// of feedback, with what would have been right.
func (p *pages) wrong(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	message, err := p.cfg.Store.Message(ctx, scope, id)
	if err != nil {
		return fmt.Errorf("reading answer %d: %w", id, err)
	}
	question, err := p.questionBefore(ctx, scope, message)
	if err != nil {
		return err
	}
	form, err := c.FormParams()
	if err != nil {
		return rag.WithCause(err, rag.CodeInvalid, "The form arrived damaged. Please send it again.")
	}
	text, err := p.keepFeedback(ctx, scope, message, question, form["right"], strings.TrimSpace(c.FormValue("expected")), c.FormValue("nothing") != "")
	if err != nil {
		return err
	}
	taken := views.FeedbackTaken{Text: text, Back: chatURL(message.ChatID) + "#m-" + itoa(id)}
	if isFragment(c) {
		return draw(c, http.StatusOK, views.FeedbackNote(taken))
	}
	return draw(c, http.StatusOK, views.FeedbackPage(views.Layout{Title: "Thank you", Section: "ask"}, taken))
}

// keepFeedback stores the question with the places that were ticked, with the
// document that was named, or as one that nothing answers.
func (p *pages) keepFeedback(ctx context.Context, scope rag.Scope, m rag.Message, question string, right []string, expected string, nothing bool) (string, error) {
	d := evaluate.Draft{ID: "message-" + itoa(m.ID), Question: question, Unanswerable: nothing, Note: "A reader found the answer wrong or incomplete."}
	if whole := searched(m); whole != "" && whole != question {
		d.Question = whole
		d.Note += " Asked in a chat as: " + cutTo(question, maxExpected)
	}
	var space int64
	for _, c := range m.Citations {
		if slices.Contains(right, strconv.Itoa(c.Number)) && !c.Deleted {
			d.Places = append(d.Places, placesOf(c)...)
			space = c.DocID
		}
	}
	switch {
	case nothing && (len(d.Places) > 0 || expected != ""):
		return "", rag.Errorf(rag.CodeInvalid, "Either a passage or a document holds the answer, or nothing does. Please choose one of the two.")
	case len(d.Places) > 0:
		if expected != "" {
			d.Note += " Expected: " + cutTo(expected, maxExpected)
		}
	case expected != "":
		return p.keepExpected(ctx, scope, d, expected)
	case !nothing:
		return "", rag.Errorf(rag.CodeInvalid, "Please tick a passage that holds the right answer, or name the document that should have been found.")
	}
	set, err := p.feedbackSet(ctx, scope, space)
	if err != nil {
		return "", err
	}
	_, err = p.cfg.Evaluation.AddDraft(ctx, scope, set.ID, d)
	return feedbackText(err)
}

// keepExpected stores a question whose answer is a whole document.
func (p *pages) keepExpected(ctx context.Context, scope rag.Scope, d evaluate.Draft, expected string) (string, error) {
	doc, err := p.namedDocument(ctx, scope, expected)
	if err != nil {
		return "", err
	}
	set, err := p.feedbackSet(ctx, scope, doc.ID)
	if err != nil {
		return "", err
	}
	_, _, err = p.cfg.Evaluation.Put(ctx, scope, set.ID, []evaluate.Question{{
		ID: d.ID, Text: d.Question, Kind: evaluate.KindDocument, Target: evaluate.Target{DocID: doc.SourceURI, Space: doc.Space}, Note: d.Note,
	}})
	return feedbackText(err)
}

func feedbackText(err error) (string, error) {
	switch {
	case rag.ErrorCode(err) == rag.CodeConflict:
		return "Thank you. This question is in the set “" + evaluate.FeedbackSet + "” already.", nil
	case err != nil:
		return "", fmt.Errorf("keeping feedback: %w", err)
	}
	return "Thank you. The question is kept in the set “" + evaluate.FeedbackSet + "” and will be asked in the next evaluation.", nil
}

// feedbackSet is the set over every space for who reads all of them, else that of
// the document's space.
func (p *pages) feedbackSet(ctx context.Context, scope rag.Scope, documentID int64) (evaluate.QuestionSet, error) {
	var space int64
	if !scope.All && documentID != 0 {
		doc, err := p.cfg.Store.Document(ctx, scope, documentID)
		if err != nil {
			return evaluate.QuestionSet{}, fmt.Errorf("reading document %d: %w", documentID, err)
		}
		space = doc.SpaceID
	}
	set, err := p.cfg.Evaluation.EnsureSet(ctx, scope, space, evaluate.FeedbackSet)
	if err != nil {
		return set, fmt.Errorf("making the set of feedback: %w", err)
	}
	return set, nil
}

// placesOf are the spans of a passage that the answer stands in: the procedures
// that were hit, whole, and the other sentences that were hit. A passage without
// hits is taken as it is.
func placesOf(c rag.Citation) []rag.Place {
	var spans []rag.Span
	add := func(s rag.Span) {
		if !slices.ContainsFunc(spans, func(o rag.Span) bool { return o.Start <= s.Start && s.End <= o.End }) {
			spans = append(spans, s)
		}
	}
	for _, part := range c.Parts {
		if slices.ContainsFunc(c.Marks, func(m rag.Mark) bool { return m.Span.Start < part.Span.End && part.Span.Start < m.Span.End }) {
			add(part.Span)
		}
	}
	for _, m := range c.Marks {
		add(m.Span)
	}
	if len(spans) == 0 {
		add(c.Span)
	}
	places := make([]rag.Place, 0, len(spans))
	for _, s := range spans {
		places = append(places, rag.Place{Version: c.VersionID, Span: s})
	}
	return places
}

// namedDocument finds the one document with that title or source.
func (p *pages) namedDocument(ctx context.Context, scope rag.Scope, name string) (rag.Document, error) {
	if len(name) > maxExpected {
		return rag.Document{}, rag.Errorf(rag.CodeTooLarge, "The name of a document has at most %d bytes.", maxExpected)
	}
	docs, total, err := p.cfg.Store.Documents(ctx, scope, rag.DocumentFilter{Words: name, Limit: listedDocuments})
	if err != nil {
		return rag.Document{}, fmt.Errorf("looking for a document: %w", err)
	}
	var exact []rag.Document
	for _, d := range docs {
		if d.SourceURI == name || strings.EqualFold(d.Title, name) {
			exact = append(exact, d)
		}
	}
	switch {
	case len(exact) == 1:
		return exact[0], nil
	case total == 1:
		return docs[0], nil
	case total == 0:
		return rag.Document{}, rag.Errorf(rag.CodeInvalid, "No document has that title or source. The list of documents shows both.")
	default:
		return rag.Document{}, rag.Errorf(rag.CodeInvalid, "%d documents fit that name. Please give the source of the one that is meant, as the list of documents shows it.", max(len(exact), total))
	}
}

// questionBefore is the question that a message answers.
func (p *pages) questionBefore(ctx context.Context, scope rag.Scope, answer rag.Message) (string, error) {
	_, messages, err := p.cfg.Store.Chat(ctx, scope, answer.ChatID)
	if err != nil {
		return "", fmt.Errorf("reading chat %d: %w", answer.ChatID, err)
	}
	question := ""
	for _, m := range messages {
		if m.ID >= answer.ID {
			break
		}
		if m.Role == rag.RoleUser {
			question = m.Text
		}
	}
	if question == "" {
		return "", rag.Errorf(rag.CodeNotFound, "The question of this answer is not there any more.")
	}
	return question, nil
}

// searched is the question that a follow-up was condensed to, which can be
// understood without the chat: "and on EKS?" alone asks nothing. "" when the
// question was searched as it was asked.
func searched(m rag.Message) string {
	var trace struct {
		Question  string `json:"question"`
		Condensed string `json:"condensed"`
	}
	if json.Unmarshal(m.Trace, &trace) != nil || trace.Condensed == "" {
		return ""
	}
	return strings.TrimSpace(trace.Question)
}

func cutTo(s string, bytes int) string {
	if len(s) <= bytes {
		return s
	}
	return strings.ToValidUTF8(s[:bytes], "")
}
