package docx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"

	"passage/rag"
)

// limits on one file bound memory and time whatever its bytes say.
type limits struct {
	part   int64 // bytes of one part, uncompressed
	total  int64 // bytes of all parts that are read, uncompressed
	bomb   int64 // bytes from which on a part must not be bombRatio times as large as it is compressed
	blocks int   // paragraphs and rows
	cells  int   // of all tables, spans counted
}

var standard = limits{part: 64 << 20, total: 100 << 20, bomb: 8 << 20, blocks: 400_000, cells: 1_000_000}

const (
	maxEntries  = 20_000   // files in the archive
	bombRatio   = 300      // markup stays below 100
	maxColumns  = 256      // of a table; Word stops at 63
	maxRepeated = 16 << 20 // bytes of words that merged cells repeat
)

// archive is the package (OPC, part 2): parts by name, without regard to case
// and to the kind of slash.
type archive struct {
	files map[string]*zip.File
	total int64 // bytes read so far
	most  limits
}

func openArchive(data []byte, most limits) (*archive, error) {
	if err := notZip(data); err != nil {
		return nil, err
	}
	if bytes.Count(data, []byte("PK\x01\x02")) > maxEntries {
		return nil, rag.Errorf(rag.CodeTooLarge, "The file holds more than %d parts. Save the text alone as a new Word document.", maxEntries)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, rag.WithCause(err, rag.CodeInvalid,
			"The file is damaged: the archive that a Word document is cannot be opened. Open it in Word, save it again and upload that.")
	}
	a := &archive{files: make(map[string]*zip.File, len(z.File)), most: most}
	for _, f := range z.File {
		name := partName(f.Name)
		if _, there := a.files[name]; !there {
			a.files[name] = f
		}
	}
	return a, nil
}

func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, "\\", "/")), "/"))
}

// notZip names the kind of a file that is no archive at all.
func notZip(data []byte) error {
	head := strings.ToLower(string(bytes.TrimLeft(data[:min(len(data), 512)], " \t\r\n\xEF\xBB\xBF")))
	switch {
	case len(data) == 0:
		return rag.Errorf(rag.CodeInvalid, "The file is empty. Upload a Word document (.docx) with text in it.")
	case strings.HasPrefix(head, "pk\x03\x04"), strings.HasPrefix(head, "pk\x05\x06"):
		return nil
	case bytes.HasPrefix(data, []byte("\xD0\xCF\x11\xE0")):
		return oldOffice(data)
	case strings.HasPrefix(head, "{\\rtf"):
		return wrongKind("an RTF document")
	case strings.HasPrefix(head, "<!doctype html"), strings.HasPrefix(head, "<html"):
		return rag.Errorf(rag.CodeInvalid, "The file is a web page, not a Word document. Rename it to .html, or save it in Word as .docx.")
	case strings.HasPrefix(head, "<?xml"):
		return wrongKind("an XML file")
	case strings.HasPrefix(head, "%pdf-"):
		return rag.Errorf(rag.CodeInvalid, "The file is a PDF, not a Word document. Rename it to .pdf and upload it again.")
	}
	return rag.Errorf(rag.CodeInvalid,
		"The file is not a Word document (.docx). Open it in the program that made it, save it as .docx and upload that.")
}

// oldOffice tells the files apart that are OLE containers by the names in
// their directory, which are UTF-16.
func oldOffice(data []byte) error {
	has := func(name string) bool {
		wide := make([]byte, 0, 2*len(name))
		for i := range len(name) {
			wide = append(wide, name[i], 0)
		}
		return bytes.Contains(data, wide)
	}
	switch {
	case has("EncryptedPackage"):
		return rag.Errorf(rag.CodeInvalid,
			"The file is protected with a password. Open it in Word, remove the password (File, Info, Protect Document) and upload it again.")
	case has("WordDocument"):
		return rag.Errorf(rag.CodeInvalid,
			"The file is an old Word document (.doc), whatever its name says. Open it in Word, save it as .docx and upload that.")
	}
	return wrongKind("an old Office file")
}

func wrongKind(what string) error {
	return rag.Errorf(rag.CodeInvalid, "The file is %s, not a Word document (.docx). Save it as .docx in Word and upload that.", what)
}

// wrongPackage names the kind of an archive without a Word document in it.
func (a *archive) wrongPackage() error {
	for name := range a.files {
		switch {
		case strings.HasPrefix(name, "xl/"):
			return rag.Errorf(rag.CodeInvalid,
				"The file is an Excel workbook, not a Word document. Save its sheets as text (.txt) or copy them into a Word document.")
		case strings.HasPrefix(name, "ppt/"):
			return rag.Errorf(rag.CodeInvalid,
				"The file is a PowerPoint presentation, not a Word document. Save it as PDF, or its outline as a Word document (.docx).")
		case strings.HasPrefix(name, "visio/"):
			return rag.Errorf(rag.CodeInvalid, "The file is a Visio drawing, not a Word document. Save it as PDF and upload that.")
		}
	}
	if f := a.files["mimetype"]; f != nil {
		if b, err := a.bytes("mimetype", 200); err == nil && bytes.Contains(b, []byte("opendocument")) {
			return wrongKind("an OpenDocument file")
		}
	}
	if a.files["index/document.iwa"] != nil {
		return wrongKind("a Pages document")
	}
	return rag.Errorf(rag.CodeInvalid,
		"The file is a ZIP archive without a Word document in it. Save the document as .docx in Word and upload that.")
}

// bytes reads the beginning of a part.
func (a *archive) bytes(name string, most int64) ([]byte, error) {
	r, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, most))
}

var errNoPart = errors.New("no such part")

// open begins to read a part within the limits.
func (a *archive) open(name string) (io.ReadCloser, error) {
	f := a.files[partName(name)]
	if f == nil {
		return nil, errNoPart
	}
	r, err := f.Open()
	if err != nil {
		return nil, damaged(err)
	}
	return &partReader{ReadCloser: r, a: a, packed: int64(f.CompressedSize64)}, nil
}

// partReader counts what comes out of a part and stops a bomb.
type partReader struct {
	io.ReadCloser
	a      *archive
	packed int64
	n      int64
}

func (p *partReader) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	p.n += int64(n)
	p.a.total += int64(n)
	switch {
	case p.n > p.a.most.part || p.a.total > p.a.most.total:
		return 0, rag.Errorf(rag.CodeTooLarge,
			"The document has more than %d MB of text and markup. Divide it into several files.", p.a.most.part>>20)
	case p.n > p.a.most.bomb && p.n > bombRatio*p.packed:
		return 0, rag.Errorf(rag.CodeInvalid,
			"The file unpacks to more than %d times its size, as no document does. Save it again in Word and upload that.", bombRatio)
	}
	return n, err
}

// scan calls f on the outermost element of a part. A part that is not there
// is no error. Damage of any kind is CodeInvalid.
func (a *archive) scan(name string, f func(s *scanner, root xml.StartElement) error) error {
	r, err := a.open(name)
	if errors.Is(err, errNoPart) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	s := newScanner(r)
	root, err := s.root()
	if err == nil {
		err = f(s, root)
	}
	var known *rag.Error
	if err != nil && !errors.As(err, &known) {
		err = damaged(err)
	}
	return err
}

func damaged(cause error) error {
	if errors.Is(cause, errDeep) {
		return rag.WithCause(cause, rag.CodeInvalid,
			"The document is nested too deeply to be read. Take tables out of tables and upload it again.")
	}
	return rag.WithCause(cause, rag.CodeInvalid,
		"The document is damaged and cannot be read to its end. Open it in Word, let Word repair it, save it and upload that.")
}

// relation is a link from a part to another part or to an address outside.
type relation struct {
	kind    string // the last element of its type: "hyperlink", "styles"
	target  string // the name of a part, or the address
	outside bool
}

// relations reads the relationships of a part by id (part 2, 9.3); those of
// the package itself for "".
func (a *archive) relations(part string) (map[string]relation, error) {
	dir, base := path.Split(part)
	out := map[string]relation{}
	err := a.scan(dir+"_rels/"+base+".rels", func(s *scanner, _ xml.StartElement) error {
		return s.each(func(e xml.StartElement) error {
			if e.Name.Local != "Relationship" || len(out) >= a.most.blocks {
				return nil
			}
			r := relation{kind: path.Base(attr(e, "Type")), target: attr(e, "Target")}
			r.outside = attr(e, "TargetMode") == "External"
			if !r.outside {
				if !strings.HasPrefix(r.target, "/") {
					r.target = path.Join(dir, r.target)
				}
				r.target = strings.TrimPrefix(path.Clean("/"+r.target), "/")
			}
			out[attr(e, "Id")] = r
			return nil
		})
	})
	return out, err
}
