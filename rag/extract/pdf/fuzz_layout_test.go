package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzLayout sets letters and lines anywhere on a page, without PDFium: no
// panic, and every letter and digit is in the document.
func FuzzLayout(f *testing.F) {
	f.Add([]byte("\x10\x10\x20a\x12\x10\x20b\x10\x14\x20c"))
	f.Add([]byte("\x10\x10\x211\x12\x10\x20.\x18\x10\x20a\x10\x14\x212\x12\x14\x20.\x18\x14\x20b"))
	f.Add([]byte("\x10\x10\xff\x40\x10\x20\xff\x40\x10\x30\xff\x40\x10\x10\xfe\x40\x30\x10\xfe\x40\x50\x10\xfe\x40\x12\x14\x20a\x34\x14\x20b\x12\x24\x20c"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := page{number: 1, width: 512, height: 512, drawn: true}
		var glyphs []glyph
		want := ""
		for len(data) >= 4 && len(glyphs) < 3000 {
			x, y, how, r := float32(data[0])*2, float32(data[1])*2, data[2], rune(data[3])
			data = data[4:]
			switch how {
			case 0xFF:
				p.draw(box{x, y, x + float32(r), y + 1})
				continue
			case 0xFE:
				p.draw(box{x, y, x + 1, y + float32(r)})
				continue
			case 0xFD:
				p.draw(box{x, y, x + 3, y + 3})
				continue
			}
			g := glyph{x0: x, x1: x + 5, base: y, size: 4 + float32(how>>4), face: face(how & 15), meant: true, text: string(r)}
			switch {
			case r == ' ':
				g.made = how&1 == 0
			case r < 0x20 || r > 0x7E && r < 0xC0:
				continue
			default:
				want += g.text
				p.letters++
			}
			glyphs = append(glyphs, g)
		}
		p.words, p.turned = words(glyphs)
		doc, err := (&file{pages: []page{p}}).document(t.Context())
		if err != nil {
			require.Empty(t, want)
			return
		}
		got := letters(allText(doc.Blocks))
		for r, n := range letters(want) {
			if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				if r == 'o' { // the second bullet of Word
					continue
				}
				require.GreaterOrEqual(t, got[r], n, "%q of %q in %s", r, want, dump(doc))
			}
		}
	})
}
