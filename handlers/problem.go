package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/views"
)

// statusOf is the one table from the code of a fault to the status of a
// response.
var statusOf = map[rag.Code]int{
	rag.CodeInvalid:     http.StatusBadRequest,
	rag.CodeNotFound:    http.StatusNotFound,
	rag.CodeConflict:    http.StatusConflict,
	rag.CodeTooLarge:    http.StatusRequestEntityTooLarge,
	rag.CodeRateLimited: http.StatusTooManyRequests,
	rag.CodeUnavailable: http.StatusServiceUnavailable,
	rag.CodeInternal:    http.StatusInternalServerError,
}

// heads are the titles of faults, by status.
var heads = map[int]string{
	http.StatusBadRequest:            "That did not work",
	http.StatusForbidden:             "Not allowed",
	http.StatusNotFound:              "Not found",
	http.StatusMethodNotAllowed:      "Not found",
	http.StatusConflict:              "It changed meanwhile",
	http.StatusRequestEntityTooLarge: "Too large",
	http.StatusTooManyRequests:       "Too many requests",
	http.StatusServiceUnavailable:    "Not available just now",
}

// describe gives the status of a fault and what a person is told about it.
func describe(err error) (status int, message string) {
	if rag.ErrorCode(err) == rag.CodeInternal {
		var he *echo.HTTPError
		if errors.As(err, &he) && he.Code < http.StatusInternalServerError {
			return he.Code, frameworkMessage(he)
		}
	}
	code := rag.ErrorCode(err)
	if code == rag.CodeUnavailable {
		// Its message tells who runs the server what to set; the log has it.
		return statusOf[code], "Something that this page needs cannot be reached just now. Try again in a moment."
	}
	return statusOf[code], rag.ErrorMessage(err)
}

// sentence is the message of an echo.HTTPError that was written for people.
type sentence string

// frameworkMessage says in our words what Echo found: its own texts are for
// developers.
func frameworkMessage(he *echo.HTTPError) string {
	if text, ok := he.Message.(sentence); ok {
		return string(text)
	}
	switch he.Code {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "There is no such page."
	case http.StatusForbidden:
		return "This request came from another site and was not carried out."
	default:
		return "The request could not be understood."
	}
}

// problem answers a request that ended in an error: a page, or a fragment for
// htmx, with a sentence that is safe to show and the name of the request.
func (p *pages) problem(err error, c echo.Context) {
	r := c.Request()
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return // nobody is there any more
	}
	status, message := describe(err)
	if status >= http.StatusInternalServerError {
		p.logFault(c, err)
	}
	if c.Response().Committed {
		return
	}
	head := heads[status]
	if head == "" {
		head = "Something went wrong"
	}
	view := views.Problem{Head: head, Message: message, RequestID: requestIDOf(c)}
	body := views.ProblemPage(views.Layout{Title: head}, view)
	if isFragment(c) {
		c.Response().Header().Set("HX-Retarget", "#alerts")
		c.Response().Header().Set("HX-Reswap", "innerHTML show:window:none")
		body = views.ProblemAlert(view)
	}
	if r.Method == http.MethodHead {
		_ = c.NoContent(status) // the client is gone when this fails
		return
	}
	if err := draw(c, status, body); err != nil {
		p.cfg.Log.ErrorContext(r.Context(), "error page not written", "error", err, "request_id", requestIDOf(c))
	}
}

func (p *pages) logFault(c echo.Context, err error) {
	attrs := []any{"error", err, "request_id", requestIDOf(c), "route", c.Path()}
	var pe *panicError
	if errors.As(err, &pe) {
		attrs = append(attrs, "stack", pe.stack)
	}
	p.cfg.Log.ErrorContext(c.Request().Context(), "request ended in a fault", attrs...)
}

// isFragment says that htmx asks and wants a part of a page.
func isFragment(c echo.Context) bool { return c.Request().Header.Get("HX-Request") == "true" }

// draw renders a component into a buffer first, so that a template that goes
// wrong gives an error page and not half of its own.
func draw(c echo.Context, status int, component templ.Component) error {
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	if err := component.Render(c.Request().Context(), buf); err != nil {
		return fmt.Errorf("drawing %s: %w", c.Path(), err)
	}
	c.Response().Header().Add(echo.HeaderVary, "HX-Request")
	return c.HTMLBlob(status, buf.Bytes())
}
