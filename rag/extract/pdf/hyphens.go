package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// vocabulary is the words that the document itself shows inside its lines, in
// lower case. It knows whether a word at a line's end has a hyphen of its own.
type vocabulary map[string]struct{}

// learn takes the words of a line. The last may be divided, so it counts only
// without a hyphen at its end, and the first of the next line not at all.
func (v vocabulary) learn(l *line, afterHyphen bool) {
	for i := range l.words {
		if i == 0 && afterHyphen {
			continue
		}
		s := bare(l.words[i].text)
		if hyphenated(s) || len(s) < 3 || len(s) > 60 {
			continue
		}
		v[s] = struct{}{}
	}
}

// bare is a word in lower case without the punctuation around it.
func bare(s string) string {
	return strings.ToLower(strings.Trim(s, ".,;:!?()[]{}\"'“”„‘’«»…"))
}

// hyphenated says that a word ends in a hyphen with something before it.
func hyphenated(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	if r != '-' && r != 0x2010 && r != 0xAD {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:len(s)-n])
	return unicode.IsLetter(before) || unicode.IsDigit(before)
}

// option says that a typewriter's word is the beginning of an option, which a
// line's end cut from its name.
func option(last, next string) bool {
	r, _ := utf8.DecodeRuneInString(next)
	return (last == "-" || last == "--") && unicode.IsLetter(r)
}

// joins says that the hyphen at the end of a was made by the line's end, and
// belongs to no word.
func (v vocabulary) joins(a, b string) bool {
	r, n := utf8.DecodeLastRuneInString(a)
	stem := a[:len(a)-n]
	if r == 0xAD {
		return true
	}
	left, right := bare(stem), bare(b)
	if i := strings.LastIndexAny(left, "/–—"); i >= 0 {
		left = left[i+1:]
	}
	if _, ok := v[left+right]; ok {
		return true
	}
	if _, ok := v[left+"-"+right]; ok {
		return false
	}
	if strings.ContainsAny(stem, "-/_=.:@\\#0123456789") || len(left) < 2 {
		return false // an option, a path, a compound that has a hyphen already
	}
	if (left == "non" || left == "self" || left == "well") && len(right) > 3 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(stem)
	first, _ := utf8.DecodeRuneInString(b)
	return unicode.IsLower(last) && unicode.IsLower(first)
}
