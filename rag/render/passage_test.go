package render_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/render"
)

const runbook = `---
title: Broker certificates
---
# Broker certificates

Certificates expire. Rotate them *before* that,
one broker at a time.

## Steps

1. Check the cluster. It must be healthy.
2. Drain the broker:
   - move the leaders
   - wait for <host>
3. Replace the certificate. Use the new chain.

   ` + "```sh" + `
   keytool -import "$CHAIN"
   keytool -list
   ` + "```" + `
4. Restart the broker.

| Broker | Port | Note |
|--------|-----:|------|
| b-1    | 9092 | old  |
| b-2    | 9093 | a\|b |
| b-3    | 9094 | new  |

> Never rotate two at once. Ask first.
`

func clipped(t *testing.T, from, to string, marks ...string) render.View {
	t.Helper()
	v := render.View{Clip: span(t, runbook, from).Union(span(t, runbook, to))}
	for _, m := range marks {
		v.Marks = append(v.Marks, span(t, runbook, m))
	}
	return v
}

// T67: what is marked comes from stored offsets alone.
func TestMarksCoverExactlyTheirBytes(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		mark string
		want string // marked text, white space folded
	}{
		"sentence":                 {"Certificates expire.", "Certificates expire."},
		"over emphasis and a line": {"Rotate them *before* that,\none broker at a time.", "Rotate them before that, one broker at a time."},
		"item":                     {"Drain the broker:", "Drain the broker:"},
		"second sentence of item":  {"Use the new chain.", "Use the new chain."},
		"item with its code":       {"Replace the certificate. Use the new chain.\n\n   ```sh\n   keytool -import \"$CHAIN\"\n   keytool -list\n   ```", `Replace the certificate. Use the new chain. keytool -import "$CHAIN" keytool -list`},
		"line of code":             {`keytool -import "$CHAIN"`, `keytool -import "$CHAIN"`},
		"table row":                {"| b-2    | 9093 | a\\|b |", "b-2 9093 a|b"},
		"word in angle brackets":   {"wait for <host>", "wait for <host>"},
		"quote":                    {"Never rotate two at once.", "Never rotate two at once."},
	}
	r := render.New()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := r.Source(runbook, render.Markdown, render.View{Marks: []rag.Span{span(t, runbook, c.mark)}, Hit: span(t, runbook, c.mark)})
			marks := all(parse(t, page.HTML), "mark")
			require.Equal(t, c.want, strings.Join(strings.Fields(strings.Join(texts(marks), " ")), " "))
			require.Equal(t, "hit", attr(marks[0], "id"))
			for _, m := range marks[1:] {
				require.Empty(t, attr(m, "id"), "an id stands once")
			}
		})
	}
}

// The id that links lead to stands on the mark they mean, which need not be the
// first, also when another mark ends where it begins.
func TestHitIsTheMarkThatIsMeant(t *testing.T) {
	t.Parallel()
	first, second := span(t, runbook, "Check the cluster. "), span(t, runbook, "It must be healthy.")
	require.Equal(t, first.End, second.Start)
	r := render.New()
	for _, hit := range []rag.Span{first, second, {}} {
		doc := parse(t, r.Source(runbook, render.Markdown, render.View{Marks: []rag.Span{second, first}, Hit: hit}).HTML)
		var got []string
		for _, m := range all(doc, "mark") {
			if attr(m, "id") == "hit" {
				got = append(got, words(m))
			}
		}
		if hit.Empty() {
			require.Empty(t, got)
			continue
		}
		require.Equal(t, []string{strings.TrimSpace(hit.In(runbook))}, got)
	}
}

func TestMarksNeverChangeTheText(t *testing.T) {
	t.Parallel()
	r := render.New()
	want := words(parse(t, r.Source(runbook, render.Markdown, render.View{}).HTML))
	for at := 0; at < len(runbook); at += 17 {
		for _, n := range []int{1, 5, 60, 4000} {
			v := render.View{Marks: []rag.Span{{Start: at, End: at + n}, {Start: at - 3, End: at + 2}, {Start: -9, End: -2}}, Hit: rag.Span{Start: at, End: at + n}, Cited: rag.Span{Start: at, End: at + n}}
			require.Equal(t, want, words(parse(t, r.Source(runbook, render.Markdown, v).HTML)), "mark at %d of length %d", at, n)
		}
	}
}

// T22, T78: a passage from the middle shows its own numbers and its code.
func TestPassageKeepsItsPlaceInTheDocument(t *testing.T) {
	t.Parallel()
	r := render.New()
	doc := parse(t, r.Source(runbook, render.Markdown, clipped(t, "3. Replace", "4. Restart the broker.", "Use the new chain.")).HTML)
	require.Equal(t, []string{"3", "4"}, values(all(doc, "li"), "value"))
	require.Equal(t, []string{`keytool -import "$CHAIN" keytool -list`}, texts(all(doc, "pre")))
	require.Equal(t, []string{"Use the new chain."}, texts(all(doc, "mark")))
	require.Equal(t, `Replace the certificate. Use the new chain. keytool -import "$CHAIN" keytool -list Restart the broker.`, words(doc))

	cut := parse(t, r.Source(runbook, render.Markdown, clipped(t, "It must be healthy.", "move the leaders")).HTML)
	require.Equal(t, "It must be healthy. Drain the broker: move the leaders", words(cut))
	require.Equal(t, []string{"1", "2", ""}, values(all(cut, "li"), "value"))
	require.Equal(t, "cut", attr(all(cut, "li")[0], "class"), "a step that starts earlier says so")
	require.Empty(t, attr(all(cut, "li")[1], "class"))
}

// T23: a passage inside a table has the header and whole rows.
func TestPassageInsideATableHasTheHeader(t *testing.T) {
	t.Parallel()
	doc := parse(t, render.New().Source(runbook, render.Markdown, clipped(t, "9093 |", "b-3 ", "b-3 ")).HTML)
	require.Equal(t, []string{"Broker", "Port", "Note"}, texts(all(doc, "th")))
	require.Equal(t, []string{"b-2", "9093", "a|b", "b-3", "9094", "new"}, texts(all(doc, "td")))
	require.Empty(t, all(doc, "li"))
	require.Empty(t, all(doc, "blockquote"))
}

func TestPassageIsWhatItsBytesSay(t *testing.T) {
	t.Parallel()
	r := render.New()
	cases := map[string]struct{ from, to, want string }{
		"inside a paragraph": {"Rotate them", "one broker", "Rotate them before that, one broker"},
		"a line of code":     {"keytool -list", "keytool -list", "keytool -list"},
		"over two sections":  {"at a time.", "the cluster.", "at a time. Steps Check the cluster."},
		"a quote":            {"Ask first.", "Ask first.", "Ask first."},
		"front matter":       {"title:", "certificates", ""},
		"half a word":        {"ertificates expire", "exp", "ertificates expire"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, words(parse(t, r.Source(runbook, render.Markdown, clipped(t, c.from, c.to)).HTML)))
		})
	}
}

// Two halves of a document, cut anywhere, hold all of its text.
func TestHalvesHoldTheWhole(t *testing.T) {
	t.Parallel()
	r := render.New()
	flat := func(h render.HTML) string { return strings.ReplaceAll(words(parse(t, h)), " ", "") }
	body, _, _ := strings.Cut(runbook[render.FrontMatter(runbook).End:], "| Broker") // rows and headers repeat by intent
	whole := flat(r.Source(body, render.Markdown, render.View{}).HTML)
	for at := 1; at < len(body); at += 3 {
		first := r.Source(body, render.Markdown, render.View{Clip: rag.Span{Start: 0, End: at}}).HTML
		second := r.Source(body, render.Markdown, render.View{Clip: rag.Span{Start: at, End: len(body)}}).HTML
		require.Equal(t, whole, flat(first)+flat(second), "cut at byte %d, before %q", at, body[at:min(at+12, len(body))])
	}
}

func TestCitedPartIsNamedOnItsOutermostBlocks(t *testing.T) {
	t.Parallel()
	cited := span(t, runbook, "2. Drain").Union(span(t, runbook, "keytool -list\n   ```"))
	doc := parse(t, render.New().Source(runbook, render.Markdown, render.View{Cited: cited}).HTML)
	var named []string
	for _, n := range all(doc, "") {
		if attr(n, "class") == "cited" {
			named = append(named, n.Data+attr(n, "value"))
		}
	}
	require.Equal(t, []string{"li2", "li3"}, named)
}

func TestDamagedSpansDoNoHarm(t *testing.T) {
	t.Parallel()
	text := "# Übergröße 🩺\n\n- ä **ö** `ü` 🩺\n"
	r := render.New()
	for start := -2; start <= len(text)+2; start++ {
		for _, end := range []int{start - 1, start, start + 1, start + 2, start + 5, len(text) - 1, len(text) + 2} {
			s := rag.Span{Start: start, End: end}
			for _, v := range []render.View{{Marks: []rag.Span{s}, Cited: s, Hit: s}, {Clip: s}} {
				require.True(t, utf8.ValidString(string(r.Source(text, render.Markdown, v).HTML)), "%v", s)
				require.True(t, utf8.ValidString(string(r.Source(text, render.Plain, v).HTML)), "%v", s)
			}
		}
	}
}

func FuzzSource(f *testing.F) {
	f.Add(runbook, 40, 300)
	f.Add("| a |\n|---|\n| `x\\|y` |\n", 3, 20)
	f.Add("1. a\n\n   > - b\n<!-- x", 2, 9)
	f.Add("> ```\n>\tcode\n\n- \t\tx", 1, 8)
	r := render.New()
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		if !utf8.ValidString(text) || len(text) > 4096 {
			t.Skip("sources are valid UTF-8")
		}
		s := rag.Span{Start: start, End: end}
		r.Source(text, render.Markdown, render.View{Clip: s, Marks: []rag.Span{s}, Anchors: true, Hit: s})
		r.Source(text, render.Markdown, render.View{Marks: []rag.Span{s}, Cited: s})
		r.Answer(text, []render.Cite{{Number: 1, Href: "#s-1-1"}})
	})
}
