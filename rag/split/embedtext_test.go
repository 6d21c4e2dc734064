package split_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag/extract"
	"passage/rag/split"
)

func TestEmbedText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, title, text string
		unit              int
		want              string
	}{
		{"path", "Kafka", "# Certificates\n\n## Rotate\n\nDo it  now,\nquick.", 2, "Kafka › Certificates › Rotate: Do it now, quick."},
		{"title is the first heading", "kafka", "# Kafka\n\n## Rotate\n\nNow.", 2, "kafka › Rotate: Now."},
		{"heading is its path", "Kafka", "# Kafka\n\n## *Rotate* it ##\n\nNow.", 1, "Kafka › Rotate it"},
		{"no title", "", "# A\n\nB.", 1, "A: B."},
		{"nothing but words", "", "B.", 0, "B."},
		{"item", "T", "1. [x] Run `a  b` in **bold** and *it_self*.", 0, "T: Run a b in bold and it_self."},
		{"code", "T", "~~~sh\n# comment\n  ls  *.md\n~~~", 0, "T: # comment ls *.md"},
		{"indented code", "T", "    ls\n      -l", 0, "T: ls -l"},
		{"row", "T", "| drug | `a\\|b` |\n|---|---|\n| amox | **5** mg |", 1, "T: drug, a\\|b: amox, 5 mg"},
		{"links and images", "T", "See ![the logo](a.png) and [docs](https://x.y/z_(1)) or [ref][r], <https://a.b>[^1].", 0, "T: See the logo and docs or ref, https://a.b."},
		{"placeholders and tags", "T", "Drain <node> with **<your-name>**<br>a<b>c</b>&nbsp;&lt;d", 0, "T: Drain <node> with <your-name> ac\u00a0<d"},
		{"signs that are no markup", "T", "2 * 3 * 4, a_b_c, *.md, ~/x, \\*no\\*, C:\\dir, a & b", 0, "T: 2 * 3 * 4, a_b_c, *.md, ~/x, *no*, C:\\dir, a & b"},
		{"quote", "T", "> A b\n> c.", 0, "T: A b c."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, o := outline(t, "a.md", c.text)
			u := o.Units[c.unit]
			require.Equal(t, c.want, split.EmbedText(c.title, o.Sections[u.Section], u, x.Text))
		})
	}
}

// A heading or header row of a hundred kilobytes is not repeated before every
// unit below it.
func TestEmbeddedTextIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 20_000)
	for name, text := range map[string]string{
		"heading":      "# " + long + "\n\n" + strings.Repeat("One more.\n\n", 1_000),
		"nested":       "# " + long + "\n\n## " + long + "\n\n" + strings.Repeat("One more.\n\n", 1_000),
		"header row":   "| a | " + long + " |\n|---|---|\n" + strings.Repeat("| 1 | 2 |\n", 1_000),
		"front matter": "---\ntitle: " + long + "\n---\n\n" + strings.Repeat("One more.\n\n", 1_000),
	} {
		x, o := outline(t, "a.md", text)
		total := 0
		for _, u := range o.Units {
			total += len(split.EmbedText(x.Title, o.Sections[u.Section], u, x.Text))
		}
		require.Less(t, total, 50*len(text), name)
		for _, s := range o.Sections {
			require.LessOrEqual(t, len(s.Heading), extract.MaxTitle)
		}
	}
}
