package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"passage/rag"
)

// maxHeading is how many letters a heading may have.
const maxHeading = 220

// headingLevel judges one line: 0 for none, else a positive number (its rank
// comes later).
func (f *flow) headingLevel(l, next *line, fresh bool, cur *draft) int {
	text := l.text()
	if len(text) > maxHeading || !hasLetter(text) {
		return 0
	}
	goes := cur != nil && cur.kind == rag.BlockHeading && !fresh && f.joinsHeading(cur, l)
	if level := f.outline.find(l.page, text); level > 0 && (fresh || goes) {
		return level
	}
	if goes {
		return 1
	}
	if !fresh {
		return 0
	}
	bold := l.face&faceBold != 0 && f.face&faceBold == 0
	bigger := l.size > f.body*1.12
	if b := labelOf(l); b.kind == labelBullet {
		return 0
	}
	switch {
	case l.face&faceMono != 0 && !f.typed:
		return 0
	case bigger && (bold || l.size > f.body*1.18):
		if next != nil && !next.first && abs(next.size-l.size) < 0.5 && next.face == l.face && f.longRun(l, next) {
			return 0
		}
		return 1
	case bold && l.size > f.body*0.95:
		return f.boldAlone(l, next)
	}
	return 0
}

// longRun says that bigger letters go on like a paragraph: a lead-in, not a
// title.
func (f *flow) longRun(l, next *line) bool {
	return len(l.text()) > 70 && len(next.text()) > 70 && l.face&faceBold == 0
}

// boldAlone says that a bold line is a heading: short, no sentence, and what
// follows is not bold too.
func (f *flow) boldAlone(l, next *line) int {
	text := l.text()
	last := text[len(text)-1]
	if len(text) > 110 || last == '.' && labelOf(l).kind == labelNone || strings.ContainsRune(",;", rune(last)) {
		return 0
	}
	if last == ':' || last == '.' {
		return 0
	}
	if b := labelOf(l); b.kind == labelNumber || b.kind == labelLetter || b.kind == labelRoman || b.kind == labelStep {
		// A bold item is an item when the next line is one too.
		if next != nil && labelOf(next).after(b) {
			return 0
		}
	}
	if next == nil {
		return 0
	}
	if next.face&faceBold != 0 && next.table() == nil && next.base-l.base < f.leading*1.28*l.size+0.5 && abs(next.size-l.size) < 0.5 {
		// Two lines of one heading, perhaps; three bold lines are a paragraph.
		if len(text) < 40 {
			return 0
		}
	}
	return 1
}

// joinsHeading says that a line goes on with the heading before it.
func (f *flow) joinsHeading(cur *draft, l *line) bool {
	a := cur.last()
	return len(cur.lines) < 4 && !l.first && abs(a.size-l.size) < 0.06*l.size && a.face&faceBold == l.face&faceBold &&
		l.base-a.base < 1.6*l.size && labelOf(l).kind == labelNone
}

// rank gives the headings their levels: by the outline, else by size and
// weight, the biggest first, and among one style by the depth of their
// numbers.
func (f *flow) rank() {
	type key struct {
		size float32
		bold bool
	}
	keyOf := func(d *draft) key {
		return key{float32(math.Round(float64(d.first().size)*2) / 2), d.first().face&faceBold != 0}
	}
	depth := map[key]int{} // smallest depth of numbers, 0 for none
	known := map[key]int{} // level by the outline
	var keys []key
	for i := range f.out {
		d := &f.out[i]
		if d.kind != rag.BlockHeading {
			continue
		}
		k := keyOf(d)
		if n := numbered(d); n > 0 && (depth[k] == 0 || n < depth[k]) {
			depth[k] = n
		}
		if level := f.outline.find(d.first().page, draftText(d)); level > 0 {
			d.level = level
			if known[k] == 0 || level < known[k] {
				known[k] = level
			}
		} else {
			d.level = 0
		}
		if !slices.Contains(keys, k) && len(keys) < 64 {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		c := cmp.Compare(b.size, a.size)
		if c == 0 && a.bold != b.bold {
			if a.bold {
				return -1
			}
			return 1
		}
		return c
	})
	level := map[key]int{}
	at := 0
	for _, k := range keys {
		at++
		if n := known[k]; n > 0 {
			at = n
		}
		level[k] = at
	}
	for i := range f.out {
		d := &f.out[i]
		if d.kind != rag.BlockHeading || d.level > 0 {
			continue
		}
		k := keyOf(d)
		d.level = level[k]
		if n := numbered(d); n > 0 && d.level > 0 {
			d.level += n - depth[k]
		}
		if d.level == 0 {
			d.level = 6
		}
	}
	for i := range f.out {
		f.out[i].level = min(f.out[i].level, 6)
	}
}

// numbered is the depth of a heading's number: 2 for "2.1 Title".
func numbered(d *draft) int {
	l := d.first()
	if len(l.words) < 2 {
		return 0
	}
	first := strings.TrimSuffix(l.words[0].text, ".")
	if first == "" || strings.Trim(first, "0123456789.") != "" || first[0] == '.' {
		return 0
	}
	return strings.Count(first, ".") + 1
}

func draftText(d *draft) string {
	parts := make([]string, len(d.lines))
	for i := range d.lines {
		parts[i] = d.lines[i].text()
	}
	return strings.Join(parts, " ")
}

// hasLetter says that there is a word in a text.
func hasLetter(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }
