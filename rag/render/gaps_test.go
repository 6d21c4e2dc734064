package render_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/render"
)

func gapped(t *testing.T, text string, format render.Format, left ...string) render.HTML {
	t.Helper()
	v := render.View{Clip: rag.Span{Start: 0, End: len(text)}}
	for _, l := range left {
		v.Gaps = append(v.Gaps, span(t, text, l))
	}
	return render.New().Source(text, format, v).HTML
}

// What compression left out is not shown, and a mark stands in its place.
func TestGapsAreMarkedInTheirPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, left, want string
		parents                []string // elements around the mark, from the inside
	}{
		{"sentence of a paragraph", "One. Two. Three.\n", "Two.", "One. […] Three.", []string{"p"}},
		{"line of a paragraph", "One.\nTwo.\nThree.\n", "Two.", "One. […] Three.", []string{"p"}},
		{"sentence before a link", "One. Two. *Three* [four](http://a).\n", "Two.", "One. […] Three four.", []string{"p"}},
		{"end of one paragraph to the start of another", "One. Two.\n\nMid.\n\nThree. Four.\n", "Two.\n\nMid.\n\nThree.", "One. […] Four.", []string{"p", "div"}},
		{"whole paragraph", "One.\n\nTwo.\n\nThree.\n", "Two.", "One. […] Three.", []string{"p", "div"}},
		{"steps", "1. one\n2. two\n3. three\n4. four\n", "2. two\n3. three", "one […] four", []string{"p", "li", "ol"}},
		{"rows", "| a | b |\n|---|---|\n| 1 | x |\n| 2 | y |\n| 3 | z |\n", "| 1 | x |\n| 2 | y |", "a b […] 3 z", []string{"td", "tr", "tbody"}},
		{"lines of code", "```sh\none\ntwo\nthree\n```\n", "two\n", "one […] three", []string{"code", "pre"}},
		{"quoted sentence", "> One. Two.\n> Three.\n", "Two.", "One. […] Three.", []string{"p", "blockquote"}},
		{"from a list to a table", "- one\n- two\n\ntext\n\n| a |\n|---|\n| 1 |\n| 2 |\n", "- two\n\ntext", "one […] a 1 2", []string{"p", "div"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc := parse(t, gapped(t, tt.text, render.Markdown, tt.left))
			require.Equal(t, tt.want, words(doc))
			marks := 0
			for _, n := range all(doc, "span") {
				if attr(n, "class") != "gap" {
					continue
				}
				marks++
				for _, want := range tt.parents {
					n = n.Parent
					require.Equal(t, want, n.Data)
				}
			}
			require.Equal(t, 1, marks)
		})
	}
}

func TestNumbersBehindAGapAreThoseOfTheDocument(t *testing.T) { // T22
	t.Parallel()
	doc := parse(t, gapped(t, "1. one\n2. two\n3. three\n4. four\n", render.Markdown, "2. two\n3. three"))
	require.Equal(t, []string{"1", "4"}, values(all(doc, "li"), "value"))
}

func TestGapsOfPlainText(t *testing.T) {
	t.Parallel()
	text := "One. Two. Three.\n\nFour.\n\nFive.\nSix.\n"
	doc := parse(t, gapped(t, text, render.Plain, "Two.", "Four.\n\nFive.\n"))
	require.Equal(t, []string{"One. […] Three.", "[…]", "Six."}, texts(all(doc, "p")))
}

// Nothing that was left out is shown and nothing else is lost, wherever the gap
// begins and ends.
func TestAnyGapLeavesTheRest(t *testing.T) {
	t.Parallel()
	r := render.New()
	flat := func(h render.HTML) string {
		s := strings.ReplaceAll(words(parse(t, h)), rag.GapMark, "")
		return strings.ReplaceAll(s, " ", "")
	}
	body, _, _ := strings.Cut(runbook[render.FrontMatter(runbook).End:], "| Broker") // rows stay whole by intent
	rng := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		from := 1 + rng.IntN(len(body)-3)
		g := rag.Span{Start: from, End: from + 1 + rng.IntN(len(body)-from-2)}
		first := r.Source(body, render.Markdown, render.View{Clip: rag.Span{Start: 0, End: g.Start}}).HTML
		last := r.Source(body, render.Markdown, render.View{Clip: rag.Span{Start: g.End, End: len(body)}}).HTML
		got := r.Source(body, render.Markdown, render.View{Gaps: []rag.Span{g}}).HTML
		require.Equal(t, flat(first)+flat(last), flat(got), "gap of %q", g.In(body))
	}
}

func FuzzGaps(f *testing.F) {
	f.Add(runbook, 40, 300, 500)
	f.Add("| a |\n|---|\n| `x\\|y` |\n", 3, 12, 20)
	f.Add("1. a\n\n   > - b\n<!-- x", 2, 5, 9)
	r := render.New()
	f.Fuzz(func(t *testing.T, text string, a, b, c int) {
		if len(text) > 4096 {
			t.Skip("long enough")
		}
		text = strings.ToValidUTF8(text, "?")
		v := render.View{Gaps: []rag.Span{{Start: a, End: b}, {Start: b, End: c}}, Marks: []rag.Span{{Start: a, End: c}}}
		r.Source(text, render.Markdown, v)
		r.Source(text, render.Plain, v)
	})
}
