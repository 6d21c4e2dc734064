package answer

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"passage/rag"
)

// reference is a citation number, or several: [1], [1, 3].
var reference = regexp.MustCompile(`\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]`)

// codeSpan is inline code: a run of backticks up to the next run.
var codeSpan = regexp.MustCompile("`+[^`\n]*`+")

// cite resolves the numbers in an answer. Numbers that name no passage are
// taken out of the text and reported; the others mark their citation as used.
// Brackets in code stay as they are.
func cite(m rag.Message) rag.Message {
	var unknown []string
	m.Citations = slices.Clone(m.Citations) // followers read the other one
	m.Text = outsideCode(m.Text, func(text string) string {
		return reference.ReplaceAllStringFunc(text, func(ref string) string {
			var known []string
			for n := range strings.SplitSeq(strings.Trim(ref, "[]"), ",") {
				n = strings.TrimSpace(n)
				i, err := strconv.Atoi(n)
				if err != nil || i < 1 || i > len(m.Citations) {
					unknown = append(unknown, n)
					continue
				}
				m.Citations[i-1].Used = true
				known = append(known, "["+n+"]")
			}
			return strings.Join(known, "")
		})
	})
	if len(unknown) > 0 {
		slices.Sort(unknown)
		m.Notice = join(m.Notice, fmt.Sprintf("The model cited passages that do not exist (%s); these were taken out.",
			strings.Join(slices.Compact(unknown), ", ")))
	}
	used := slices.ContainsFunc(m.Citations, func(c rag.Citation) bool { return c.Used })
	if m.State == rag.AnswerDone && !used && m.Text != "" {
		m.Notice = join(m.Notice, noticeUncited)
	}
	return m
}

// outsideCode applies change to the text between fences and code spans.
func outsideCode(text string, change func(string) string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " \t>")
		mark := fenceMark(body)
		switch {
		case fence == "" && mark != "":
			fence = mark
		case fence != "":
			if mark != "" && strings.HasPrefix(mark, fence) && strings.Trim(strings.TrimSpace(body), fence[:1]) == "" {
				fence = ""
			}
		default:
			b.WriteString(outsideSpans(line, change))
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

func outsideSpans(line string, change func(string) string) string {
	var b strings.Builder
	at := 0
	for _, loc := range codeSpan.FindAllStringIndex(line, -1) {
		b.WriteString(change(line[at:loc[0]]))
		b.WriteString(line[loc[0]:loc[1]])
		at = loc[1]
	}
	b.WriteString(change(line[at:]))
	return b.String()
}

// fenceMark is the run of backticks or tildes that opens or closes a code
// fence, or "".
func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		if run := line[:len(line)-len(strings.TrimLeft(line, c))]; len(run) >= 3 {
			return run
		}
	}
	return ""
}
