package extract

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPlainText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"Nothing to do", "Nothing to do"},
		{" two  spaces\n> and a line\t ", "two spaces and a line"},
		{"**Rotate** the *broker* __keys__ _now_", "Rotate the broker keys now"},
		{"***both*** and **a *b* c**", "both and a b c"},
		{"~~old~~ new ~5", "old new ~5"},
		{"2 * 3 * 4, a*b, *open", "2 * 3 * 4, a*b, *open"},
		{"snake_case_name and __init__.py", "snake_case_name and init.py"},
		{"run `kubectl get *pods*` now", "run kubectl get *pods* now"},
		{"`` a ` b `` and ` open", "a ` b and ` open"},
		{"[text](http://a.b/c_(d) \"e)\") and [f][g] and [h]", "text and f and [h]"},
		{"![alt *x*](a.png) [![badge](b)](c)", "alt x badge"},
		{"a note[^1] here", "a note here"},
		{"<https://a.b/c> <me@x.org> <b>bold</b> a<br>b<!-- c -->", "https://a.b/c me@x.org bold a b"},
		{"restart <cluster-name> if a < b", "restart <cluster-name> if a < b"},
		{"if a<[b](https://c.d)> or <=x@y>", "if a<b> or <=x@y>"},
		{`\*not\* \_this\_ C:\dir \# \`, `*not* _this_ C:\dir # \`},
		{"a &amp; b &lt;c&gt; &#8212; &unknown; &", "a & b <c> — &unknown; &"},
		{`wait\![a](b), !\[c](d)`, "wait!a, ![c](d)"},
		{"R&D, x&*y*&#42; &notit; &lt# a; &semi;", "R&D, x&y* &notit; &lt# a; ;"},
		{"*über* **日本**", "über 日本"},
		{"cut in **the middle", "cut in **the middle"},
		{"[a *b](c) d*", "a b d"},
		{"1.0] [x", "1.0] [x"},
	} {
		require.Equal(t, c.want, PlainText(c.in), "%q", c.in)
	}
}

// TestPlainTextIsLinear gives it lines that make a careless reader search to
// the end again and again.
func TestPlainTextIsLinear(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"`", "`a``b", "*a", "a*", "[", "[a](", "](", "<a ", "&a", "_a_", "\\", "~~"} {
		in := strings.Repeat(piece, 200_000/len(piece))
		start := time.Now()
		PlainText(in)
		require.Less(t, time.Since(start), 5*time.Second, "%q", piece)
	}
}
