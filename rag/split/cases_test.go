package split_test

import (
	"strings"
	"testing"

	"passage/rag/split"
)

// requireCases runs cases in which "¦" stands where a sentence ends. White space
// around it is part of the text.
func requireCases(t *testing.T, cases ...string) {
	t.Helper()
	var wrong []string
	for _, c := range cases {
		want := strings.Split(c, "¦")
		for i, s := range want {
			want[i] = strings.TrimSpace(s)
		}
		text := strings.ReplaceAll(c, "¦", "")
		spans := split.Sentences(text)
		requireTiled(t, text, spans)
		if got, want := strings.Join(cut(text, spans), " ¦ "), strings.Join(want, " ¦ "); got != want {
			wrong = append(wrong, "\nwant "+want+"\ngot  "+got)
		}
	}
	if len(wrong) > 0 {
		t.Fatalf("%d of %d cases are wrong:%s", len(wrong), len(cases), strings.Join(wrong, "\n"))
	}
}
