package split

import (
	"strings"

	"passage/rag"
	"passage/rag/extract"
)

// EmbedText is what is embedded and indexed for a unit: where it stands and its
// words, as in "Kafka › Certificates › Rotate: Restart the brokers one by one".
// Headings such as "Diagnosis" say nothing without the title, so the title and
// the heading path come first; a row of a table comes with its header row; a
// heading is its own path. Markup and runs of white space are left out. The
// text of the unit itself, which is what is shown, stays as it is.
func EmbedText(title string, section rag.Section, unit rag.Unit, text string) string {
	var b strings.Builder
	b.Grow(unit.Span.Len() + len(title) + 64)
	path := section.Path
	title = strings.Join(strings.Fields(title), " ")
	if len(path) > 0 && strings.EqualFold(path[0], title) {
		path = path[1:]
	}
	b.WriteString(title)
	for _, heading := range path {
		if b.Len() > 0 {
			b.WriteString(" › ")
		}
		b.WriteString(heading)
	}
	words := unitWords(unit, text)
	if unit.Kind == rag.UnitHeading && len(section.Path) > 0 && words == section.Heading {
		return b.String()
	}
	if b.Len() > 0 && words != "" {
		b.WriteString(": ")
	}
	b.WriteString(words)
	return b.String()
}

// unitWords gives the words of a unit without the marks of its block.
func unitWords(unit rag.Unit, text string) string {
	source := unit.Span.In(text)
	switch unit.Kind {
	case rag.UnitHeading:
		first, _, _ := strings.Cut(strings.TrimLeft(source, "# \t"), "\n")
		return extract.PlainText(strings.TrimRight(first, "# \t"))
	case rag.UnitItem:
		return extract.PlainText(withoutMarker(source))
	case rag.UnitRow:
		words := cells(source)
		if !unit.Header.Empty() {
			words = cells(unit.Header.In(text)) + ": " + words
		}
		return words
	case rag.UnitCode:
		return strings.Join(strings.Fields(withoutFences(source)), " ")
	case rag.UnitChunk:
		if !unit.Header.Empty() {
			return cells(unit.Header.In(text)) + ": " + extract.PlainText(source)
		}
		return extract.PlainText(source)
	default:
		return extract.PlainText(source)
	}
}

// withoutMarker takes the marker and the task box off an item.
func withoutMarker(s string) string {
	marker, rest, found := strings.Cut(s, " ")
	if !found || len(marker) > 12 {
		return s
	}
	switch last := marker[len(marker)-1:]; {
	case strings.ContainsAny(last, "-*+•.):"):
	default:
		return s
	}
	rest = strings.TrimLeft(rest, " ")
	if len(rest) > 3 && rest[0] == '[' && rest[2] == ']' {
		rest = rest[3:]
	}
	return rest
}

// withoutFences takes the fence lines off a code block. An indented block has
// none.
func withoutFences(s string) string {
	fence := strings.TrimLeft(s, " ")
	if len(fence) < 3 || fence[:3] != "```" && fence[:3] != "~~~" {
		return s
	}
	_, s, _ = strings.Cut(s, "\n")
	last := strings.LastIndexByte(s, '\n')
	if strings.Trim(s[last+1:], " \t>`~") == "" {
		s = s[:max(last, 0)]
	}
	return s
}

// cells gives the cells of a row, with commas between.
func cells(row string) string {
	var out []string
	from := 0
	for i := 0; i <= len(row); i++ {
		if i < len(row) && (row[i] != '|' || i > 0 && row[i-1] == '\\') {
			continue
		}
		if cell := extract.PlainText(row[from:i]); cell != "" {
			out = append(out, cell)
		}
		from = i + 1
	}
	return strings.Join(out, ", ")
}
