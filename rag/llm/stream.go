package llm

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"passage/rag/outbound"
)

const (
	maxAnswer = 2 << 20  // bytes of text in an answer
	maxPiece  = 16 << 10 // bytes of text in one event; langchaingo's readers end at 64 KiB a line
)

// stream is the body langchaingo reads: the server's reply, taken apart event
// by event and written again in the plainest form of the provider's language.
// What langchaingo would stumble over (an event after an error, a long line, an
// unknown event, a reply in one piece) never reaches it, and an end without a
// stop reason becomes an error.
type stream struct {
	src  io.ReadCloser
	docs documents
	wire dialect
	x    *exchange
	join joiner
	out  bytes.Buffer // the clean stream, as far as it is not read yet
	sum  summary
	text int   // bytes of answer written
	open bool  // the clean stream is begun
	err  error // what Read gives once out is empty
}

func newStream(src io.ReadCloser, wire dialect, x *exchange) *stream {
	in := bufio.NewReaderSize(watched{src, x}, 32<<10)
	return &stream{src: src, wire: wire, x: x, docs: documents{in: in, lines: wire.lines()}}
}

// watched runs the idle watch while a read waits for the server.
type watched struct {
	src io.Reader
	x   *exchange
}

func (w watched) Read(p []byte) (int, error) {
	defer w.x.waiting()()
	return w.src.Read(p)
}

// Read gives clean events, and io.EOF only after a whole answer.
func (s *stream) Read(p []byte) (int, error) {
	for s.out.Len() == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.step()
	}
	return s.out.Read(p)
}

// Close ends the server's reply, whether it was read to its end or not.
func (s *stream) Close() error { return s.src.Close() }

// step reads one event of the server and writes what langchaingo shall see.
func (s *stream) step() {
	doc, complaint, err := s.docs.next()
	switch {
	case err != nil:
		s.broken(err)
		return
	case complaint:
		s.fail(outbound.Classify(0, doc))
		return
	case string(doc) == doneMark:
		s.finish()
		return
	}
	e, err := s.wire.read(doc)
	switch {
	case err != nil:
		s.fail(unreadable("event_of_another_kind"))
		return
	case e.fault != nil:
		s.fail(e.fault)
		return
	}
	s.sum.add(e)
	s.write(s.join.push(e.text))
	if e.done && s.err == nil {
		s.finish()
	}
}

// write hands text on in pieces langchaingo can read.
func (s *stream) write(text string) {
	if text == "" {
		return
	}
	s.text += len(text)
	if s.text > maxAnswer {
		s.fail(tooLarge("answer_too_large"))
		return
	}
	s.begin()
	for len(text) > 0 {
		n := pieceEnd(text, maxPiece)
		s.wire.writeText(&s.out, text[:n])
		text = text[n:]
	}
}

func (s *stream) begin() {
	if !s.open {
		s.wire.writeStart(&s.out)
		s.open = true
	}
}

// finish ends the clean stream after the server has ended its own. Without a
// stop reason nobody knows whether the answer is whole.
func (s *stream) finish() {
	if s.sum.stop == "" {
		s.fail(&outbound.Error{Kind: outbound.KindCut, Reason: "no_stop_reason"})
		return
	}
	s.write(s.join.rest())
	if s.err != nil {
		return
	}
	s.begin()
	s.wire.writeEnd(&s.out, s.sum)
	s.err = io.EOF
	s.x.note(func(r *record) { r.summary, r.text, r.ended = s.sum, s.text, true })
}

// broken settles an end of the reply that is not the provider's own. The stop
// reason comes after all the text, so with it the answer is whole even if the
// formal end is missing, as it is with some gateways.
func (s *stream) broken(err error) {
	if s.sum.stop != "" {
		s.finish()
		return
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	e := outbound.FromNetwork(err)
	if e.Kind == outbound.KindUnavailable {
		e.Kind = outbound.KindCut // the reply had begun
	}
	s.fail(e)
}

func (s *stream) fail(e *outbound.Error) { s.err = s.x.fail(e) }
