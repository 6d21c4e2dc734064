package extract

import (
	"context"
	"path"
	"strings"

	"passage/rag"
)

// The readers, as recorded in rag.Recipe. The number rises whenever the same
// bytes would give another text or tree.
const (
	MarkdownID = "markdown/2"
	PlainID    = "text/2"
	HTMLID     = "html/1"
	DOCXID     = "docx/1"
	PDFID      = "pdf/1"
)

// Limits on one file. They bound the memory and time that one upload can
// take: a block costs about half a kilobyte while it is being read, a line
// some 50 bytes for each block that it is in.
const (
	MaxBytes  = 50 << 20 // of the file, whatever its format
	maxText   = 20 << 20 // bytes of a file that is text, and of the text made of any other
	MaxLines  = 200_000  // of the decoded text
	MaxBlocks = 400_000  // of the tree
	maxDepth  = 24       // blocks inside blocks; deeper marks are read as text
)

type format int

const (
	formatNone format = iota
	formatMarkdown
	formatPlain
	formatHTML
	formatDOCX
	formatPDF
)

// Kinds names the kinds of file that are read, for messages.
const Kinds = "Markdown (.md), plain text (.txt), HTML (.html), Word (.docx) or PDF (.pdf) files"

// Supported says whether a file of this name can be read. It looks at the
// name only, for walking a folder.
func Supported(name string) bool { return formatOf(name) != formatNone }

func formatOf(name string) format {
	base := path.Base(strings.ReplaceAll(name, "\\", "/"))
	switch strings.ToLower(path.Ext(base)) {
	case ".md", ".markdown", ".mdown", ".mkd", ".mdx":
		return formatMarkdown
	case ".txt", ".text":
		return formatPlain
	case ".html", ".htm", ".xhtml":
		return formatHTML
	case ".docx":
		return formatDOCX
	case ".pdf":
		return formatPDF
	case "":
		switch strings.ToUpper(base) {
		case "README", "RUNBOOK", "NOTES", "CHANGES", "CHANGELOG", "INSTALL":
			return formatPlain
		}
	}
	return formatNone
}

// File reads one file, by the format that its name says: Markdown (.md,
// .markdown, .mdown, .mkd, .mdx), plain text (.txt, .text, README and the
// like), HTML (.html, .htm, .xhtml), Word (.docx) or PDF (.pdf). Errors:
// CodeInvalid for a format that is not read, for bytes that are not of the
// format (where they should be text, the message names the first bad byte) and
// for a file without text; CodeTooLarge over a limit; that of the context.
func File(ctx context.Context, name string, data []byte) (rag.Extraction, error) {
	f := formatOf(name)
	if err := admit(name, f, data); err != nil {
		return rag.Extraction{}, err
	}
	x, err := readAs(ctx, name, f, data)
	if err != nil {
		return rag.Extraction{}, err
	}
	if !hasWords(x.Blocks) {
		return rag.Extraction{}, rag.Errorf(rag.CodeInvalid,
			"%s holds only front matter, comments or rules, no text to search.", shown(name))
	}
	x.Title = Clip(x.Title, MaxTitle)
	return x, nil
}

// admit refuses what can be told from the name, the size and the first bytes.
func admit(name string, f format, data []byte) error {
	limit := MaxBytes
	if f == formatMarkdown || f == formatPlain || f == formatHTML {
		limit = maxText
	}
	if len(data) > limit {
		return rag.Errorf(rag.CodeTooLarge, "%s has %.1f MB; the limit is %d MB. Divide it into several files.",
			shown(name), float64(len(data))/(1<<20), limit>>20)
	}
	kind, ending := signature(data)
	switch {
	case f == formatNone && kind != "":
		return rag.Errorf(rag.CodeInvalid, "%s is %s, which is not read. Upload %s.", shown(name), kind, Kinds)
	case f == formatNone:
		return rag.Errorf(rag.CodeInvalid, "%s is of a kind that is not read. Upload %s.", shown(name), Kinds)
	case kind != "" && f != formatDOCX && f != formatPDF:
		advice := "Upload " + Kinds + "."
		if ending != "" {
			advice = "Give it the ending " + ending + " and upload it again."
		}
		return rag.Errorf(rag.CodeInvalid, "%s is %s. %s", shown(name), kind, advice)
	}
	return nil
}

func tooLarge(name, what string, limit int) error {
	return rag.Errorf(rag.CodeTooLarge,
		"%s has more than %d %s. Divide it into several files.", shown(name), limit, what)
}

// shown is a file's name as a message shows it: the last part of its path, in
// quotes, not too long.
func shown(name string) string {
	base := []rune(strings.ToValidUTF8(path.Base(strings.ReplaceAll(name, "\\", "/")), "?"))
	if len(base) > 80 {
		base = append(base[:79], '…')
	}
	return "“" + string(base) + "”"
}

// hasWords says that some block can be searched.
func hasWords(blocks []rag.Block) bool {
	for i := range blocks {
		if k := blocks[i].Kind; k != rag.BlockMeta && k != rag.BlockBreak {
			return true
		}
	}
	return false
}

// signature names the format of a file that is certainly not text, from its
// first bytes, whatever its name says, and the ending under which it is read.
func signature(data []byte) (kind, ending string) {
	for _, s := range []struct{ start, kind, ending string }{
		{"%PDF-", "a PDF file", ".pdf"},
		{"PK\x03\x04", "a ZIP archive or an Office document", ".zip or .docx"},
		{"PK\x05\x06", "a ZIP archive", ""},
		{"\xD0\xCF\x11\xE0", "an old Office document", ""},
		{"{\\rtf", "an RTF document", ""},
		{"\x1F\x8B", "a gzip archive", ""},
		{"\x89PNG", "a PNG image", ""},
		{"\xFF\xD8\xFF", "a JPEG image", ""},
		{"GIF87a", "a GIF image", ""},
		{"GIF89a", "a GIF image", ""},
		{"\x7FELF", "a program", ""},
	} {
		if len(data) >= len(s.start) && string(data[:len(s.start)]) == s.start {
			return s.kind, s.ending
		}
	}
	return "", ""
}
