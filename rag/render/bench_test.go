package render_test

import (
	"fmt"
	"strings"
	"testing"

	"passage/rag"
	"passage/rag/render"
)

// What one event of a stream costs at the end of a long answer.
func BenchmarkAnswer(b *testing.B) {
	var cites []render.Cite
	for n := 1; n <= 8; n++ {
		cites = append(cites, render.Cite{Number: n, Href: fmt.Sprintf("#s-1-%d", n), Label: "Source: Broker certificates"})
	}
	text := strings.Repeat("Rotate one broker at a time, and **never** two [1][2].\n\n1. Check `state`.\n2. Drain it [3].\n\n", 40)
	r := render.New()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Answer(text, cites)
	}
}

// What one card costs the first time, in a document of usual size.
func BenchmarkPassage(b *testing.B) {
	text := strings.Repeat(runbook, 8)
	view := render.View{Clip: rag.Span{Start: len(text) / 2, End: len(text)/2 + 1500}, Marks: []rag.Span{{Start: len(text)/2 + 100, End: len(text)/2 + 180}}, Top: 5}
	r := render.New()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Source(text, render.Markdown, view)
	}
}
