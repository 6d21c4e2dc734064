package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/answer"
	"passage/views"
)

// stopWait is how long a browser without scripts waits for a stopped answer to
// be put away.
const stopWait = 3 * time.Second

// ask takes a question, into a new chat or one that is there.
func (p *pages) ask(c echo.Context) error {
	var chatID int64
	if c.Param("id") != "" {
		id, err := idOf(c)
		if err != nil {
			return err
		}
		chatID = id
	}
	question, err := questionOf(c)
	if err != nil {
		return err
	}
	return p.put(c, chatID, question)
}

// again puts the question of an answer once more, at the end of its chat.
func (p *pages) again(c echo.Context) error {
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
	return p.put(c, message.ChatID, question)
}

// put asks the desk. htmx gets the question with its answer, which follows the
// stream; a plain form waits for the answer and is sent to it.
func (p *pages) put(c echo.Context, chatID int64, question string) error {
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	chat, message, err := p.cfg.Desk.Ask(ctx, scope, chatID, question, rag.Filter{})
	if err != nil {
		return fmt.Errorf("asking in chat %d: %w", chatID, err)
	}
	if !isFragment(c) {
		if err := p.waitFor(c, scope, message.ID, p.cfg.AnswerWait); err != nil {
			return err
		}
		return c.Redirect(http.StatusSeeOther, chatURL(chat.ID)+"#m-"+itoa(message.ID))
	}
	if chatID == 0 {
		layout, view, err := p.conversation(c, chat.ID)
		if err != nil {
			return err
		}
		c.Response().Header().Set("HX-Push-Url", chatURL(chat.ID))
		return draw(c, http.StatusOK, views.NewChat(layout, view))
	}
	lib, err := p.open(ctx, scope, message)
	if err != nil {
		return err
	}
	a := p.answer(answer.Snapshot{Stage: answer.StageOf(message), Message: message}, lib, csrfOf(c))
	return draw(c, http.StatusOK, views.NewTurn(views.Turn{
		Question: &views.Question{ID: "q-of-" + itoa(message.ID), Text: question}, Answer: &a,
	}))
}

// questionOf reads the question. A form may send several, as when a suggestion
// is chosen while the box is empty; the first that says something counts.
func questionOf(c echo.Context) (string, error) {
	form, err := c.FormParams()
	if err != nil {
		return "", rag.WithCause(err, rag.CodeInvalid, "The form arrived damaged. Please send it again.")
	}
	for _, q := range form["question"] {
		q = strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(q, "\r\n", "\n"), "\uFFFD"))
		if q == "" {
			continue
		}
		if n := utf8.RuneCountInString(q); n > answer.MaxQuestion {
			return "", rag.Errorf(rag.CodeTooLarge, "A question may have at most %d characters; this one has %d.", answer.MaxQuestion, n)
		}
		return q, nil
	}
	return "", rag.Errorf(rag.CodeInvalid, "Please type a question.")
}

// waitFor waits until an answer is final or the time is over, whichever comes
// first; both are fine.
func (p *pages) waitFor(c echo.Context, scope rag.Scope, answerID int64, longest time.Duration) error {
	defer p.patient(c, longest+time.Minute)()
	ctx, cancel := context.WithTimeout(c.Request().Context(), longest)
	defer cancel()
	_, err := p.cfg.Desk.Wait(ctx, scope, answerID)
	timeIsOver := errors.Is(err, context.DeadlineExceeded) && c.Request().Context().Err() == nil
	if err != nil && !timeIsOver {
		return fmt.Errorf("waiting for answer %d: %w", answerID, err)
	}
	return nil
}

// stop ends an answer that is being written.
func (p *pages) stop(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	message, err := p.cfg.Store.Message(ctx, scope, id)
	if err != nil {
		return fmt.Errorf("reading answer %d: %w", id, err)
	}
	if err := p.cfg.Desk.Stop(ctx, scope, id); err != nil {
		return fmt.Errorf("stopping answer %d: %w", id, err)
	}
	if isFragment(c) {
		return c.NoContent(http.StatusNoContent) // the stream tells how it ended
	}
	if err := p.waitFor(c, scope, id, stopWait); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, chatURL(message.ChatID)+"#m-"+itoa(id))
}
