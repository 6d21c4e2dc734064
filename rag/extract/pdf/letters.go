package pdf

import (
	"strings"
	"unicode"
)

// Flags of a font descriptor, ISO 32000-1 section 9.8.2.
const (
	flagFixedPitch = 1 << 0
	flagItalic     = 1 << 6
	flagForceBold  = 1 << 18
)

// boldWeight is from where PDFium's estimate of a weight counts as bold when
// the font's name does not say it.
const boldWeight = 700

// faceOf judges a font by its name, its flags and PDFium's estimate of its
// weight.
func faceOf(name string, flags, weight int) face {
	if i := strings.IndexByte(name, '+'); i == 6 {
		name = name[7:]
	}
	n := strings.ToLower(name)
	var f face
	if flags&flagForceBold != 0 || weight >= boldWeight ||
		contains(n, "bold", "black", "heavy", "demi", "-bd", "cmbx", "-medi") {
		f |= faceBold
	}
	if flags&flagItalic != 0 || contains(n, "italic", "oblique", "-it", "cmti", "cmsl") {
		f |= faceItalic
	}
	if flags&flagFixedPitch != 0 ||
		contains(n, "mono", "courier", "consol", "menlo", "typewriter", "cmtt", "sourcecode", "firacode", "cascadia") {
		f |= faceMono
	}
	if contains(n, "wingding", "webding", "dingbat") {
		f |= faceDing
	}
	return f
}

func contains(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// Marks that PDFium gives for a hyphen at the end of a line.
const (
	hyphenSTX  = 0x02
	hyphenFFFE = 0xFFFE
)

// letter gives what is kept of a character: "" for nothing, and whether the
// character has a meaning. Ligatures are written out, so that a search finds
// the word; a letter without meaning stays visible as U+FFFD.
func letter(r rune, f face) (text string, ok bool) {
	switch {
	case r == hyphenSTX || r == hyphenFFFE:
		return "-", true
	case r >= 0xFB00 && r <= 0xFB06:
		return [...]string{"ff", "fi", "fl", "ffi", "ffl", "ft", "st"}[r-0xFB00], true
	case r >= 0xE000 && r <= 0xF8FF:
		if s := private(r, f); s != "" {
			return s, true
		}
		return "\uFFFD", false
	case r == 0 || r == unicode.ReplacementChar || r > unicode.MaxRune || r >= 0xD800 && r <= 0xDFFF,
		unicode.IsControl(r), r&0xFFFE == 0xFFFE, r >= 0xF0000:
		return "\uFFFD", false
	case r == 0x200B || r == 0xFEFF || r == 0x2060: // blanks without width
		return "", true
	}
	return string(r), true
}

// private reads the private characters U+F020–U+F0FF that the symbol fonts of
// word processors use. Doses depend on some of them: ≤, ≥, µ, ±.
func private(r rune, f face) string {
	if r < 0xF020 || r > 0xF0FF {
		return ""
	}
	table := symbols
	if f&faceDing != 0 {
		table = dings
	}
	if s, ok := table[r]; ok {
		return s
	}
	if f&faceDing != 0 {
		return "•" // some picture: a mark before words
	}
	return ""
}

// symbols is the part of the Symbol encoding (ISO 32000-1 annex D.5) that
// texts use, dings that of Wingdings. A bullet is kept where it is no letter
// of the other font.
var (
	symbols = map[rune]string{
		0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "➢", 0xF0FC: "✓", 0xF02D: "−",
		0xF0A3: "≤", 0xF0B3: "≥", 0xF0B1: "±", 0xF0B0: "°", 0xF0B4: "×", 0xF0B9: "≠", 0xF0BB: "≈", 0xF0AE: "→",
		0xF0AC: "←", 0xF0AD: "↑", 0xF0AF: "↓", 0xF0DE: "⇒", 0xF0A5: "∞", 0xF0D7: "⋅", 0xF0B8: "÷",
		0xF061: "α", 0xF062: "β", 0xF067: "γ", 0xF064: "δ", 0xF065: "ε", 0xF071: "θ", 0xF06B: "κ", 0xF06C: "λ",
		0xF06D: "μ", 0xF070: "π", 0xF072: "ρ", 0xF073: "σ", 0xF074: "τ", 0xF06A: "ϕ", 0xF077: "ω",
		0xF044: "Δ", 0xF057: "Ω", 0xF053: "Σ",
		0xF03D: "=", 0xF02B: "+", 0xF03C: "<", 0xF03E: ">", 0xF025: "%", 0xF028: "(", 0xF029: ")", 0xF02F: "/",
		0xF030: "0", 0xF031: "1", 0xF032: "2", 0xF033: "3", 0xF034: "4", 0xF035: "5", 0xF036: "6", 0xF037: "7",
		0xF038: "8", 0xF039: "9", 0xF02C: ",", 0xF02E: ".", 0xF03A: ":",
	}
	dings = map[rune]string{
		0xF0A7: "▪", 0xF06F: "□", 0xF0A8: "□", 0xF06E: "■", 0xF06C: "●", 0xF071: "❑", 0xF076: "❖", 0xF0D8: "➢",
		0xF0E0: "→", 0xF0DF: "←", 0xF0FC: "✓", 0xF0FB: "✗", 0xF0FD: "☒", 0xF0FE: "☑", 0xF0F0: "⇨",
	}
)

// raised and lowered write small digits and signs above and below the line as
// the characters that mean it: 10⁹ must not become 109.
var (
	raised  = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "+", "⁺", "-", "⁻", "−", "⁻", "–", "⁻")
	lowered = strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇", "8", "₈", "9", "₉", "+", "₊", "-", "₋", "−", "₋", "–", "₋")
)
