package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"unicode/utf8"

	"passage/rag"
)

// lines writes JSON objects, one a line.
type lines struct {
	file *os.File // nil for the terminal
	buf  *bufio.Writer
	enc  *json.Encoder
}

// openLines opens the file for writing; "-" is stdout.
func openLines(name string, stdout io.Writer) (*lines, error) {
	l := &lines{}
	w := stdout
	if name != "-" {
		f, err := os.Create(name)
		if err != nil {
			return nil, rag.WithCause(err, rag.CodeInvalid, "%s cannot be written.", name)
		}
		l.file, w = f, f
	}
	l.buf = bufio.NewWriter(w)
	l.enc = json.NewEncoder(l.buf)
	l.enc.SetEscapeHTML(false)
	return l, nil
}

func (l *lines) write(v any) error { return l.enc.Encode(v) }

// close flushes and joins what goes wrong there to err.
func (l *lines) close(err error) error {
	err = errors.Join(err, l.buf.Flush())
	if l.file != nil {
		err = errors.Join(err, l.file.Close())
	}
	return err
}

// codePoints turns byte offsets of a text into numbers of Unicode code points,
// as the evaluation files count them.
type codePoints struct {
	text  string
	ascii bool
	marks []int // code points before every 256th byte
}

const codePointStride = 256

func newCodePoints(text string) *codePoints {
	c := &codePoints{text: text, ascii: true}
	n := 0
	for i := range len(text) {
		if i%codePointStride == 0 {
			c.marks = append(c.marks, n)
		}
		if utf8.RuneStart(text[i]) {
			n++
		}
		if text[i] >= utf8.RuneSelf {
			c.ascii = false
		}
	}
	return c
}

// at is the number of code points that start before the byte offset.
func (c *codePoints) at(offset int) int {
	if c.ascii || offset == 0 {
		return offset
	}
	block := (offset - 1) / codePointStride
	n := c.marks[block]
	for i := block * codePointStride; i < offset; i++ {
		if utf8.RuneStart(c.text[i]) {
			n++
		}
	}
	return n
}

func (c *codePoints) span(s rag.Span) rag.Span {
	return rag.Span{Start: c.at(s.Start), End: c.at(s.End)}
}
