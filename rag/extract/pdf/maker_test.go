package pdf

import (
	"bytes"
	"fmt"
	"strings"
)

// maker writes small PDFs by hand (ISO 32000-1 chapter 7): text at given
// places in the standard fonts, which need no file.
type maker struct {
	pages []string // content streams
	extra []string // further entries of a page's dictionary
	info  string
	count int // as the page tree says; 0: as many as there are
}

// The fonts of a made page.
const (
	sans   = "F1"
	bold   = "F2"
	mono   = "F3"
	sign   = "F4" // Symbol
	noMap  = "F5" // glyphs by number, no word about what they mean
	serif  = "F6"
	italic = "F7"
)

// set is text at a place, y from the upper edge of an A4 page.
type set struct {
	x, y float64
	text string
	font string
	size float64
}

func (m *maker) page(puts ...set) *maker {
	var b strings.Builder
	for _, p := range puts {
		b.WriteString(p.code("1 0 0 1"))
	}
	return m.raw(b.String())
}

func (m *maker) raw(content string) *maker {
	m.pages = append(m.pages, content)
	return m
}

// code is the operators for a text under the first four numbers of a matrix.
func (p set) code(matrix string) string {
	if p.font == "" {
		p.font = sans
	}
	if p.size == 0 {
		p.size = 10
	}
	text := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(latin(p.text))
	if p.font == noMap {
		text = "\x00\x24\x00\x25\x00\x26\x00\x27"
	}
	return fmt.Sprintf("BT /%s %g Tf %s %g %g Tm (%s) Tj ET\n", p.font, p.size, matrix, p.x, 842-p.y, text)
}

// latin writes text in the encoding of the made fonts.
func latin(s string) string {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		switch r {
		case '–':
			r = 0x96
		case '—':
			r = 0x97
		case '•':
			r = 0x95
		}
		out = append(out, byte(r))
	}
	return string(out)
}

// column is lines below one another from the same left edge.
func column(x, y, leading float64, p set, lines ...string) []set {
	out := make([]set, len(lines))
	for i, l := range lines {
		out[i] = p
		out[i].x, out[i].y, out[i].text = x, y+float64(i)*leading, l
	}
	return out
}

func (m *maker) bytes() []byte {
	var objects []string
	add := func(s string) int {
		objects = append(objects, s)
		return len(objects)
	}
	add("<< /Type /Catalog /Pages 2 0 R >>")
	add("") // the page tree, below
	var fonts, kids strings.Builder
	fonts.WriteString("/Font <<")
	for i, name := range []string{"Helvetica", "Helvetica-Bold", "Courier", "Symbol", "", "Times-Roman", "Times-Italic"} {
		var id int
		switch name {
		case "":
			id = add("<< /Type /Font /Subtype /Type0 /BaseFont /Nowhere /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Nowhere /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /Nowhere /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 /CapHeight 700 >> >>] >>")
		case "Symbol":
			id = add("<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>")
		default:
			id = add("<< /Type /Font /Subtype /Type1 /BaseFont /" + name + " /Encoding /WinAnsiEncoding >>")
		}
		fmt.Fprintf(&fonts, " /F%d %d 0 R", i+1, id)
	}
	fonts.WriteString(" >>")
	image := add("<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\n\x80\nendstream")
	for i, p := range m.pages {
		extra := ""
		if i < len(m.extra) {
			extra = m.extra[i]
		}
		content := add(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(p), p))
		fmt.Fprintf(&kids, "%d 0 R ", add(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << %s /XObject << /I %d 0 R >> >> /Contents %d 0 R %s >>", fonts.String(), image, content, extra)))
	}
	count := m.count
	if count == 0 {
		count = len(m.pages)
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), count)
	trailer := ""
	if m.info != "" {
		trailer = fmt.Sprintf("/Info %d 0 R", add("<< "+m.info+" >>"))
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, trailer, start)
	return b.Bytes()
}

// scanned is the content of a page that is one picture.
const scanned = "q 595 0 0 842 0 0 cm /I Do Q"
