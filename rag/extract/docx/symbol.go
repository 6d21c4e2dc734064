package docx

import (
	"strings"
	"unicode/utf8"
)

// Signs of the fonts that have no letters in them. A Word file stores such a
// sign by its place in the font, so that a "≤" before a dose would else read
// "£" or nothing.

// symbolLow and symbolHigh are the encoding of the font Symbol, from 0x20 and
// from 0xA0 (Adobe, Symbol encoding vector). A blank stands where it has no
// sign.
var (
	symbolLow = []rune(" !∀#∃%&∋()∗+,−./0123456789:;<=>?" +
		"≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_" +
		"‾αβχδεφγηιϕκλµνοπθρστυϖωξψζ{|}∼")
	symbolHigh = []rune("€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵" +
		"ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓" +
		"◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭")
)

// pictures are the signs of Wingdings and its kin that authors use in text:
// bullets, boxes, arrows, ticks, numbers in circles.
var pictures = map[string]map[rune]rune{
	"wingdings": {
		0x21: '✏', 0x22: '✂', 0x28: '☎', 0x29: '✆', 0x2A: '✉', 0x36: '⌛',
		0x41: '✌', 0x43: '👍', 0x44: '👎', 0x45: '☜', 0x46: '☞', 0x47: '☝', 0x48: '☟', 0x49: '✋',
		0x4A: '☺', 0x4B: '😐', 0x4C: '☹', 0x4D: '💣', 0x4E: '☠', 0x51: '✈', 0x52: '☼', 0x53: '💧', 0x54: '❄',
		0x6A: '&', 0x6B: '&', 0x6C: '●', 0x6D: '❍', 0x6E: '■', 0x6F: '□', 0x70: '◻', 0x71: '❑', 0x72: '❒',
		0x73: '⬧', 0x74: '⧫', 0x75: '◆', 0x76: '❖', 0x77: '⬥', 0x78: '☒', 0x7B: '❀', 0x7C: '✿',
		0x80: '⓪', 0x81: '①', 0x82: '②', 0x83: '③', 0x84: '④', 0x85: '⑤', 0x86: '⑥', 0x87: '⑦', 0x88: '⑧', 0x89: '⑨', 0x8A: '⑩',
		0x8B: '⓿', 0x8C: '❶', 0x8D: '❷', 0x8E: '❸', 0x8F: '❹', 0x90: '❺', 0x91: '❻', 0x92: '❼', 0x93: '❽', 0x94: '❾', 0x95: '❿',
		0x9E: '·', 0x9F: '•', 0xA0: '•', 0xA1: '○', 0xA4: '◉', 0xA7: '▪', 0xA8: '◻', 0xAA: '✦', 0xAB: '★', 0xAC: '✶',
		0xD8: '➢', 0xDC: '➲', 0xDF: '←', 0xE0: '→', 0xE1: '↑', 0xE2: '↓', 0xE7: '←', 0xE8: '➔', 0xE9: '↑', 0xEA: '↓',
		0xEF: '⇦', 0xF0: '⇨', 0xF1: '⇧', 0xF2: '⇩', 0xF3: '⇔', 0xF4: '⇕', 0xFB: '✗', 0xFC: '✓', 0xFD: '☒', 0xFE: '☑',
	},
	"wingdings 2": {
		0x2A: '□', 0x4F: '✗', 0x50: '✓', 0x51: '☒', 0x52: '☑', 0x53: '☒', 0x54: '☒', 0x96: '●', 0x97: '●', 0x98: '●', 0xA3: '□',
	},
	"wingdings 3": {
		0x66: '←', 0x67: '→', 0x68: '↑', 0x69: '↓', 0x70: '▲', 0x71: '▼', 0x74: '◀', 0x75: '▶', 0x7D: '▶', 0xC6: '←',
	},
	"webdings": {
		0x33: '◀', 0x34: '▶', 0x35: '▲', 0x36: '▼', 0x61: '✓', 0x63: '□', 0x67: '■', 0x69: 'ℹ', 0x6E: '●', 0x72: '✗',
	},
	"zapf dingbats": {0x33: '✓', 0x34: '✔', 0x35: '✕', 0x36: '✖', 0x37: '✗', 0x38: '✘', 0x6C: '●', 0x6E: '■', 0x75: '◆'},
}

// signFont says that letters in a font are signs.
func signFont(font string) bool {
	f := strings.ToLower(font)
	return f == "symbol" || f == "symbol mt" || pictures[f] != nil
}

// sign gives the character for a place in a font of signs. Places stand as
// they are or in Unicode's private area, U+F000 on.
func sign(font string, r rune) (rune, bool) {
	if r >= 0xF000 && r <= 0xF0FF {
		r -= 0xF000
	}
	f := strings.ToLower(font)
	if set := pictures[f]; set != nil {
		if r == ' ' {
			return r, true
		}
		c, ok := set[r]
		return c, ok
	}
	if f != "symbol" && f != "symbol mt" {
		return r, false
	}
	c := ' '
	switch {
	case r >= 0x20 && int(r-0x20) < len(symbolLow):
		c = symbolLow[r-0x20]
	case r >= 0xA0 && int(r-0xA0) < len(symbolHigh):
		c = symbolHigh[r-0xA0]
	}
	return c, c != ' ' || r == 0x20
}

func private(r rune) bool { return r >= 0xF000 && r <= 0xF0FF }

// symbols turns the signs in a text of a font into characters. What is not
// known stays as it is.
func symbols(text, font string) string {
	signs := signFont(font)
	if !signs && strings.IndexFunc(text, private) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case signs:
			if c, ok := sign(font, r); ok {
				return c
			}
		case r == 0xF0B7: // the bullet that every program writes
			return '•'
		}
		return r
	}, text)
}

// unknown counts what symbols could not read.
func unknown(text string) (n int) {
	for _, r := range text {
		if private(r) {
			n++
		}
	}
	return n
}

// clean drops what must not be in a text: control characters, soft hyphens,
// byte-order marks and what is no character. Line ends of any kind become line
// feeds, tabs stay.
func clean(s string) string {
	dirty := func(r rune) bool {
		return r < 0x20 && r != '\t' && r != '\n' || r >= 0x7F && r < 0xA0 || r == 0xAD ||
			r == 0xFEFF || r == 0xFFFE || r == 0xFFFF || r == 0x2028 || r == 0x2029 || r == utf8.RuneError
	}
	if strings.IndexFunc(s, dirty) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0x2028 || r == 0x2029 || r == 0x85 || r == '\v' || r == '\f' || r == '\r':
			return '\n'
		case r == utf8.RuneError:
			return r // a sign that the source holds, or a byte that is no character
		case dirty(r):
			return -1
		}
		return r
	}, s)
}
