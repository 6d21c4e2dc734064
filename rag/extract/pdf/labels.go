package pdf

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// labelKind is how the items of a list are marked.
type labelKind uint8

const (
	labelNone labelKind = iota
	labelBullet
	labelNumber
	labelLetter
	labelRoman
	labelDotted // 2.1
	labelStep   // Step 3:
)

// label is the mark before an item.
type label struct {
	kind  labelKind
	text  string // as written; "" for a bullet
	form  string // what stays the same from item to item: "#.", "(a)"
	n     int    // its number
	depth int    // dotted: parts
	words int    // of the line that are the mark
	also  int    // a letter that may be a Roman number: that number
}

const (
	bullets = "•‣⁃∙●○◦■□▪▫◆◇◾◽➢➤➔►▸▶❖❑❒⬝⦁·"
	ticks   = "✓✔✗✘☐☑☒" // bullets that say something: kept as words
	dashes  = "–—-*"
)

func bullet(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n == len(s) && n > 0 && strings.ContainsRune(bullets+ticks+dashes, r)
}

// marks says that a word may be the mark of an item.
func marks(s string) bool {
	_, ok := readLabel(s)
	return ok || bullet(s)
}

// labelOf reads the mark at the beginning of a line.
func labelOf(l *line) label {
	if l.dot && !l.rtl {
		return label{kind: labelBullet, form: "•"}
	}
	if len(l.words) == 0 || l.table() != nil {
		return label{}
	}
	first := l.words[0].text
	if bullet(first) {
		if len(l.words) == 1 {
			return label{}
		}
		b := label{kind: labelBullet, form: first, words: 1}
		if strings.ContainsAny(first, ticks) {
			b.words = 0
		}
		return b
	}
	if first == "o" && l.words[0].mono() && len(l.words) > 1 && !l.words[1].mono() {
		return label{kind: labelBullet, form: first, words: 1} // the second level of Word
	}
	if len(l.words) > 1 && stepWord(first) {
		second := l.words[1].text
		number := strings.TrimRight(second, ".:)–-")
		n, err := strconv.Atoi(number)
		if err == nil && n >= 0 && n < 1000 && (number != second || len(l.words) == 2 || startsUpper(l.words[2].text)) {
			return label{kind: labelStep, text: first + " " + second, form: strings.ToLower(first) + second[len(number):], n: n, words: 2}
		}
	}
	b, ok := readLabel(first)
	if !ok || len(l.words) == 1 {
		return label{}
	}
	b.words = 1
	if b.kind == labelDotted && !strings.HasSuffix(first, ".") && !startsUpper(l.words[1].text) {
		return label{} // 2.5 mg
	}
	return b
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "“\"'‘(«„[<"))
	return r != utf8.RuneError && !unicode.IsLower(r) && !unicode.IsDigit(r) && unicode.IsLetter(r)
}

func stepWord(s string) bool {
	switch strings.ToLower(s) {
	case "step", "schritt", "étape", "paso", "passo", "stap", "steg", "trin", "шаг", "krok":
		return true
	}
	return false
}

// readLabel reads "1.", "1)", "(1)", "a.", "iv)", "2.1", "2.1.".
func readLabel(s string) (label, bool) {
	if len(s) < 2 || len(s) > 12 {
		return label{}, false
	}
	core, open, end := s, "", ""
	if core[0] == '(' {
		open, core = "(", core[1:]
	}
	if last := core[len(core)-1]; last == '.' || last == ')' || last == ':' && open == "" {
		end, core = string(last), core[:len(core)-1]
	}
	if core == "" || open != "" && end != ")" {
		return label{}, false
	}
	b := label{text: s}
	if strings.Contains(core, ".") {
		if open != "" || end == ":" {
			return label{}, false
		}
		for part := range strings.SplitSeq(core, ".") {
			n, err := strconv.Atoi(part)
			if err != nil || n < 0 || len(part) > 3 {
				return label{}, false
			}
			b.n = n
			b.depth++
		}
		b.kind, b.form = labelDotted, strings.Repeat("#.", b.depth-1)+"#"+end
		return b, true
	}
	if end == "" || end == ":" {
		return label{}, false
	}
	if n, err := strconv.Atoi(core); err == nil {
		if len(core) > 3 || core[0] == '+' || core[0] == '-' {
			return label{}, false
		}
		b.kind, b.n, b.form = labelNumber, n, open+"#"+end
		return b, true
	}
	lower := strings.ToLower(core)
	form := "a"
	if core != lower {
		form = "A"
		if core != strings.ToUpper(core) {
			return label{}, false
		}
	}
	n, isRoman := roman(lower)
	if len(core) == 1 && core[0] < utf8.RuneSelf && unicode.IsLetter(rune(core[0])) {
		b.kind, b.n, b.form = labelLetter, int(lower[0]-'a')+1, open+form+end
		if isRoman {
			b.also = n
			if lower == "i" { // nearly always the first of Roman numbers
				b.kind, b.n, b.also, b.form = labelRoman, 1, 9, open+"r"+form+end
			}
		}
		return b, true
	}
	if isRoman && n < 40 {
		b.kind, b.n, b.form = labelRoman, n, open+"r"+form+end
		return b, true
	}
	return label{}, false
}

// roman reads a Roman number in lower case, up to 89, written as usual.
func roman(s string) (int, bool) {
	values := map[byte]int{'i': 1, 'v': 5, 'x': 10, 'l': 50, 'c': 100}
	n := 0
	for i := range len(s) {
		v := values[s[i]]
		if v == 0 {
			return 0, false
		}
		if i+1 < len(s) && v < values[s[i+1]] {
			n -= v
		} else {
			n += v
		}
	}
	return n, n > 0 && toRoman(n) == s
}

func toRoman(n int) string {
	var b strings.Builder
	for _, d := range []struct {
		v int
		s string
	}{{100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for n >= d.v {
			b.WriteString(d.s)
			n -= d.v
		}
	}
	return b.String()
}

// after says that b is the mark that follows a in one list.
func (b label) after(a label) bool {
	if a.kind == labelNone || b.kind == labelNone {
		return false
	}
	if a.kind == labelBullet || b.kind == labelBullet {
		return a.kind == b.kind && a.form == b.form
	}
	if a.form == b.form {
		return b.n == a.n+1
	}
	// i between h and j, v between iv and vi.
	if len(a.form) > 0 && len(b.form) > 0 && strings.ReplaceAll(a.form, "r", "") == strings.ReplaceAll(b.form, "r", "") {
		return b.also > 0 && b.also == a.n+1 || a.also > 0 && b.n == a.also+1
	}
	return false
}

// opens says that the mark may begin a list.
func (b label) opens() bool {
	return b.kind == labelBullet || b.kind == labelStep || b.kind == labelDotted || b.n == 1 || b.n == 0
}
