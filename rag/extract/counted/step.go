package counted

import (
	"bytes"
	"unicode/utf8"
)

// stepWords are what people call a step, in small letters.
var stepWords = []string{"step", "schritt", "étape", "etape", "paso", "passo", "passaggio", "stap"}

// StepNumber reads the word for a step and its number at the start of a text,
// "Step 3", "Étape 2", and gives where they end, 0 when there is no such thing.
func StepNumber(s string) (n, end int) {
	m, end := stepWord([]byte(s[:min(len(s), 24)]))
	return int(m), end
}

func stepWord(line []byte) (n int16, end int) {
	at := 0
	for _, w := range stepWords {
		if len(line) > len(w)+1 && (line[0]|0x20 == w[0] || line[0] == w[0]) && bytes.EqualFold(line[:len(w)], []byte(w)) {
			at = len(w)
			break
		}
	}
	from := skipSpaces(line, at)
	if at == 0 || from == at {
		return 0, 0
	}
	return digits(line, from)
}

// stepped reads "Step 1:", "STEP 2 –", "Schritt 3.".
func stepped(line []byte) Marker {
	n, end := stepWord(line)
	if end == 0 || end == len(line) {
		return Marker{}
	}
	m := Marker{style: Style{kind: step, depth: 1}}
	m.parts[0] = n
	switch line[end] {
	case '.', ')', ':':
		m.style.form, m.Len = line[end], end+1
		return m
	}
	end = skipSpaces(line, end)
	r, size := utf8.DecodeRune(line[end:])
	switch r {
	case '-', '–', '—':
		m.style.form, m.Len = '-', end+size
	case ':':
		m.style.form, m.Len = ':', end+size
	}
	return m
}
