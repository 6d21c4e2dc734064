package extract

import (
	"bytes"
	"context"
	"fmt"
	"unicode"

	"passage/rag"
	"passage/rag/extract/compose"
	"passage/rag/extract/docx"
	"passage/rag/extract/htmldoc"
	"passage/rag/extract/pdf"
)

// readAs takes an admitted file through the reader of its format.
func readAs(ctx context.Context, name string, f format, data []byte) (rag.Extraction, error) {
	switch f {
	case formatHTML:
		src, warnings, err := decodeAs(name, data, htmldoc.Declared(data))
		if err != nil {
			return rag.Extraction{}, err
		}
		doc, err := htmldoc.Read(src)
		return composed(name, HTMLID, doc, warnings, err)
	case formatDOCX:
		doc, err := docx.Read(data)
		return composed(name, DOCXID, doc, nil, err)
	case formatPDF:
		doc, err := pdf.Read(ctx, data)
		return composed(name, PDFID, doc, nil, err)
	case formatNone, formatMarkdown, formatPlain:
	}
	src, warnings, err := decode(name, data)
	if err != nil {
		return rag.Extraction{}, err
	}
	if err := checkText(name, src, tooLarge(name, "lines", MaxLines)); err != nil {
		return rag.Extraction{}, err
	}
	var x rag.Extraction
	if f == formatMarkdown {
		x, err = markdown(name, src)
	} else {
		x, err = plain(name, src)
	}
	if err != nil {
		return rag.Extraction{}, err
	}
	x.Warnings = append(warnings, x.Warnings...)
	return x, nil
}

// composed writes what a reader found as the text of the version and reads the
// tree from it, so that the spans are those of the text.
func composed(name, id string, doc compose.Document, warnings []string, err error) (rag.Extraction, error) {
	if err != nil {
		return rag.Extraction{}, named(name, err)
	}
	text, pages := compose.Write(doc)
	if len(text) > maxText {
		return rag.Extraction{}, rag.Errorf(rag.CodeTooLarge, "%s holds %.1f MB of text; the limit is %d MB. Divide it into several files.",
			shown(name), float64(len(text))/(1<<20), maxText>>20)
	}
	src := []byte(text)
	if err := checkText(name, src, tooLarge(name, "paragraphs, items and rows", MaxLines/2)); err != nil {
		return rag.Extraction{}, err
	}
	blocks, b := parseBlocks(src, text, false)
	if b.blocks >= MaxBlocks {
		return rag.Extraction{}, tooLarge(name, "headings, paragraphs, items and rows", MaxBlocks)
	}
	x := rag.Extraction{
		Extractor: id, Text: text, Title: doc.Title, Meta: doc.Meta, Blocks: blocks, Pages: pages,
		Warnings: append(warnings, doc.Warnings...),
	}
	if x.Title == "" {
		x.Title = firstTitle(text, blocks)
	}
	return x, nil
}

// named puts the file's name before a reader's message, which knows none.
func named(name string, err error) error {
	if rag.ErrorCode(err) == "" {
		return fmt.Errorf("read %s: %w", shown(name), err)
	}
	return rag.WithCause(err, rag.ErrorCode(err), "%s cannot be read. %s", shown(name), rag.ErrorMessage(err))
}

// checkText refuses a text that is empty or has too many lines, which the error
// given tells in the words of its format.
func checkText(name string, src []byte, tooMany error) error {
	if bytes.Count(src, []byte{'\n'}) > MaxLines {
		return tooMany
	}
	if len(bytes.TrimFunc(src, unicode.IsSpace)) == 0 {
		return rag.Errorf(rag.CodeInvalid, "%s is empty: there is no text in it to search.", shown(name))
	}
	return nil
}
