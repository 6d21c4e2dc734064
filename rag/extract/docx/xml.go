package docx

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// maxDepth bounds elements inside elements. Real documents with tables in
// tables stay below a hundred.
const maxDepth = 256

var errDeep = errors.New("elements are nested too deeply")

// scanner goes through the elements of one part. It holds no tree.
type scanner struct {
	d     *xml.Decoder
	depth int
}

// newScanner reads XML in UTF-8, in UTF-16 and in the encodings that a part
// may declare. Entities other than XML's own five are refused by the decoder,
// and nothing outside is ever fetched.
func newScanner(r io.Reader) *scanner {
	b := bufio.NewReaderSize(r, 32<<10)
	var src io.Reader = b
	head, _ := b.Peek(4)
	wide := false
	switch h := string(head); {
	case strings.HasPrefix(h, "\xEF\xBB\xBF"):
		_, _ = b.Discard(3)
	case strings.HasPrefix(h, "\xFF\xFE"), strings.HasPrefix(h, "\xFE\xFF"):
		src, wide = transform.NewReader(b, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()), true
	case h == "<\x00?\x00", h == "<\x00w\x00":
		src, wide = transform.NewReader(b, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder()), true
	case h == "\x00<\x00?", h == "\x00<\x00w":
		src, wide = transform.NewReader(b, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder()), true
	}
	d := xml.NewDecoder(src)
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		if wide {
			return in, nil
		}
		return charset.NewReaderLabel(label, in)
	}
	return &scanner{d: d}
}

// token gives the next token, with the namespace of an element's name as one
// of our short names.
func (s *scanner) token() (xml.Token, error) {
	t, err := s.d.Token()
	if err != nil {
		return nil, err
	}
	switch e := t.(type) {
	case xml.StartElement:
		if s.depth++; s.depth > maxDepth {
			return nil, errDeep
		}
		e.Name.Space = short(e.Name.Space)
		return e, nil
	case xml.EndElement:
		s.depth--
	}
	return t, nil
}

// each calls f for every child of the element that was begun last, up to its
// end. What f leaves unread of a child is skipped.
func (s *scanner) each(f func(e xml.StartElement) error) error {
	base := s.depth
	for {
		t, err := s.token()
		if err != nil {
			return err
		}
		if s.depth < base {
			return nil
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		if err := f(e); err != nil {
			return err
		}
		for s.depth > base {
			if _, err := s.token(); err != nil {
				return err
			}
		}
	}
}

// text gives the character data of the element that was begun last.
func (s *scanner) text() (string, error) {
	base := s.depth
	var sb strings.Builder
	for {
		t, err := s.token()
		if err != nil {
			return "", err
		}
		if s.depth < base {
			return sb.String(), nil
		}
		if c, ok := t.(xml.CharData); ok && s.depth == base {
			sb.Write(c)
		}
	}
}

// root goes to the outermost element. It gives io.EOF when there is none.
func (s *scanner) root() (xml.StartElement, error) {
	for {
		t, err := s.token()
		if err != nil {
			return xml.StartElement{}, err
		}
		if e, ok := t.(xml.StartElement); ok {
			return e, nil
		}
	}
}

// short gives the usual prefix of a namespace, whatever prefix the file binds
// to it: transitional (schemas.openxmlformats.org) and strict (purl.oclc.org)
// names are the same to us. Other names stay as they are.
func short(space string) string {
	switch space {
	case "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
		"http://purl.oclc.org/ooxml/wordprocessingml/main":
		return "w"
	case "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
		"http://purl.oclc.org/ooxml/officeDocument/relationships":
		return "r"
	case "http://schemas.openxmlformats.org/officeDocument/2006/math",
		"http://purl.oclc.org/ooxml/officeDocument/math":
		return "m"
	case "http://schemas.openxmlformats.org/drawingml/2006/main",
		"http://purl.oclc.org/ooxml/drawingml/main":
		return "a"
	case "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
		"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing":
		return "wp"
	case "http://schemas.openxmlformats.org/drawingml/2006/picture",
		"http://purl.oclc.org/ooxml/drawingml/picture":
		return "pic"
	case "http://schemas.openxmlformats.org/drawingml/2006/chart",
		"http://purl.oclc.org/ooxml/drawingml/chart":
		return "c"
	case "http://schemas.openxmlformats.org/drawingml/2006/diagram",
		"http://purl.oclc.org/ooxml/drawingml/diagram":
		return "dgm"
	case "http://schemas.openxmlformats.org/markup-compatibility/2006":
		return "mc"
	case "urn:schemas-microsoft-com:vml":
		return "v"
	}
	return space
}

// attr gives an attribute by its local name, "" when it is not there.
// Attributes of the relationships' namespace are found by rel only: w:id and
// r:id may stand side by side.
func attr(e xml.StartElement, local string) string {
	for i := range e.Attr {
		if e.Attr[i].Name.Local == local && short(e.Attr[i].Name.Space) != "r" {
			return e.Attr[i].Value
		}
	}
	return ""
}

// rel gives an attribute of the relationships' namespace.
func rel(e xml.StartElement, local string) string {
	for i := range e.Attr {
		if e.Attr[i].Name.Local == local && short(e.Attr[i].Name.Space) == "r" {
			return e.Attr[i].Value
		}
	}
	return ""
}

// on reads the value of an on-off property (17.17.4): present without a value
// means on.
func on(e xml.StartElement) bool { return truth(attr(e, "val"), true) }

func truth(v string, absent bool) bool {
	switch v {
	case "":
		return absent
	case "0", "false", "off":
		return false
	}
	return true
}

// number reads the attribute val.
func number(e xml.StartElement) (int, bool) { return integer(attr(e, "val")) }

// integer reads a whole number within ±1,000,000,000.
func integer(v string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil || n > 1e9 || n < -1e9 {
		return 0, false
	}
	return n, true
}

// twips reads a measure: twentieths of a point, or a number with a unit as
// strict files have it (22.9.2.14).
func twips(v string) (int, bool) {
	v = strings.TrimSpace(v)
	if n, ok := integer(v); ok {
		return n, true
	}
	scale := 1.0
	for _, u := range []struct {
		name string
		n    float64
	}{{"mm", 1440 / 25.4}, {"cm", 1440 / 2.54}, {"in", 1440}, {"pt", 20}, {"pc", 240}, {"pi", 240}} {
		if rest, ok := strings.CutSuffix(v, u.name); ok {
			v, scale = rest, u.n
			break
		}
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || !(f*scale < 1e9 && f*scale > -1e9) {
		return 0, false
	}
	return int(f * scale), true
}
