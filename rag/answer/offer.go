package answer

import (
	"regexp"
	"slices"
	"strings"

	"passage/rag"
)

// lastWords is how much of an answer's end is looked through for an offer, in
// bytes.
const lastWords = 600

// offered is the last sentence of the last answer that asks or offers
// something: "Would you like the rollback too?", "I can list the alerts." An
// answer made of quotations offers nothing: what asks there is a document.
func offered(history []rag.Message) string {
	for _, m := range slices.Backward(history) {
		if m.Role != rag.RoleAssistant {
			continue
		}
		if Quotes(m) || m.State != rag.AnswerDone {
			return ""
		}
		text := m.Text
		if len(text) > lastWords {
			text = strings.ToValidUTF8(text[len(text)-lastWords:], "")
		}
		for _, s := range slices.Backward(sentences(reference.ReplaceAllString(text, ""))) {
			if strings.HasSuffix(s, "?") || offering.MatchString(s) && !declining.MatchString(s) {
				return s
			}
		}
		return ""
	}
	return ""
}

// sentences divides text after stops and at the ends of lines, well enough to
// find an offer. Quoted lines are left out.
func sentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), ">") {
			continue
		}
		from := 0
		for i := range len(line) {
			if strings.IndexByte(".?!\n", line[i]) < 0 || i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\n' {
				continue
			}
			out = append(out, strings.TrimSpace(line[from:i+1]))
			from = i + 1
		}
		out = append(out, strings.TrimSpace(line[from:]))
	}
	return out
}

// offering finds a sentence that offers something.
var offering = regexp.MustCompile(`(?i)^\W*((if you (like|want|wish|need),? )?(i|we) (can|could|may)|would you like|do you want|shall i|should i|want me|let me know|if you(’d|'d| would)? (like|want|wish))\b`)

// declining finds a sentence that offers nothing: "I could not find that."
var declining = regexp.MustCompile(`(?i)\b(can|could|may)( only|['’]t| not)\b`)
