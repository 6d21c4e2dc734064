package llm

import (
	"bytes"
	"encoding/json"

	"passage/rag/outbound"
)

// dialect is a provider's language on the wire: how its events are read, and
// how plain ones are written for langchaingo.
type dialect interface {
	// lines says that the reply is one document a line (NDJSON), and not
	// server-sent events.
	lines() bool
	// read takes one document: an event, or a whole reply in one piece.
	read(doc []byte) (event, error)
	// writeStart, writeText and writeEnd write the clean stream.
	writeStart(out *bytes.Buffer)
	writeText(out *bytes.Buffer, text string)
	writeEnd(out *bytes.Buffer, sum summary)
}

// event is what one document said. Fields it did not mention are zero.
type event struct {
	text          []byte // may begin or end inside a character
	stop          string // the provider's word for why it stopped
	input, output int    // tokens
	done          bool   // nothing follows
	fault         *outbound.Error
}

// summary is what all events of a reply said together.
type summary struct {
	stop          string
	input, output int // tokens
}

func (s *summary) add(e event) {
	if e.stop != "" {
		s.stop = e.stop
	}
	// Counts come more than once and grow.
	s.input = max(s.input, e.input)
	s.output = max(s.output, e.output)
}

// given says that a JSON value is there and not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// put writes a value as JSON. All values are maps of strings, numbers and
// their like, for which that cannot go wrong.
func put(out *bytes.Buffer, prefix string, v any, suffix string) {
	b, _ := json.Marshal(v)
	out.WriteString(prefix)
	out.Write(b)
	out.WriteString(suffix)
}
