package handlers

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/answer"
	"passage/views"
)

// stream sends an answer as it is written, as server-sent events. Each event
// carries a whole part of the answer as it stands (its text, its sources, its
// state) and replaces what was there, so a reader may come late, come back, or
// miss some. "done" ends the stream for good; a stream that ends without it is
// one to come back to.
func (p *pages) stream(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	scope := p.cfg.ScopeOf(c)
	if _, err := p.cfg.Store.Message(c.Request().Context(), scope, id); err != nil {
		return fmt.Errorf("reading answer %d: %w", id, err)
	}
	ctx, cancel := context.WithCancel(c.Request().Context())
	defer cancel()
	latest, ended := p.follow(ctx, scope, id)

	out := newEventStream(c, p.cfg.EventWrite)
	defer out.end()
	if err := out.begin(); err != nil {
		return nil // the reader is gone, which is no fault; the answer goes on without one
	}
	screen := &display{pages: p, scope: scope, token: csrfOf(c), out: out}
	heartbeat := time.NewTicker(p.cfg.Heartbeat)
	defer heartbeat.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-heartbeat.C:
			if out.comment() != nil {
				return nil
			}
		case snapshot := <-latest:
			if done, err := p.showOn(ctx, screen, snapshot); done {
				return err
			}
		case err := <-ended:
			return p.close(ctx, screen, latest, err)
		}
	}
}

// follow has the desk put snapshots into a box that holds the latest one: a slow
// reader misses some and holds nobody up.
func (p *pages) follow(ctx context.Context, scope rag.Scope, id int64) (latest <-chan answer.Snapshot, ended <-chan error) {
	box, end := make(chan answer.Snapshot, 1), make(chan error, 1)
	go func() {
		end <- p.cfg.Desk.Follow(ctx, scope, id, func(s answer.Snapshot) error {
			select {
			case <-box:
			default:
			}
			box <- s // there is room: nobody else puts anything in
			return ctx.Err()
		})
	}()
	return box, end
}

// showOn shows one snapshot and then keeps still for a while, so that events do
// not come faster than a page can take them. It says when the stream is over.
func (p *pages) showOn(ctx context.Context, screen *display, s answer.Snapshot) (over bool, err error) {
	gone, err := screen.show(ctx, s)
	if gone || err != nil {
		return true, err
	}
	if screen.final {
		return false, nil
	}
	select {
	case <-ctx.Done():
		return true, nil
	case <-time.After(p.cfg.StreamGap):
		return false, nil
	}
}

// close shows what is still in the box and says that the answer is final.
func (p *pages) close(ctx context.Context, screen *display, latest <-chan answer.Snapshot, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the reader left, which is why following ended
	}
	select {
	case s := <-latest:
		if gone, err := screen.show(ctx, s); gone || err != nil {
			return err
		}
	default:
	}
	if screen.final || rag.ErrorCode(err) == rag.CodeNotFound {
		_ = screen.out.send("done", "done") // when this fails the reader is gone
	}
	if err != nil && rag.ErrorCode(err) != rag.CodeNotFound {
		return fmt.Errorf("following an answer: %w", err)
	}
	return nil
}

// display is what a reader has seen of an answer.
type display struct {
	pages *pages
	scope rag.Scope
	token string
	out   *eventStream

	lib     library
	opened  int // citations that lib was opened for
	final   bool
	text    string
	sources string
	state   string
}

// show sends the parts of a snapshot that differ from what was sent before.
// gone says that the reader is.
func (d *display) show(ctx context.Context, s answer.Snapshot) (gone bool, err error) {
	if n := len(s.Message.Citations); n != d.opened || d.lib.labels == nil {
		if d.lib, err = d.pages.open(ctx, d.scope, s.Message); err != nil {
			return false, err
		}
		d.opened = n
	}
	a := d.pages.answer(s, d.lib, d.token)
	parts := []struct {
		event string
		last  *string
		body  templ.Component
	}{
		{"sources", &d.sources, views.AnswerSources(a)},
		{"text", &d.text, views.AnswerText(a)},
		{"state", &d.state, views.StreamState(a)},
	}
	for _, part := range parts {
		html, err := text(ctx, part.body)
		if err != nil {
			return false, fmt.Errorf("drawing the %s of answer %d: %w", part.event, s.Message.ID, err)
		}
		if html == *part.last {
			continue
		}
		if d.out.send(part.event, html) != nil {
			return true, nil //nolint:nilerr // a reader who is gone is no fault
		}
		*part.last = html
	}
	d.final = s.Message.State != rag.AnswerWriting
	return false, nil
}

// text renders a component to a string.
func text(ctx context.Context, component templ.Component) (string, error) {
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	if err := component.Render(ctx, buf); err != nil {
		return "", err
	}
	return buf.String(), nil
}

// eventStream writes server-sent events as the HTML standard describes them,
// section 9.2.
type eventStream struct {
	response *echo.Response
	control  *http.ResponseController
	most     time.Duration // for writing one event
}

func newEventStream(c echo.Context, most time.Duration) *eventStream {
	return &eventStream{response: c.Response(), control: http.NewResponseController(c.Response()), most: most}
}

// begin sends the headers at once, with what keeps proxies from holding events
// back: nginx looks at X-Accel-Buffering, others at no-transform.
func (s *eventStream) begin() error {
	h := s.response.Header()
	h.Set(echo.HeaderContentType, "text/event-stream")
	h.Set(echo.HeaderCacheControl, "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	s.response.WriteHeader(http.StatusOK)
	return s.write("retry: 2000\n\n")
}

// send writes one event. Each line of the data is a data line of its own; a
// carriage return would end a line as well, so none is let through.
func (s *eventStream) send(event, data string) error {
	var b strings.Builder
	b.Grow(len(data) + len(data)/16 + 64)
	b.WriteString("event: " + event + "\n")
	for line := range strings.SplitSeq(lineEnds.Replace(data), "\n") {
		b.WriteString("data: ")
		b.WriteString(line)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return s.write(b.String())
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// comment keeps proxies from taking silence for the end.
func (s *eventStream) comment() error { return s.write(": still here\n\n") }

func (s *eventStream) write(text string) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(s.most)) // where there are no deadlines, as in tests, there is none
	if _, err := s.response.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}

// end takes the deadline away, which would otherwise hold for the next request
// on the same connection.
func (s *eventStream) end() { _ = s.control.SetWriteDeadline(time.Time{}) }
