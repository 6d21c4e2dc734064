package pdf

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/requests"

	"passage/rag"
	"passage/rag/extract/compose"
)

// Limits on one file. Letters take most of the time, each about five calls of
// PDFium: 13 µs measured on two cores, 40 µs where others compute on them too.
// The time is that of as many letters as are allowed and half as much again, so
// that 2000 pages of 3000 letters, or 500 of 12000, are read on a slow machine
// too.
const (
	maxPages       = 2000
	maxLetters     = 6_000_000 // on all pages
	maxPageLetters = 120_000
	maxTime        = maxLetters * 60 * time.Microsecond // 6 minutes, from the moment that it is its turn
)

// errSlow is the cause when maxTime has passed.
var errSlow = errors.New("the time for one file is over")

// Read reads a PDF. Pages without text, and pages whose fonts do not say which
// letters they show, are named in the document's warnings. Errors:
// CodeInvalid for a file that is no PDF, is damaged or encrypted, or has no
// text at all; CodeTooLarge over a limit; the context's error when it ends.
// Two files are read at once; more wait their turn.
func Read(ctx context.Context, data []byte) (compose.Document, error) {
	return shared.read(ctx, data, maxTime)
}

func (e *engine) read(ctx context.Context, data []byte, limit time.Duration) (compose.Document, error) {
	if len(data) == 0 {
		return compose.Document{}, damaged(nil)
	}
	if err := ctx.Err(); err != nil {
		return compose.Document{}, err
	}
	var doc compose.Document
	err := e.with(ctx, limit, func(ctx context.Context, inst pdfium.Pdfium) error {
		f, err := load(ctx, inst, data)
		if err == nil {
			doc, err = f.document(ctx)
		}
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	})
	switch {
	case err == nil:
		return doc, nil
	case ctx.Err() != nil:
		return compose.Document{}, ctx.Err()
	case errors.Is(err, errSlow):
		return compose.Document{}, rag.Errorf(rag.CodeTooLarge,
			"Reading this PDF took more than %s and was stopped. Divide it into several files, or print it to a new PDF and upload that.", spoken(limit))
	case errors.Is(err, errManyLetters):
		return compose.Document{}, rag.Errorf(rag.CodeTooLarge, "This PDF has more than %d million characters. Divide it into several files.", maxLetters/1_000_000)
	case errors.Is(err, errPageLetters):
		return compose.Document{}, rag.Errorf(rag.CodeTooLarge, "A page of this PDF has more than %d characters. Divide it into several pages.", maxPageLetters)
	case errors.Is(err, errBroken):
		return compose.Document{}, damaged(err)
	}
	return compose.Document{}, err
}

func spoken(d time.Duration) string {
	if d >= time.Minute {
		return strconv.Itoa(int(d/time.Minute)) + " minutes"
	}
	return d.String()
}

func damaged(cause error) error {
	return rag.WithCause(cause, rag.CodeInvalid,
		"This file cannot be opened as PDF: it is damaged or not a PDF. Open it in a PDF viewer, save it again and upload that.")
}

// file is what was loaded of a document.
type file struct {
	title   string
	meta    map[string]string
	outline *outline
	pages   []page
}

func load(ctx context.Context, inst pdfium.Pdfium, data []byte) (*file, error) {
	opened, err := inst.OpenDocument(&requests.OpenDocument{File: &data})
	switch {
	case errors.Is(err, pdferrors.ErrPassword):
		return nil, rag.Errorf(rag.CodeInvalid, "This PDF is protected with a password. Remove the protection and upload it again.")
	case errors.Is(err, pdferrors.ErrSecurity):
		return nil, rag.Errorf(rag.CodeInvalid, "This PDF is encrypted in a way that cannot be read. Save it without encryption and upload it again.")
	case err != nil:
		return nil, damaged(err)
	}
	r := &reader{inst: inst, doc: opened.Document}
	count, err := inst.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: r.doc})
	if err != nil || count.PageCount < 1 {
		return nil, damaged(err)
	}
	if count.PageCount > maxPages {
		return nil, rag.Errorf(rag.CodeTooLarge, "This PDF has %d pages; the limit is %d. Divide it into several files.", count.PageCount, maxPages)
	}
	f := &file{}
	if f.title, f.meta, err = r.meta(); err != nil {
		return nil, err
	}
	if f.outline, err = r.readOutline(); err != nil {
		return nil, err
	}
	for i := range count.PageCount {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := r.page(ctx, i)
		if err != nil {
			return nil, err
		}
		f.pages = append(f.pages, p)
	}
	return f, nil
}
