package split

import (
	"strings"

	"passage/rag"
	"passage/rag/extract"
)

// maxHeader is the most bytes of a header row that stand before each row in what
// is embedded.
const maxHeader = 4_000

// EmbedText is what is embedded and indexed for a unit: where it stands and its
// words, as in "Kafka › Certificates › Rotate: Restart the brokers one by one".
// Headings such as "Diagnosis" say nothing without the title, so the title and
// the heading path come first; a row of a table comes with its header row; a
// heading is its own path. Markup and runs of white space are left out. The
// text of the unit itself, which is what is shown, stays as it is.
func EmbedText(title string, section rag.Section, unit rag.Unit, text string) string {
	title, headings, words := Title(title), Headings(title, section), Words(section, unit, text)
	var b strings.Builder
	b.Grow(len(title) + len(headings) + len(words) + 8)
	b.WriteString(title)
	if title != "" && headings != "" {
		b.WriteString(between)
	}
	b.WriteString(headings)
	if b.Len() > 0 && words != "" {
		b.WriteString(": ")
	}
	b.WriteString(words)
	return b.String()
}

// between stands between the headings of a path.
const between = " › "

// Title is the first part of EmbedText: the document's title on one line.
func Title(title string) string { return strings.Join(strings.Fields(title), " ") }

// Headings is the second part of EmbedText: the heading path of a section,
// without a first heading that repeats the title.
func Headings(title string, section rag.Section) string {
	path := section.Path
	if len(path) > 0 && strings.EqualFold(path[0], Title(title)) {
		path = path[1:]
	}
	return strings.Join(path, between)
}

// Words is the last part of EmbedText: the unit's own words, none for a heading
// that its own path ends with.
func Words(section rag.Section, unit rag.Unit, text string) string {
	words := unitWords(unit, text)
	if unit.Kind == rag.UnitHeading && len(section.Path) > 0 && words == section.Heading {
		return ""
	}
	return words
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
		return rowWords(unit, text)
	case rag.UnitCode:
		return strings.Join(strings.Fields(withoutFences(source)), " ")
	case rag.UnitChunk:
		if !unit.Header.Empty() {
			return cells(extract.Clip(unit.Header.In(text), maxHeader)) + ": " + extract.PlainText(source)
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

// withoutFences takes the fence lines off a code block, or off a piece of one.
// An indented block has none.
func withoutFences(s string) string {
	if fence := strings.TrimLeft(s, " "); strings.HasPrefix(fence, "```") || strings.HasPrefix(fence, "~~~") {
		_, s, _ = strings.Cut(s, "\n")
	}
	last := strings.LastIndexByte(s, '\n')
	if end := strings.Trim(s[last+1:], " \t>"); len(end) >= 3 && strings.Trim(end, "`~") == "" {
		s = s[:max(last, 0)]
	}
	return s
}

// rowWords gives the header cells and the cells of a row. A piece of a row,
// which begins or ends inside its line, has the header cells of its columns.
func rowWords(unit rag.Unit, text string) string {
	words := cells(unit.Span.In(text))
	if unit.Header.Empty() {
		return words
	}
	names := extract.Clip(unit.Header.In(text), maxHeader)
	start := strings.LastIndexByte(text[:unit.Span.Start], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	from, to := unit.Span.Start-start, min(unit.Span.End-start, len(line))
	if strings.Trim(line[:from], " \t>") != "" || strings.TrimSpace(line[to:]) != "" {
		names = columns(names, column(line, from), column(line, to-1))
	} else {
		names = cells(names)
	}
	if names == "" {
		return words
	}
	return names + ": " + words
}

// column is the number of the cell, from 0, that the byte of a row lies in. The
// border before a cell belongs to it, and the last one to the last cell.
func column(row string, at int) int {
	n := -1
	for i := range min(at+1, len(row)) {
		if isBorder(row, i) && strings.TrimSpace(row[i+1:]) != "" {
			n++
		}
	}
	if opensWithCell(row) {
		n++
	}
	return max(n, 0)
}

// columns gives the cells from one number to another.
func columns(row string, first, last int) string {
	var out []string
	for i, n := 0, 0; i < len(row); n++ {
		end := i + 1
		for end < len(row) && !isBorder(row, end) {
			end++
		}
		if n >= first && n <= last {
			if cell := extract.PlainText(strings.TrimPrefix(row[i:end], "|")); cell != "" {
				out = append(out, cell)
			}
		}
		i = end
	}
	return strings.Join(out, ", ")
}

// isBorder says that there is a border between cells at i.
func isBorder(row string, i int) bool { return row[i] == '|' && (i == 0 || row[i-1] != '\\') }

// opensWithCell says that no border is before the first cell of the row.
func opensWithCell(row string) bool {
	return !strings.HasPrefix(strings.TrimLeft(row, " \t>"), "|")
}

// cells gives the cells of a row, with commas between.
func cells(row string) string {
	var out []string
	from := 0
	for i := 0; i <= len(row); i++ {
		if i < len(row) && !isBorder(row, i) {
			continue
		}
		if cell := extract.PlainText(row[from:i]); cell != "" {
			out = append(out, cell)
		}
		from = i + 1
	}
	return strings.Join(out, ", ")
}
