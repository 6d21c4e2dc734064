package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"passage/rag/outbound"
)

// Limits of a reply. They are far over anything real and keep a server gone
// mad from filling the memory.
const (
	maxDocument = 4 << 20 // bytes of one event, or of a reply in one piece
	maxLines    = 1024    // lines of data in one event
)

// doneMark is the document with which OpenAI ends a stream.
const doneMark = "[DONE]"

// documents cuts a reply into JSON documents. Server-sent events are read as
// the HTML standard has them (section 9.2.6), and with the habits of real
// servers: no blank line between events, a reply in one piece, a bare JSON
// object or an "error:" line where an event should be.
type documents struct {
	in    *bufio.Reader
	lines bool // one document a line, and not server-sent events
	begun bool

	event string // of the event being read
	data  []byte
	count int
}

// next gives the next document. Complaint is set when the framing says that it
// is an error. At the end of the reply err is io.EOF, and io.ErrUnexpectedEOF
// when the end is inside a document.
func (d *documents) next() (doc []byte, complaint bool, err error) {
	if !d.begun {
		first, err := d.first()
		if err != nil {
			return nil, false, err
		}
		d.begun = true
		if first == '{' && !d.lines {
			doc, err := outbound.ReadAll(d.in, maxDocument)
			if err == nil && !json.Valid(doc) {
				err = io.ErrUnexpectedEOF
			}
			return doc, false, err
		}
	}
	for {
		line, err := d.line()
		if err != nil && len(line) == 0 {
			if errors.Is(err, io.EOF) && len(d.data) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, false, err
		}
		cut := err != nil
		if d.lines {
			doc, err = jsonLine(line, cut)
		} else {
			doc, complaint, err = d.field(line, cut)
		}
		if err != nil || len(doc) > 0 {
			return doc, complaint, err
		}
	}
}

// first skips white space and a byte order mark and gives the byte after them.
// A reply that begins like a web page is none of a model.
func (d *documents) first() (byte, error) {
	for {
		b, err := d.in.Peek(1)
		if err != nil {
			return 0, err
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF:
			if _, err := d.in.Discard(1); err != nil {
				return 0, err
			}
		case '<':
			return 0, &outbound.Error{Kind: outbound.KindAddress, Reason: "web_page"}
		default:
			return b[0], nil
		}
	}
}

// line reads a line without its end. At the end of the reply it gives what is
// left together with the error.
func (d *documents) line() ([]byte, error) {
	var line []byte
	for {
		part, err := d.in.ReadSlice('\n')
		if len(line)+len(part) > maxDocument {
			return nil, tooLarge("event_too_large")
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// field takes one line of a server-sent event and gives the event's data once
// it is a whole document.
func (d *documents) field(line []byte, cut bool) (doc []byte, complaint bool, err error) {
	if len(line) == 0 {
		broken := len(d.data) > 0
		d.event, d.data, d.count = "", nil, 0
		if broken {
			return nil, false, unreadable("event_is_no_json")
		}
		return nil, false, nil
	}
	if line[0] == '{' && json.Valid(line) {
		return line, true, nil
	}
	name, value, _ := strings.Cut(string(line), ":")
	value = strings.TrimSpace(value)
	switch name {
	case "event":
		d.event = value
	case "error":
		return []byte(value), true, nil
	case "data":
		return d.datum(value, cut)
	}
	return nil, false, nil
}

func (d *documents) datum(value string, cut bool) (doc []byte, complaint bool, err error) {
	switch {
	case value == "":
		return nil, false, nil
	case len(d.data) == 0 && value == doneMark:
		return []byte(value), false, nil
	case d.count >= maxLines || len(d.data)+len(value) > maxDocument:
		return nil, false, tooLarge("event_too_large")
	}
	d.data = append(append(d.data, value...), '\n')
	d.count++
	if !json.Valid(d.data) {
		if cut {
			return nil, false, io.ErrUnexpectedEOF
		}
		return nil, false, nil
	}
	doc = d.data
	d.data, d.count = nil, 0
	return doc, d.event == "error", nil
}

// jsonLine checks a line that is a document of its own.
func jsonLine(line []byte, cut bool) ([]byte, error) {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0 || json.Valid(line):
		return line, nil
	case cut:
		return nil, io.ErrUnexpectedEOF
	default:
		return nil, unreadable("line_is_no_json")
	}
}

func unreadable(reason string) *outbound.Error {
	return &outbound.Error{Kind: outbound.KindProtocol, Reason: reason}
}

func tooLarge(reason string) *outbound.Error {
	return &outbound.Error{Kind: outbound.KindProtocol, Reason: reason, Cause: outbound.ErrBodyTooLarge}
}
