package extract

import (
	"bytes"
	"path"
	"strings"
	"unicode"

	"passage/rag"
)

// The readers, as recorded in rag.Recipe. The number rises whenever the same
// bytes would give another text or tree.
const (
	MarkdownID = "markdown/1"
	PlainID    = "text/1"
)

// Limits on one file. They bound the memory and time that one upload can
// take: a block costs about half a kilobyte while it is being read, a line
// some 50 bytes for each block that it is in.
const (
	MaxBytes  = 20 << 20 // of the file
	MaxLines  = 200_000  // of the decoded text
	MaxBlocks = 400_000  // of the tree
	maxDepth  = 24       // blocks inside blocks; deeper marks are read as text
)

type format int

const (
	formatNone format = iota
	formatMarkdown
	formatPlain
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
	case "":
		switch strings.ToUpper(base) {
		case "README", "RUNBOOK", "NOTES", "CHANGES", "CHANGELOG", "INSTALL":
			return formatPlain
		}
	}
	return formatNone
}

// File reads one file, by the format that its name says: Markdown (.md,
// .markdown, .mdown, .mkd, .mdx) or plain text (.txt, .text, README and the
// like). Errors: CodeInvalid for a format that is not read, for bytes that
// are not text (the message names the first bad byte) and for a file without
// text; CodeTooLarge over a limit.
func File(name string, data []byte) (rag.Extraction, error) {
	if len(data) > MaxBytes {
		return rag.Extraction{}, rag.Errorf(rag.CodeTooLarge,
			"%s has %.1f MB; the limit is %d MB. Divide it into several files.",
			shown(name), float64(len(data))/(1<<20), MaxBytes>>20)
	}
	if kind := signature(data); kind != "" {
		return rag.Extraction{}, rag.Errorf(rag.CodeInvalid,
			"%s is %s. Upload Markdown (.md) or plain text (.txt) instead.", shown(name), kind)
	}
	f := formatOf(name)
	if f == formatNone {
		return rag.Extraction{}, rag.Errorf(rag.CodeInvalid,
			"%s is of a kind that is not read. Upload Markdown (.md, .markdown) or plain text (.txt).", shown(name))
	}
	src, warnings, err := decode(name, data)
	if err != nil {
		return rag.Extraction{}, err
	}
	if bytes.Count(src, []byte{'\n'}) > MaxLines {
		return rag.Extraction{}, tooLarge(name, "lines", MaxLines)
	}
	if len(bytes.TrimFunc(src, unicode.IsSpace)) == 0 {
		return rag.Extraction{}, rag.Errorf(rag.CodeInvalid,
			"%s is empty: there is no text in it to search.", shown(name))
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
	if !hasWords(x.Blocks) {
		return rag.Extraction{}, rag.Errorf(rag.CodeInvalid,
			"%s holds only front matter, comments or rules, no text to search.", shown(name))
	}
	x.Warnings = append(warnings, x.Warnings...)
	return x, nil
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
// first bytes, whatever its name says.
func signature(data []byte) string {
	for _, s := range []struct{ start, kind string }{
		{"%PDF-", "a PDF file"},
		{"PK\x03\x04", "a ZIP archive or an Office document"},
		{"PK\x05\x06", "a ZIP archive"},
		{"\xD0\xCF\x11\xE0", "an old Office document"},
		{"{\\rtf", "an RTF document"},
		{"\x1F\x8B", "a gzip archive"},
		{"\x89PNG", "a PNG image"},
		{"\xFF\xD8\xFF", "a JPEG image"},
		{"GIF87a", "a GIF image"},
		{"GIF89a", "a GIF image"},
		{"\x7FELF", "a program"},
	} {
		if len(data) >= len(s.start) && string(data[:len(s.start)]) == s.start {
			return s.kind
		}
	}
	return ""
}
