package outbound_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag/outbound"
)

func TestPostJSON(t *testing.T) {
	t.Parallel()
	const prose = "your text about the broker was"
	for _, c := range []struct {
		name   string
		status int
		reply  string
		kind   outbound.Kind // "" means that the reply is given
	}{
		{"a reply", 200, " {\"a\":1}\n", ""},
		{"a list", 200, `[1]`, ""},
		{"an error that is null", 200, `{"error":null}`, ""},
		{"a web page", 200, "\n<!doctype html>" + prose, outbound.KindAddress},
		{"an error with status 200", 200, `{"error":{"type":"rate_limit_error","message":"` + prose + `"}}`, outbound.KindRateLimited},
		{"a status that is none of success", 503, prose, outbound.KindUnavailable},
		{"longer than the limit", 200, `"` + strings.Repeat("a", 200) + `"`, outbound.KindProtocol},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if string(body) != `{"q":"w"}` || r.Header.Get("Authorization") != "Bearer key" || r.Method != http.MethodPost {
					w.WriteHeader(http.StatusTeapot)
					return
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.reply)
			}))
			defer srv.Close()
			rt := outbound.NewTransport(time.Minute)
			defer rt.CloseIdleConnections()
			got, err := outbound.PostJSON(t.Context(), outbound.NewClient(rt), srv.URL, "key", map[string]string{"q": "w"}, 120)
			if c.kind == "" {
				require.NoError(t, err)
				require.Equal(t, strings.TrimSpace(c.reply), string(got))
				return
			}
			require.Equal(t, c.kind, outbound.KindOf(err), "%v", err)
			require.NotContains(t, err.Error(), prose)
		})
	}
}

func TestFromJSON(t *testing.T) {
	t.Parallel()
	own := &outbound.Error{Kind: outbound.KindEmpty}
	require.Same(t, own, outbound.FromJSON(errors.Join(own), nil))
	for reply, want := range map[string]outbound.Kind{`{"a":`: outbound.KindCut, `{"a":x}`: outbound.KindProtocol, `{"a":"b"}`: outbound.KindProtocol} {
		var doc struct{ A int }
		require.Equal(t, want, outbound.FromJSON(json.Unmarshal([]byte(reply), &doc), []byte(reply)).Kind, reply)
	}
}
