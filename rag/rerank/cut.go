package rerank

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostTokenBytes is more than a token has on average in any text: what lies
// beyond that many bytes per wanted token is not even looked at.
const mostTokenBytes = 32

// cut gives the beginning of a text that has at most limit tokens. It ends
// after a sentence or a line where there is such an end in its second half,
// else after a word, else after the last token. A text that fits is given back
// as it is.
func cut(text string, limit int, tok Tokenizer) string {
	head := text
	if most := limit * mostTokenBytes; len(head) > most {
		head = head[:runeStart(head, most)]
	}
	ends := tok.Ends(head)
	if len(head) == len(text) && len(ends) <= limit && tok.Count(text) <= limit {
		return text
	}
	return cutAt(head, end(head, ends, limit, tok))
}

// end is the byte offset of the last token within the limit. Tokens that end
// inside a character share one end but count each, so the count decides.
func end(text string, ends []int, limit int, tok Tokenizer) int {
	n := min(limit, len(ends))
	for n > 0 {
		count := tok.Count(text[:ends[n-1]])
		if count <= limit {
			return ends[n-1]
		}
		n = min(n-1, n*limit/count)
	}
	return 0
}

// cutAt cuts before offset i, at a better place if there is one near.
func cutAt(text string, i int) string {
	word := 0
	for j := i; j > i/2; j = runeStart(text, j-1) {
		last, _ := utf8.DecodeLastRuneInString(text[:j])
		next, _ := utf8.DecodeRuneInString(text[j:])
		switch {
		case strings.ContainsRune("。！？؟।", last):
			return text[:j]
		case !unicode.IsSpace(next) || unicode.IsSpace(last):
		case next == '\n' || endsSentence(text[:j]):
			return text[:j]
		case word == 0:
			word = j
		}
	}
	if word > 0 {
		i = word
	}
	return text[:i]
}

func endsSentence(s string) bool {
	s = strings.TrimRight(s, `"')]}”’»`)
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?…", r)
}

// runeStart is the last rune boundary at or before i.
func runeStart(s string, i int) int {
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// rough finds tokens by an estimate: four ASCII letters or digits, or one other
// character; white space belongs to what follows it.
type rough struct{}

func (rough) Count(text string) int { return len(rough{}.Ends(text)) }

func (rough) Ends(text string) []int {
	var ends []int
	run := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		plain := r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
		if run > 0 && (!plain || run == 4) {
			ends = append(ends, i)
			run = 0
		}
		switch {
		case plain:
			run++
		case !unicode.IsSpace(r):
			ends = append(ends, i+n)
		}
		i += n
	}
	if text != "" && (len(ends) == 0 || ends[len(ends)-1] < len(text)) {
		ends = append(ends, len(text))
	}
	return ends
}
