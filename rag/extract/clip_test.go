package extract

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClip(t *testing.T) {
	t.Parallel()
	require.Equal(t, "short", Clip("short", 10))
	require.Equal(t, "ten bytes!", Clip("ten bytes!", 10))
	require.Equal(t, "several…", Clip("several words", 12))
	require.Equal(t, "Grö…", Clip("Größenordnung", 8), "inside a character")
	require.Equal(t, "…", Clip("ab", 1))
}

func TestTitleIsNotALongText(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.md", "a.html"} {
		text := "# " + strings.Repeat("word ", 1000)
		if name == "a.html" {
			text = "<h1>" + strings.Repeat("word ", 1000) + "</h1>"
		}
		x, err := File(t.Context(), name, []byte(text))
		require.NoError(t, err)
		require.LessOrEqual(t, len(x.Title), MaxTitle)
		require.Equal(t, 1000, strings.Count(x.Text, "word"), "the text is whole")
	}
}
