package llm

import (
	"context"
	"sync"
	"time"

	"passage/rag/outbound"
)

// record is what the wire told about one call.
type record struct {
	fault *outbound.Error // the first thing that went wrong
	ended bool            // the reply came to its end, with a stop reason
	text  int             // bytes of answer in it
	summary
}

// exchange carries the record of one call from the transport, which langchaingo
// drives, to the caller of langchaingo. It travels in the request's context,
// because an error's type does not survive langchaingo.
type exchange struct {
	mu   sync.Mutex // langchaingo may read the body in a goroutine of its own
	rec  record
	idle *time.Timer // runs while a read waits for the server
	wait time.Duration
}

func newExchange(idle time.Duration, onIdle func()) *exchange {
	t := time.AfterFunc(idle, onIdle)
	t.Stop()
	return &exchange{idle: t, wait: idle}
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

func exchangeOf(ctx context.Context) (*exchange, bool) {
	x, ok := ctx.Value(exchangeKey{}).(*exchange)
	return x, ok
}

// note changes the record.
func (x *exchange) note(change func(r *record)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	change(&x.rec)
}

// fail keeps the first fault and returns it, whichever that is.
func (x *exchange) fail(e *outbound.Error) *outbound.Error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.rec.fault == nil {
		x.rec.fault = e
	}
	return x.rec.fault
}

// seen gives a copy of the record.
func (x *exchange) seen() record {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.rec
}

// waiting starts the idle watch before a read, and its result stops it.
func (x *exchange) waiting() (done func()) {
	x.idle.Reset(x.wait)
	return func() { x.idle.Stop() }
}
