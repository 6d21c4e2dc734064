package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/render"
)

const lettered = `To change the pump:

a) Stop it. Wait
   for *silence*.
b) Drain it:

   (i) open the valve
   (ii) shut it

   ` + "```sh" + `
   pump --drain
   ` + "```" + `
c) Start it.

Step 1: Call the ward.
Step 2: Write it down.
`

// A label that no browser counts stands as written.
func TestCountedLists(t *testing.T) {
	t.Parallel()
	got := render.New().Source("a) One <b>\nb) Two\n\n1.1 - x\n1.2 y\n\n   z\n", render.Markdown, render.View{}).HTML
	require.Equal(t, `<ol class="counted">
<li dir="auto"><span class="marker">a)</span> One &lt;b&gt;</li>
<li dir="auto"><span class="marker">b)</span> Two</li>
</ol>
<ol class="counted">
<li dir="auto"><span class="marker">1.1</span> 
<ul>
<li dir="auto">x</li>
</ul>
</li>
<li dir="auto">
<p dir="auto"><span class="marker">1.2</span> y</p>
<p dir="auto">z</p>
</li>
</ol>
`, string(got))
	answer := parse(t, render.New().Answer("Do this [1]:\n\na. Stop [1].\nb. Go.\n", []render.Cite{{Number: 1, Href: "#s-1-1"}}))
	require.Equal(t, []string{"a. Stop [1].", "b. Go."}, texts(all(answer, "li")))
	require.Equal(t, []string{"[1]", "[1]"}, texts(all(answer, "a")))
}

func TestMarksAndClipsInCountedLists(t *testing.T) {
	t.Parallel()
	r := render.New()
	show := func(v render.View) string { return words(parse(t, r.Source(lettered, render.Markdown, v).HTML)) }
	whole := show(render.View{})
	for _, part := range []string{"a) Stop it. Wait\n   for *silence*.", "Wait\n   for", "(ii) shut it", "Step 1: Call", "pump --drain"} {
		s := span(t, lettered, part)
		doc := parse(t, r.Source(lettered, render.Markdown, render.View{Marks: []rag.Span{s}, Hit: s}).HTML)
		require.Equal(t, whole, words(doc), "marks change no text")
		var marked []string
		for _, m := range all(doc, "mark") {
			marked = append(marked, words(m))
		}
		want := strings.NewReplacer("a) ", "", "(ii) ", "", "Step 1: ", "", "*", "").Replace(part)
		require.Equal(t, strings.Join(strings.Fields(want), ""), strings.ReplaceAll(strings.Join(marked, ""), " ", ""))
	}

	from, to := span(t, lettered, "(ii)"), span(t, lettered, "Start it.")
	require.Equal(t, "b) (ii) shut it pump --drain c) Start it.", show(render.View{Clip: from.Union(to)}))
	doc := parse(t, r.Source(lettered, render.Markdown, render.View{Clip: span(t, lettered, "for *silence*.\nb) Drain it:")}).HTML)
	require.Equal(t, []string{"a) for silence.", "b) Drain it:"}, texts(all(doc, "li")))
	require.Equal(t, []string{"cut", ""}, values(all(doc, "li"), "class"), "a step that starts earlier says so")

	cited := parse(t, r.Source(lettered, render.Markdown, render.View{Cited: span(t, lettered, "Step 1: Call the ward.\nStep 2: Write it down.")}).HTML)
	require.Equal(t, []string{"counted", "counted", "counted cited"}, values(all(cited, "ol"), "class"))
}
