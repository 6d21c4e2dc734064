package outbound

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Policy says how often a call is repeated and how long is waited between.
type Policy struct {
	Attempts int           // calls in all, at least 1
	Base     time.Duration // the first wait; each further one is twice as long
	MaxWait  time.Duration // longest single wait; a server that asks for more is not waited for

	// Sleep waits, or returns the context's error. Nil means the clock's.
	Sleep func(ctx context.Context, d time.Duration) error
	// Jitter gives a number in [0,1) that spreads the waits of many callers.
	// Nil means random.
	Jitter func() float64
	// Notify hears of every repeat before the wait, for the log. May be nil.
	Notify func(attempt int, wait time.Duration, cause *Error)
}

// Do calls try until it succeeds, until its error is not transient, or until
// the attempts are used up, and returns the last error. A wait that would end
// after the context's deadline is not begun.
func (p Policy) Do(ctx context.Context, try func(ctx context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := try(ctx)
		if err == nil {
			return nil
		}
		cause := As(err)
		if cause == nil || !cause.Transient() || attempt >= p.Attempts {
			return err
		}
		wait := p.wait(attempt, cause.RetryAfter)
		if wait > p.MaxWait {
			return err
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) < wait {
			return err
		}
		if p.Notify != nil {
			p.Notify(attempt, wait, cause)
		}
		if err := p.sleep(ctx, wait); err != nil {
			return FromNetwork(err)
		}
	}
}

// wait is half fixed and half spread, never shorter than the server asks, and
// over MaxWait only if the server asks for that.
func (p Policy) wait(attempt int, asked time.Duration) time.Duration {
	jitter := p.Jitter
	if jitter == nil {
		jitter = rand.Float64
	}
	full := p.Base << min(attempt-1, 16)
	own := min(full/2+time.Duration(jitter()*float64(full/2)), p.MaxWait)
	return max(own, asked)
}

func (p Policy) sleep(ctx context.Context, d time.Duration) error {
	if p.Sleep != nil {
		return p.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// RetryAfter reads how long a reply asks to wait: Retry-After in seconds or as
// a date (RFC 9110, section 10.2.3), or the retry-after-ms some providers add.
// A date is measured from the reply's own Date, so that clocks may differ.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		return seconds(s)
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	if sent, err := http.ParseTime(h.Get("Date")); err == nil {
		now = sent
	}
	return max(at.Sub(now), 0)
}

// seconds converts, with a limit that keeps a silly number from overflowing.
func seconds(s float64) time.Duration {
	const limit = 24 * 3600
	if math.IsNaN(s) || s <= 0 {
		return 0
	}
	return time.Duration(min(s, limit) * float64(time.Second))
}
