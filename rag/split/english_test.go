package split_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/split"
)

// TestEnglishCases measures the sentence rules on the development cases. Four
// want rewritten text, which no span can give: two move a full stop from a line
// of its own to the end of the last word, two join letters set one to a line.
func TestEnglishCases(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(shared(t), "segmentation", "english_cases.json"))
	require.NoError(t, err)
	var cases []struct {
		ID, Text  string
		Sentences []string
	}
	require.NoError(t, json.Unmarshal(data, &cases))
	right := 0
	for _, c := range cases {
		got := cut(c.Text, split.Sentences(c.Text))
		if squeeze(got) == squeeze(c.Sentences) {
			right++
			continue
		}
		t.Logf("%s\n got %q\nwant %q", c.ID, got, c.Sentences)
	}
	t.Logf("%d of %d cases, %.1f %%", right, len(cases), 100*float64(right)/float64(len(cases)))
	require.GreaterOrEqual(t, right*100, 96*len(cases))
}

// squeeze compares as the scorer does: white space inside a sentence is one
// blank.
func squeeze(sentences []string) string {
	var all strings.Builder
	for _, s := range sentences {
		all.WriteString(strings.Join(strings.Fields(s), " "))
		all.WriteByte('\n')
	}
	return all.String()
}

// shared finds the development data beside the module; a clone without it skips.
func shared(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("PASSAGE_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "eval")
	if _, err := os.Stat(dir); err != nil {
		tb.Skip("the development data ../shared/eval is not here")
	}
	return dir
}
