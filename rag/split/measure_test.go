package split_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
)

// TestProcedureLists measures how many of the machine-extracted lists of the
// development data are found as procedures: every step's text inside a step of
// ours, and as many steps.
func TestProcedureLists(t *testing.T) {
	t.Parallel()
	root := shared(t)
	file, err := os.ReadFile(filepath.Join(root, "procedures.jsonl"))
	require.NoError(t, err)
	lists, right := 0, 0
	for lines := bufio.NewScanner(bytes.NewReader(file)); lines.Scan(); {
		var want struct {
			ID    string
			DocID string `json:"doc_id"`
			Steps []struct{ Start, End int }
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &want))
		lists++
		data, err := os.ReadFile(filepath.Join(root, "runbooks", want.DocID))
		require.NoError(t, err)
		x, err := extract.File(t.Context(), want.DocID, data)
		require.NoError(t, err)
		o, err := split.Split(x, split.Options{})
		require.NoError(t, err)
		steps := make([]rag.Span, len(want.Steps))
		for i, s := range want.Steps {
			steps[i] = rag.Span{Start: byteOffset(x.Text, s.Start), End: byteOffset(x.Text, s.End)}
		}
		if fault := compare(x.Text, o.Procedures, steps); fault != "" {
			t.Logf("%s: %s", want.ID, fault)
			continue
		}
		right++
	}
	t.Logf("%d of %d lists, %.1f %%", right, lists, 100*float64(right)/float64(lists))
	require.GreaterOrEqual(t, right*100, 98*lists)
}

// compare says what is wrong with the procedure that holds the first step.
func compare(text string, procedures []rag.Procedure, want []rag.Span) string {
	for _, p := range procedures {
		if !p.Span.Overlaps(want[0]) {
			continue
		}
		if len(p.Steps) != len(want) {
			return strings.ReplaceAll("steps: "+number(len(p.Steps))+" instead of "+number(len(want))+": "+p.Span.In(text), "\n", "⏎")
		}
		for i, w := range want {
			if !p.Steps[i].Span.Contains(trimmed(text, w)) {
				return "step " + number(i+1) + " is " + p.Steps[i].Span.In(text) + " without " + w.In(text)
			}
		}
		return ""
	}
	return "not found"
}

func trimmed(text string, s rag.Span) rag.Span {
	t := s.In(text)
	s.Start += len(t) - len(strings.TrimLeft(t, " \n"))
	s.End -= len(t) - len(strings.TrimRight(t, " \n"))
	return s
}

func number(n int) string { return string(rune('0'+n/10)) + string(rune('0'+n%10)) }

// byteOffset turns an offset in code points into one in bytes.
func byteOffset(text string, points int) int {
	at := 0
	for range points {
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return at
}
