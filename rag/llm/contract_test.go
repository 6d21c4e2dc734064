package llm_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"passage/rag/llm"
	"passage/rag/outbound"
)

// trial is one row of the contract: what a server does and what has to come
// of it, the same for every provider.
type trial struct {
	name  string
	serve func(w reply)
	cfg   func(c *llm.Config)
	chunk func(end func(cause error), chunk string) error // the caller's own; end ends its context

	text    string // of the result, the part before an error included
	stop    string
	kind    outbound.Kind // "" means no fault
	is      error         // what errors.Is must find
	calls   int           // requests the server must see; 0 means one
	waits   []time.Duration
	partial bool
}

var errCaller = errors.New("the reader went away")

func trials() []trial {
	const answer = "Rotate the certificate."
	clean := func(w reply) {
		w.send(w.s.start, w.s.text("Rotate ", "the ", "certificate."), w.s.end(w.s.words["end"]))
	}
	first := func(w reply) { w.send(w.s.start, w.s.text("Rotate ", "the ")) }
	second := func(serve func(w reply)) func(w reply) { // the fault once, then a clean answer
		return func(w reply) {
			if w.n == 1 {
				serve(w)
				return
			}
			clean(w)
		}
	}
	long := func(n int) string { return strings.Repeat("Übergröße 🩺 ", n/19+1) }
	endAt := func(last string, cause error) func(func(error), string) error {
		return func(end func(error), chunk string) error {
			if chunk == last {
				end(cause)
			}
			return nil
		}
	}

	return []trial{
		{name: "clean", serve: clean, text: answer, stop: llm.StopEnd},
		{name: "stop reason length", text: "Rotate the ", stop: llm.StopLength, serve: func(w reply) {
			first(w)
			w.send(w.s.end(w.s.words["length"]))
		}},
		{name: "stop reason refused", text: "Rotate the ", kind: outbound.KindRefused, partial: true, serve: func(w reply) {
			first(w)
			w.send(w.s.end(w.s.words["refused"]))
		}},
		{name: "empty answer", kind: outbound.KindEmpty, serve: func(w reply) {
			w.send(w.s.start, w.s.end(w.s.words["end"]))
		}},
		{name: "not streamed, one JSON reply", text: answer, stop: llm.StopEnd, serve: func(w reply) {
			w.Header().Set("Content-Type", "application/json")
			w.send(w.s.whole(quote(answer)))
		}},
		{name: "not streamed, cut", kind: outbound.KindCut, calls: 3, serve: func(w reply) {
			body := w.s.whole(quote(answer))
			w.send(body[:len(body)-20])
		}},

		{name: "cut after some text", text: "Rotate the ", kind: outbound.KindCut, partial: true, serve: first},
		{name: "connection lost after some text", text: "Rotate the ", kind: outbound.KindCut, partial: true, serve: func(w reply) {
			first(w)
			w.drop()
		}},
		{name: "cut inside an event", text: "Rotate the ", kind: outbound.KindCut, partial: true, serve: func(w reply) {
			first(w)
			event := w.s.text("certificate.")
			w.send(event[:len(event)-8])
		}},
		{name: "cut before any text, then ok", text: answer, stop: llm.StopEnd, calls: 2, serve: second(func(w reply) {
			w.send(w.s.start)
		})},
		{name: "formal end without a stop reason", text: "Rotate the ", kind: outbound.KindCut, partial: true, serve: func(w reply) {
			first(w)
			switch w.s.provider {
			case llm.ProviderOpenAI:
				w.send("data: [DONE]\n\n")
			case llm.ProviderAnthropic:
				w.send("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n")
			}
		}},
		{name: "stop reason without the formal end", text: answer, stop: llm.StopEnd, serve: func(w reply) {
			if w.s.stopped == "" { // Ollama says both in one line
				clean(w)
				return
			}
			w.send(w.s.start, w.s.text(answer), w.s.stopped)
		}},
		{
			name: "server keeps the line open after the end", text: answer, stop: llm.StopEnd,
			serve: func(w reply) { clean(w); w.hang() },
			cfg:   func(c *llm.Config) { c.Timeout = 20 * time.Second },
		},

		{name: "error event in mid-stream, more events after it", text: "Rotate the ", kind: outbound.KindUnavailable, partial: true, serve: func(w reply) {
			first(w)
			w.send(w.s.fault("overloaded_error"), w.s.text("lost"), w.s.end(w.s.words["end"]))
		}},
		{name: "error event before any text, then ok", text: answer, stop: llm.StopEnd, calls: 2, serve: second(func(w reply) {
			w.send(w.s.start, w.s.fault("overloaded_error"))
		})},
		{name: "event that is no JSON", text: "Rotate the ", kind: outbound.KindProtocol, partial: true, serve: func(w reply) {
			first(w)
			w.send("data: {broken}\n\n", w.s.end(w.s.words["end"]))
		}},

		{
			name: "cancelled by the reader (T71)", text: "Rotate the ", kind: outbound.KindStopped, is: context.Canceled, partial: true,
			serve: func(w reply) { first(w); w.hang() },
			chunk: endAt("the ", context.Canceled),
		},
		{
			name: "the reader's own error", text: "Rotate ", is: errCaller,
			serve: func(w reply) { first(w); w.hang() },
			chunk: func(func(error), string) error { return errCaller },
		},
		{
			name: "deadline in mid-stream", text: "Rotate the ", kind: outbound.KindTimeout, is: context.DeadlineExceeded, partial: true,
			serve: func(w reply) { first(w); w.hang() },
			chunk: endAt("the ", context.DeadlineExceeded),
		},
		{
			name: "deadline while the server goes on writing", kind: outbound.KindTimeout, is: context.DeadlineExceeded, partial: true,
			text: "*", chunk: endAt("on ", context.DeadlineExceeded), serve: func(w reply) {
				w.send(w.s.start)
				for w.r.Context().Err() == nil {
					w.send(w.s.text("on "))
				}
			},
		},
		{
			name: "silence in mid-stream", text: "Rotate the ", kind: outbound.KindTimeout, partial: true,
			serve: func(w reply) { first(w); w.hang() },
			cfg:   func(c *llm.Config) { c.IdleTimeout = 3 * time.Second },
		},
		{
			name: "slow headers", kind: outbound.KindTimeout,
			serve: func(w reply) { w.hang() },
			cfg:   func(c *llm.Config) { c.HeaderTimeout = 100 * time.Millisecond },
		},

		{name: "401", kind: outbound.KindUnauthorized, serve: func(w reply) {
			w.refuse(http.StatusUnauthorized, "authentication_error")
		}},
		{name: "402, no credit", kind: outbound.KindQuota, serve: func(w reply) { w.refuse(http.StatusPaymentRequired, "billing_error") }},
		{name: "429 for lack of credit", kind: outbound.KindQuota, serve: func(w reply) {
			w.refuse(http.StatusTooManyRequests, "insufficient_quota")
		}},
		{name: "429 with Retry-After, then ok", text: answer, stop: llm.StopEnd, calls: 2, waits: []time.Duration{7 * time.Second}, serve: second(func(w reply) {
			w.Header().Set("Retry-After", "7")
			w.refuse(http.StatusTooManyRequests, "rate_limit_error")
		})},
		{name: "429 for ever", kind: outbound.KindRateLimited, calls: 3, serve: func(w reply) {
			w.refuse(http.StatusTooManyRequests, "rate_limit_error")
		}},
		{name: "429 with a Retry-After over the limit", kind: outbound.KindRateLimited, serve: func(w reply) {
			w.Header().Set("Retry-After", "3600")
			w.refuse(http.StatusTooManyRequests, "rate_limit_error")
		}},
		{name: "500, then ok", text: answer, stop: llm.StopEnd, calls: 2, serve: second(func(w reply) {
			w.refuse(http.StatusInternalServerError, "api_error")
		})},
		{name: "529 for ever", kind: outbound.KindUnavailable, calls: 3, serve: func(w reply) { w.refuse(529, "overloaded_error") }},
		{name: "connection lost after the first text, no repeat", text: "Rotate the ", kind: outbound.KindCut, partial: true, serve: second(func(w reply) {
			first(w)
			w.drop()
		})},
		{name: "400", kind: outbound.KindBadRequest, serve: func(w reply) { w.refuse(http.StatusBadRequest, "invalid_request_error") }},
		{name: "400, context too long", kind: outbound.KindTooLong, serve: func(w reply) {
			w.refuse(http.StatusBadRequest, "context_length_exceeded")
		}},
		{name: "404, unknown model", kind: outbound.KindModel, serve: func(w reply) { w.refuse(http.StatusNotFound, "model_not_found") }},
		{name: "404, nothing there", kind: outbound.KindAddress, serve: func(w reply) { http.NotFound(w, w.r) }},
		{name: "web page with status 200", kind: outbound.KindAddress, serve: func(w reply) {
			w.send("<!doctype html><title>Sign in</title><p>" + prose)
		}},
		{name: "redirect", kind: outbound.KindAddress, serve: func(w reply) {
			http.Redirect(w, w.r, "http://192.0.2.1/elsewhere", http.StatusTemporaryRedirect)
		}},
		{name: "line of 100 KB", text: long(100_000), stop: llm.StopEnd, serve: func(w reply) {
			w.send(w.s.start, w.s.text(long(100_000)), w.s.end(w.s.words["end"]))
		}},
		{name: "line of 1.5 MB", text: long(1_500_000), stop: llm.StopEnd, serve: func(w reply) {
			w.send(w.s.start, w.s.text(long(1_500_000)), w.s.end(w.s.words["end"]))
		}},
		{name: "line over 4 MiB", text: "Rotate the ", kind: outbound.KindProtocol, partial: true, serve: func(w reply) {
			first(w)
			w.send(w.s.text(long(4_500_000)), w.s.end(w.s.words["end"]))
		}},
		{name: "answer without end", text: "*", kind: outbound.KindProtocol, partial: true, serve: func(w reply) {
			event := w.s.text(long(1_000_000))
			w.send(w.s.start, event, event, event)
			w.hang()
		}},
		{name: "UTF-8 split over network chunks", text: "Größe 🩺 5 µg", stop: llm.StopEnd, serve: func(w reply) {
			for _, b := range []byte(w.s.start + w.s.text("Größe ", "🩺 5 µg") + w.s.end(w.s.words["end"])) {
				w.send(string([]byte{b}))
			}
		}},
		{name: "UTF-8 split over events", text: "Größe 🩺 5 µg", stop: llm.StopEnd, serve: func(w reply) {
			w.send(w.s.start)
			for _, b := range []byte("Größe 🩺 5 µg") {
				w.send(w.s.delta(`"` + string([]byte{b}) + `"`))
			}
			w.send(w.s.end(w.s.words["end"]))
		}},
		{name: "UTF-16 pair split over events", text: "a🩺b", stop: llm.StopEnd, serve: func(w reply) {
			w.send(w.s.start, w.s.delta(`"a\ud83e"`), w.s.delta(`"\ude7a"`), w.s.delta(`"b"`), w.s.end(w.s.words["end"]))
		}},
		{name: "NUL and broken bytes", text: "a\uFFFDb", stop: llm.StopEnd, serve: func(w reply) {
			w.send(w.s.start, w.s.delta(`"a\u0000"`), w.s.delta("\"\xffb\""), w.s.end(w.s.words["end"]))
		}},
		{name: "CRLF line ends", text: answer, stop: llm.StopEnd, serve: func(w reply) {
			w.send(strings.ReplaceAll(w.s.start+w.s.text(answer)+w.s.end(w.s.words["end"]), "\n", "\r\n"))
		}},
	}
}
