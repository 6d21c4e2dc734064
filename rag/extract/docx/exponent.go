package docx

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// super writes raised text behind other text: 10⁹ must not read as 109. A
// number behind a word of four letters and more or behind a stop is a
// reference, "[3]"; behind anything else it is an exponent, "10^9".
func super(before, text string) string {
	s := strings.TrimSpace(text)
	if s == "" {
		return text
	}
	bare := strings.TrimRight(before, " ")
	last, _ := utf8.DecodeLastRuneInString(bare)
	numeric := strings.ContainsFunc(s, unicode.IsDigit)
	listed := numeric && strings.Trim(s, "0123456789,;–- []()*") == "" && unicode.IsDigit([]rune(s)[0])
	switch {
	case strings.HasPrefix(s, "[") || strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")"):
		return text
	case bare == "" || last == '\n':
		if listed {
			return "[" + s + "] "
		}
		return text
	case listed && !wordRune(last) && !strings.ContainsRune(")]}", last), listed && lastWord(bare) >= 4:
		return "[" + s + "]" + text[len(strings.TrimRight(text, " ")):]
	case numeric:
		return "^" + exponent(s) + text[len(strings.TrimRight(text, " ")):]
	case wordRune(last) && utf8.RuneCountInString(s) == 1 && wordRune([]rune(s)[0]):
		if unicode.IsDigit(last) && strings.ContainsAny(s, "eoEOªº") {
			return text // 1e, 2o
		}
		return "^" + text
	case unicode.IsDigit(last) && (s == "-" || s == "−" || s == "+"):
		return "^" + text
	}
	return text
}

// exponent puts brackets around more than a number with a sign.
func exponent(s string) string {
	core := strings.TrimRight(strings.TrimLeft(s, "+-−–"), "+-−–")
	if strings.ContainsFunc(core, func(r rune) bool { return !wordRune(r) && r != '.' && r != ',' && r != '⁄' }) && !bracketed(s) {
		return "(" + s + ")"
	}
	return s
}

// lastWord is how many letters the text ends in.
func lastWord(s string) (n int) {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if !unicode.IsLetter(r) {
			break
		}
		n++
		s = s[:len(s)-size]
	}
	return n
}

// sub writes lowered text: H₂O is H2O, but a digit below a digit must not
// join it.
func sub(before, text string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(text)
	if unicode.IsDigit(last) && unicode.IsDigit(first) {
		return "_" + text
	}
	return text
}
