package outbound

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// PostJSON sends one JSON request and gives the body of the reply, at most
// limit bytes of it. The key, if there is one, goes as a bearer token. A reply
// with status 200 that is a web page or says that it is an error counts as a
// fault too. Errors are an *Error, but for a request that cannot be written.
func PostJSON(ctx context.Context, client *http.Client, url, key string, ask any, limit int64) ([]byte, error) {
	body, err := json.Marshal(ask)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "passage")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, FromNetwork(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		e, _ := FromResponse(resp, time.Now())
		return nil, e
	}
	reply, err := ReadAll(resp.Body, limit)
	if err != nil {
		return nil, err
	}
	reply = bytes.TrimSpace(reply)
	if bytes.HasPrefix(reply, []byte("<")) {
		return nil, &Error{Kind: KindAddress, Reason: "web_page"}
	}
	var failed struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(reply, &failed) == nil && len(failed.Error) > 0 && string(failed.Error) != "null" {
		return nil, Classify(0, reply)
	}
	return reply, nil
}

// FromJSON makes an Error of what reading a reply as JSON ended with: KindCut
// when the reply ends too early, else KindProtocol. An *Error of a type's own
// UnmarshalJSON is kept.
func FromJSON(err error, reply []byte) *Error {
	if e := As(err); e != nil {
		return e
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset >= int64(len(reply)) {
		return &Error{Kind: KindCut, Reason: "json_ends_early"}
	}
	return &Error{Kind: KindProtocol, Reason: "not_the_expected_json"}
}
