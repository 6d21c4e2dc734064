package docx

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func utf16Of(s string, order binary.AppendByteOrder, mark bool) string {
	var out []byte
	if mark {
		out = order.AppendUint16(out, 0xFEFF)
	}
	for _, u := range utf16.Encode([]rune(s)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	xml := `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Größe ≥ 5</w:t></w:r></w:p></w:body></w:document>`
	strict := strings.Replace(xml, "http://schemas.openxmlformats.org/wordprocessingml/2006/main", "http://purl.oclc.org/ooxml/wordprocessingml/main", 1)
	for _, c := range []struct{ name, xml string }{
		{"UTF-8", `<?xml version="1.0" encoding="UTF-8"?>` + xml},
		{"a byte-order mark", "\xEF\xBB\xBF" + `<?xml version="1.0"?>` + xml},
		{"UTF-16 with a mark", utf16Of(`<?xml version="1.0" encoding="UTF-16"?>`+xml, binary.LittleEndian, true)},
		{"UTF-16 in the other order", utf16Of(`<?xml version="1.0" encoding="UTF-16"?>`+xml, binary.BigEndian, true)},
		{"UTF-16 without a mark", utf16Of(`<?xml version="1.0" encoding="UTF-16LE"?>`+xml, binary.LittleEndian, false)},
		{"Windows-1252", `<?xml version="1.0" encoding="windows-1252"?>` + strings.NewReplacer("ö", "\xf6", "ß", "\xdf", "≥", "&#x2265;").Replace(xml)},
		{"strict", strict},
		{"another prefix", strings.NewReplacer("<w:", "<x:", "</w:", "</x:", "xmlns:w", "xmlns:x").Replace(xml)},
		{"no prefix", strings.NewReplacer("<w:", "<", "</w:", "</", "xmlns:w", "xmlns").Replace(xml)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, "paragraph Größe ≥ 5\n", tree(read(t, parts{"word/document.xml": c.xml})))
		})
	}
}

func TestPackage(t *testing.T) {
	t.Parallel()
	t.Run("the document has another name", func(t *testing.T) {
		t.Parallel()
		xml := `<w:document ` + namespaces + `><w:body>` + item(1, 0, "x") + `</w:body></w:document>`
		doc := read(t, parts{
			"_rels/.rels":                   `<Relationships xmlns="x"><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/word/document2.xml"/></Relationships>`,
			"word/document2.xml":            xml,
			"word/_rels/document2.xml.rels": `<Relationships xmlns="x"><Relationship Id="a" Type="http://x/numbering" Target="numbers.xml"/></Relationships>`,
			"word/numbers.xml":              `<w:numbering ` + namespaces + `>` + simple + `</w:numbering>`,
		})
		require.Equal(t, "1.", marks(doc))
	})
	t.Run("backslashes and capitals", func(t *testing.T) {
		t.Parallel()
		doc := read(t, parts{`Word\Document.xml`: `<w:document ` + namespaces + `><w:body>` + par("", "x") + `</w:body></w:document>`})
		require.Equal(t, "paragraph x\n", tree(doc))
	})
}

func TestErrors(t *testing.T) {
	t.Parallel()
	ole := func(name string) []byte {
		return append([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"+strings.Repeat("\x00", 600)), utf16Of(name, binary.LittleEndian, false)...)
	}
	good := pack(t, parts{"word/document.xml": par("", strings.Repeat("words ", 500))})
	small := limits{part: 1 << 20, total: 1 << 20, bomb: 1 << 17, blocks: 1000, cells: 5000}
	noise := rand.New(rand.NewPCG(1, 2))
	var noisy strings.Builder
	for noisy.Len() < 1<<20 {
		noisy.WriteString(strconv.FormatUint(noise.Uint64(), 36))
	}
	document := func(xml string) []byte { return pack(t, parts{"word/document.xml": xml}) }
	for _, c := range []struct {
		name string
		data []byte
		code rag.Code
		says string
	}{
		{"nothing", nil, rag.CodeInvalid, "is empty"},
		{"some bytes", []byte("hello world"), rag.CodeInvalid, "not a Word document"},
		{"RTF", []byte(`{\rtf1 x}`), rag.CodeInvalid, "RTF"},
		{"a web page", []byte("<!DOCTYPE html><p>x"), rag.CodeInvalid, "web page"},
		{"a PDF", []byte("%PDF-1.7"), rag.CodeInvalid, "PDF"},
		{"an old Word file", ole("WordDocument"), rag.CodeInvalid, "(.doc)"},
		{"a password", ole("EncryptedPackage"), rag.CodeInvalid, "password"},
		{"half a file", good[:len(good)/2], rag.CodeInvalid, "damaged"},
		{"a workbook", pack(t, parts{"xl/workbook.xml": "<x/>"}), rag.CodeInvalid, "Excel workbook, not a Word document. Save its sheets as text (.txt) or copy them into a Word document."},
		{"slides", pack(t, parts{"ppt/presentation.xml": "<x/>"}), rag.CodeInvalid, "PowerPoint"},
		{"OpenDocument", pack(t, parts{"mimetype": "application/vnd.oasis.opendocument.text"}), rag.CodeInvalid, "OpenDocument"},
		{"some archive", pack(t, parts{"a.txt": "x"}), rag.CodeInvalid, "ZIP"},
		{"markup that breaks off", document(`<?xml version="1.0"?><w:document><w:body><w:p>`), rag.CodeInvalid, "damaged"},
		{"an empty part", document(`<?xml version="1.0"?>`), rag.CodeInvalid, "damaged"},
		{"an entity of its own", document(`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:document><w:body><w:p><w:r><w:t>&e;</w:t></w:r></w:p></w:body></w:document>`), rag.CodeInvalid, "damaged"},
		{"another kind of part", document(`<?xml version="1.0"?><html><body>x</body></html>`), rag.CodeInvalid, "not a Word document"},
		{"damaged numbers", pack(t, parts{"word/document.xml": item(1, 0, "x"), "word/numbering.xml": `<?xml version="1.0"?><w:numbering><w:num`}), rag.CodeInvalid, "damaged"},
		{"no words", document("<w:p/><w:sectPr/>"), rag.CodeInvalid, "empty"},
		{"hidden words alone", document("<w:p>" + run("<w:vanish/>", "x") + "</w:p>"), rag.CodeInvalid, "hidden"},
		{"elements in elements", document(strings.Repeat("<w:sdt>", 400) + strings.Repeat("</w:sdt>", 400)), rag.CodeInvalid, "nested"},
		{"a bomb", document(par("", strings.Repeat(" ", 200_000))), rag.CodeInvalid, "unpacks"},
		{"too many paragraphs", document(strings.Repeat("<w:p/>", small.blocks+1)), rag.CodeTooLarge, "paragraphs"},
		{"too much text", document(par("", noisy.String())), rag.CodeTooLarge, "text and markup"},
		{"too many cells", document("<w:tbl>" + strings.Repeat(`<w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr></w:tc></w:tr>`, small.cells/maxColumns+1) + "</w:tbl>"), rag.CodeTooLarge, "cells"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := readWithin(c.data, small)
			require.Error(t, err)
			require.Equal(t, c.code, rag.ErrorCode(err))
			require.Contains(t, rag.ErrorMessage(err), c.says)
		})
	}
	t.Run("a byte that flipped", func(t *testing.T) {
		t.Parallel()
		bad := bytes.Clone(good)
		bad[60] ^= 0x40
		_, err := Read(bad)
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	})
}
