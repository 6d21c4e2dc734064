package rag

import (
	"errors"
	"fmt"
)

// Code says what kind of fault an Error is. A caller decides by the code, a
// user reads the message.
type Code string

// The codes. Anything without a code counts as CodeInternal.
const (
	CodeInvalid     Code = "invalid"      // the input is wrong; the message says how to mend it
	CodeNotFound    Code = "not_found"    // it is not there, or the scope may not see it
	CodeConflict    Code = "conflict"     // it is there already, or changed meanwhile
	CodeTooLarge    Code = "too_large"    // over a stated limit
	CodeRateLimited Code = "rate_limited" // too many requests; try again later
	CodeUnavailable Code = "unavailable"  // something outside (database, model) cannot be reached
	CodeInternal    Code = "internal"     // a fault of the program
)

// internalMessage is what a user reads when a fault has no message of its own.
const internalMessage = "Something went wrong here. The fault has been logged."

// Error is the one error type with a message that is safe to show. Cause is
// for the log only and may hold internals.
type Error struct {
	Code    Code
	Message string
	Cause   error
}

// Error joins the code, the message and the cause, for logs.
func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Cause)
	}
	return string(e.Code) + ": " + e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Errorf makes an Error without a cause. The formatted message is shown to
// users, so it must say what to do and hold no internals.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithCause makes an Error around a cause. The formatted message is shown to
// users, the cause is not.
func WithCause(cause error, code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Cause: cause}
}

// ErrorCode finds the code of an error through any wraps: "" for nil and
// CodeInternal for an error that carries none.
func ErrorCode(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// ErrorMessage gives the sentence that a user may read: the message of the
// outermost Error in the chain, or a fixed one.
func ErrorMessage(err error) string {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) && e.Code != CodeInternal {
		return e.Message
	}
	return internalMessage
}
