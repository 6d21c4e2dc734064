package outbound

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind says what went wrong with a call, seen by what the caller can do next.
type Kind string

// The kinds. The first three may pass by themselves and are worth repeating.
const (
	KindRateLimited  Kind = "rate_limited" // too many requests; wait and try again
	KindUnavailable  Kind = "unavailable"  // not reachable, or a fault of the server's own
	KindCut          Kind = "cut"          // the reply broke off before its end
	KindTimeout      Kind = "timeout"      // no reply, or no more of it, within the limit
	KindUnauthorized Kind = "unauthorized" // the key is missing, wrong, or may not do this
	KindQuota        Kind = "quota"        // the account has no credit left
	KindAddress      Kind = "address"      // something else answers there: a web page, a redirect
	KindModel        Kind = "model"        // the server does not have the model
	KindTooLong      Kind = "too_long"     // the input is over the model's limit
	KindRefused      Kind = "refused"      // a content filter, or the model itself, declined
	KindBadRequest   Kind = "bad_request"  // the server does not accept the request
	KindProtocol     Kind = "protocol"     // the reply does not say what such a reply must say
	KindEmpty        Kind = "empty"        // a complete reply with nothing in it
	KindStopped      Kind = "stopped"      // the caller's context was cancelled
)

// Error is what a call ended with. It holds no prose of the server.
type Error struct {
	Kind       Kind
	Status     int           // HTTP status, 0 when there was no reply
	RetryAfter time.Duration // how long the server asks to wait, 0 when it does not say
	Reason     string        // identifier the server or the checker gave, like "model_not_found"
	Partial    bool          // part of the reply had been handed on before
	Cause      error         // a network or context error, nil otherwise
}

// Error lists the fields that are set, for logs.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Kind))
	if e.Status != 0 {
		fmt.Fprintf(&b, ", status %d", e.Status)
	}
	if e.Reason != "" {
		b.WriteString(", " + e.Reason)
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, ", retry after %s", e.RetryAfter)
	}
	if e.Partial {
		b.WriteString(", after part of the reply")
	}
	if e.Cause != nil {
		b.WriteString(": " + e.Cause.Error())
	}
	return b.String()
}

// Unwrap gives the cause, so that errors.Is finds a context's end.
func (e *Error) Unwrap() error { return e.Cause }

// Transient says whether the same call may do better a little later. What was
// handed on in part is never repeated: the reader would see it twice.
func (e *Error) Transient() bool {
	switch e.Kind {
	case KindRateLimited, KindUnavailable, KindCut:
		return !e.Partial
	default:
		return false
	}
}

// As finds the Error in a chain of wraps, nil when there is none.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// KindOf gives the kind of the Error in a chain of wraps, "" when there is none.
func KindOf(err error) Kind {
	if e := As(err); e != nil {
		return e.Kind
	}
	return ""
}
