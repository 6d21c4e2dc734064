// Package archive opens ZIP files of documents.
//
// An archive stands for a folder: its documents are read one at a time, each
// under its path in the archive, and nothing is ever written to a disk. What
// a file says about its own size is not believed; every limit is kept while
// reading, so that a small file cannot become a large one unnoticed.
package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"passage/rag"
	"passage/rag/extract"
)

// Limits on one archive.
const (
	MaxBytes   = 500 << 20 // of the archive
	MaxEntries = 10_000    // documents in it
	MaxTotal   = 1 << 30   // of what was unpacked from it, in bytes
	maxRatio   = 100       // unpacked to packed, of a file over a megabyte: text reaches 5, logs 30
	maxFiles   = 100_000   // of all kinds
)

// Archive is an open ZIP file. It is safe for concurrent use.
type Archive struct {
	Entries []Entry        // the documents, in the order of their paths, each path once
	LeftOut map[string]int // files of kinds that are not read: ending ("" for none) → how many
	name    string
	left    atomic.Int64 // bytes that may still be unpacked
	close   func() error
}

// Entry is a document in an archive.
type Entry struct {
	Path    string // in the archive, with slashes, without "." and ".."
	archive *Archive
	file    *zip.File
}

// Is says whether a file of this name is an archive of documents.
func Is(name string) bool { return strings.EqualFold(path.Ext(name), ".zip") }

// OpenFile opens an archive on disk, which must be closed. Errors as of Open.
func OpenFile(file string) (*Archive, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	a, err := open(path.Base(file), f, info.Size())
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	a.close = f.Close
	return a, nil
}

// Open opens an archive in memory. Errors: CodeInvalid for what is no ZIP file
// or holds no document, CodeTooLarge over a limit.
func Open(name string, data []byte) (*Archive, error) {
	return open(name, bytes.NewReader(data), int64(len(data)))
}

// OpenAt opens an archive that r holds, which must stay readable as long as the
// archive is used. Errors as of Open.
func OpenAt(name string, r io.ReaderAt, size int64) (*Archive, error) { return open(name, r, size) }

func open(name string, r io.ReaderAt, size int64) (*Archive, error) {
	name = extract.Clip(strings.ToValidUTF8(name, "?"), 80)
	if size > MaxBytes {
		return nil, rag.Errorf(rag.CodeTooLarge, "“%s” has %d MB; the limit of an archive is %d MB. Divide it into several.", name, size>>20, MaxBytes>>20)
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, rag.WithCause(err, rag.CodeInvalid, "“%s” cannot be opened as a ZIP archive: it is damaged or of another kind. Pack it again.", name)
	}
	if len(z.File) > maxFiles {
		return nil, rag.Errorf(rag.CodeTooLarge, "“%s” holds more than %d files. Divide it into several archives.", name, maxFiles)
	}
	a := &Archive{name: name, LeftOut: map[string]int{}, close: func() error { return nil }}
	a.left.Store(MaxTotal)
	for _, f := range z.File {
		if err := a.add(f); err != nil {
			return nil, err
		}
	}
	if len(a.Entries) == 0 {
		return nil, rag.Errorf(rag.CodeInvalid, "“%s” holds no document that can be read. Put %s in it.", name, extract.Kinds)
	}
	a.tellApart()
	slices.SortFunc(a.Entries, func(x, y Entry) int { return cmp.Compare(x.Path, y.Path) })
	return a, nil
}

// tellApart gives entries of one path paths of their own, "a (2).md", in their
// order in the archive: none may take the place of another.
func (a *Archive) tellApart() {
	taken := make(map[string]bool, len(a.Entries))
	last := make(map[string]int, len(a.Entries))
	for i := range a.Entries {
		e := &a.Entries[i]
		first := e.Path
		for n := max(last[first], 1) + 1; taken[e.Path]; n++ {
			ending := path.Ext(first)
			e.Path = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(first, ending), n, ending)
			last[first] = n
		}
		taken[e.Path] = true
	}
}

// add takes a file of the archive, unless it is none that is read.
func (a *Archive) add(f *zip.File) error {
	p := pathOf(f)
	switch {
	case p == "" || f.FileInfo().IsDir() || strings.HasSuffix(p, "/") || hidden(p):
		return nil
	case !extract.Supported(p):
		a.LeftOut[strings.ToLower(path.Ext(p))]++
		return nil
	case len(a.Entries) == MaxEntries:
		return rag.Errorf(rag.CodeTooLarge, "“%s” holds more than %d documents. Divide it into several archives.", a.name, MaxEntries)
	}
	a.Entries = append(a.Entries, Entry{Path: p, archive: a, file: f})
	return nil
}

// pathOf is the path of a file in the archive, cleaned of everything that
// leads out of it. Names that are not UTF-8 are in code page 437, as the
// format says (APPNOTE.TXT, appendix D).
func pathOf(f *zip.File) string {
	name := f.Name
	if !utf8.ValidString(name) {
		if decoded, err := charmap.CodePage437.NewDecoder().String(name); err == nil {
			name = decoded
		}
	}
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ReplaceAll(name, `\`, "/"))
	if len(name) > 2 && name[1] == ':' && name[2] == '/' && unicode.IsLetter(rune(name[0])) { // a drive
		name = name[2:]
	}
	dir := strings.HasSuffix(name, "/")
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	if dir && name != "" {
		name += "/"
	}
	return name
}

// hidden says that a file is a system's own, not the author's.
func hidden(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if strings.HasPrefix(part, ".") || strings.HasPrefix(part, "~$") || part == "__MACOSX" {
			return true
		}
	}
	return false
}

// Close closes what OpenFile opened.
func (a *Archive) Close() error { return a.close() }

// Archive is the one that the entry stands in.
func (e Entry) Archive() *Archive { return e.archive }

// Read unpacks the document. Errors: CodeInvalid when it is encrypted or
// damaged, CodeTooLarge when it, or all that was read of the archive, is over a
// limit.
func (e Entry) Read() ([]byte, error) {
	const encrypted = 1 // bit of the general purpose flags
	if e.file.Flags&encrypted != 0 {
		return nil, rag.Errorf(rag.CodeInvalid, "“%s” is protected by a password. Pack it without one.", path.Base(e.Path))
	}
	r, err := e.file.Open()
	if err != nil {
		return nil, e.damaged(err)
	}
	limit := min(int64(extract.MaxBytes), max(e.archive.left.Load(), 0))
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err = errors.Join(err, r.Close()); err != nil && int64(len(data)) <= limit {
		return nil, e.damaged(err)
	}
	if left := e.archive.left.Add(-int64(len(data))); left < 0 {
		return nil, rag.Errorf(rag.CodeTooLarge, "“%s” unpacks to more than %d MB. Divide it into several archives.", e.archive.name, MaxTotal>>20)
	}
	if int64(len(data)) > limit {
		return nil, rag.Errorf(rag.CodeTooLarge, "“%s” has more than %d MB. Divide it into several files.", path.Base(e.Path), extract.MaxBytes>>20)
	}
	if packed := e.file.CompressedSize64; len(data) > 1<<20 && uint64(len(data)) > maxRatio*packed {
		return nil, rag.Errorf(rag.CodeInvalid, "“%s” unpacks to more than %d times its size, as no document does. Upload the file itself if it is one.", path.Base(e.Path), maxRatio)
	}
	return data, nil
}

func (e Entry) damaged(err error) error {
	return rag.WithCause(err, rag.CodeInvalid, "“%s” cannot be unpacked: the archive is damaged or packed in a way that is not read. Pack it again as an ordinary ZIP file.", path.Base(e.Path))
}

// LeftOutNote says in a sentence which files were left out, "" when none were.
func (a *Archive) LeftOutNote() string {
	if len(a.LeftOut) == 0 {
		return ""
	}
	endings := slices.SortedFunc(maps.Keys(a.LeftOut), func(x, y string) int {
		return cmp.Or(cmp.Compare(a.LeftOut[y], a.LeftOut[x]), cmp.Compare(x, y))
	})
	total, kinds := 0, make([]string, 0, 6)
	for i, ending := range endings {
		total += a.LeftOut[ending]
		if i < 5 {
			kinds = append(kinds, fmt.Sprintf("%d %s", a.LeftOut[ending], cmp.Or(extract.Clip(ending, 24), "without an ending")))
		}
	}
	if len(endings) > 5 {
		kinds = append(kinds, "and others")
	}
	if total == 1 {
		return fmt.Sprintf("One file of %s is of a kind that is not read and was left out (%s).", a.name, strings.TrimPrefix(kinds[0], "1 "))
	}
	return fmt.Sprintf("%d files of %s are of kinds that are not read and were left out: %s.", total, a.name, strings.Join(kinds, ", "))
}
