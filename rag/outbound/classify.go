package outbound

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// complaint is what the error replies of the supported servers have in common.
// OpenAI and those like it send {"error":{"message","type","code"}}, Anthropic
// {"type":"error","error":{"type","message"}}, Ollama {"error":"…"}, vLLM and
// others {"object":"error","message","type","code"}, FastAPI {"detail":…}.
type complaint struct {
	Error json.RawMessage `json:"error"`
	Type  string          `json:"type"`
	Code  json.RawMessage `json:"code"`
}

// words are the texts that tell a kind where status and type do not. They are
// looked for in the whole complaint, in lower case.
var words = []struct {
	kind Kind
	any  []string
}{
	{KindQuota, []string{"insufficient_quota", "credit balance", "billing_hard_limit", "billing hard limit", "exceeded your current quota"}},
	{KindTooLong, []string{
		"context_length_exceeded", "maximum context length", "context length", "context size", "context window",
		"prompt is too long", "too many tokens", "maximum input length", "must have less than", "too many input tokens",
		"input is too large", "input is too long", "exceed_context_size", "max_tokens_per_request", "maximum request size",
	}},
	{KindRefused, []string{"content_filter", "content_policy_violation", "content management policy"}},
	{KindModel, []string{"model_not_found", "model not found", "no such model"}},
	{KindUnauthorized, []string{"authentication_error", "permission_error", "invalid_api_key", "incorrect api key", "api key not valid"}},
	{KindRateLimited, []string{"rate_limit", "rate limit", "too many requests"}},
	{KindUnavailable, []string{"overloaded", "server_error", "api_error", "internal error", "service unavailable"}},
	{KindBadRequest, []string{"invalid_request", "badrequest", "bad request"}},
}

// Classify makes an Error of a reply that is one: its status (0 for a
// complaint inside a reply that began well) and the first part of its body.
func Classify(status int, body []byte) *Error {
	if status == 0 {
		status = codeStatus(body)
	}
	text := strings.ToLower(string(body))
	return &Error{Kind: kindOf(status, text), Status: status, Reason: reason(body)}
}

func kindOf(status int, text string) Kind {
	said := kindSaid(text)
	switch {
	case status == 0 && said != "":
		return said
	case status == 0, status == http.StatusRequestTimeout, status == http.StatusTooEarly:
		return KindUnavailable
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusProxyAuthRequired:
		return KindUnauthorized
	case status == http.StatusPaymentRequired, status == http.StatusTooManyRequests && said == KindQuota:
		return KindQuota
	case status == http.StatusTooManyRequests:
		return KindRateLimited
	case status == http.StatusRequestEntityTooLarge:
		return KindTooLong
	case status == http.StatusNotFound && strings.HasPrefix(text, "{") && strings.Contains(text, "model"):
		return KindModel
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status >= 300 && status < 400:
		return KindAddress
	case status >= 500 && said == KindTooLong: // seen from servers that fail on an over-long input
		return KindTooLong
	case status >= 500:
		return KindUnavailable
	case status >= 400:
		return kindOfBadRequest(said)
	default:
		return KindProtocol // a 1xx or 2xx that carries no reply
	}
}

// kindOfBadRequest believes the words of a 400 only where they say more than
// the status does.
func kindOfBadRequest(said Kind) Kind {
	switch said {
	case KindQuota, KindTooLong, KindRefused, KindModel, KindUnauthorized:
		return said
	default:
		return KindBadRequest
	}
}

func kindSaid(text string) Kind {
	for _, w := range words {
		if containsAny(text, w.any) {
			return w.kind
		}
	}
	return ""
}

func containsAny(text string, list []string) bool {
	for _, s := range list {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// inner gives the object that holds type and code, however it is nested.
func inner(body []byte) complaint {
	var outer complaint
	if json.Unmarshal(body, &outer) != nil {
		return complaint{}
	}
	var c complaint
	if len(outer.Error) > 0 && json.Unmarshal(outer.Error, &c) == nil && (c.Type != "" || len(c.Code) > 0) {
		return c
	}
	return outer
}

// reason keeps the code or the type of a complaint if it is an identifier;
// prose may quote the key or the question and is dropped.
func reason(body []byte) string {
	c := inner(body)
	var code string
	if json.Unmarshal(c.Code, &code) == nil && identifier(code) {
		return code
	}
	if identifier(c.Type) {
		return c.Type
	}
	return ""
}

// codeStatus reads a numeric code, which gateways use for the HTTP status that
// a stream would have had if it had not begun already.
func codeStatus(body []byte) int {
	var n int
	if json.Unmarshal(inner(body).Code, &n) == nil && n >= 400 && n < 600 {
		return n
	}
	return 0
}

func identifier(s string) bool {
	if s == "" || len(s) > 48 {
		return false
	}
	for _, r := range s {
		ok := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !ok {
			return false
		}
	}
	return true
}

// FromNetwork makes an Error of a call that got no reply, or lost it. The
// address is taken out of the cause, as it may hold a password.
func FromNetwork(err error) *Error {
	if e := As(err); e != nil {
		return e
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	e := &Error{Kind: KindUnavailable, Cause: err}
	var n net.Error
	switch {
	case errors.Is(err, context.Canceled):
		e.Kind = KindStopped
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind = KindTimeout
	case errors.As(err, &n) && n.Timeout():
		e.Kind = KindTimeout
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind = KindCut
	}
	return e
}
