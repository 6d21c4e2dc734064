package answer

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/retrieve"
)

// quoteShare is the share of the best passage's score that a further passage
// needs to be quoted in the answer itself, unless a reranker put them in order;
// all are in the sources.
const quoteShare = 0.85

// maxQuotes is the most passages that are quoted in an answer.
const maxQuotes = 3

// Citations numbers the passages from 1, in their order.
func Citations(passages []rag.Passage) []rag.Citation {
	var list []rag.Citation
	for i, p := range passages {
		list = append(list, rag.Citation{
			Number: i + 1, DocID: p.Document.ID, VersionID: p.Version, Title: p.Document.Title, SourceURI: p.Document.SourceURI,
			DocType: p.Document.DocType, Date: p.Document.Date, Path: p.Path, Section: p.Section, Span: p.Span, Pages: p.Pages, Text: p.Text,
			Header: p.Header, HeaderText: p.HeaderText, Marks: p.Marks, Parts: p.Parts, Gaps: p.Gaps,
		})
	}
	return list
}

// quote makes the extractive answer: it says which passages are quoted. The
// quotation itself is not kept, see Text.
func quote(m rag.Message, found retrieve.Result, notice string) rag.Message {
	m.Model, m.State, m.Notice, m.Text = modelExtractive, rag.AnswerDone, join(m.Notice, notice), ""
	m.Citations = slices.Clone(m.Citations) // followers read the other one
	// The scores are the search's: where a reranker chose the order they say
	// nothing about it, and the rank alone counts.
	ranked := found.Trace.Reranker != "" && found.Trace.RerankFault == ""
	for i, p := range found.Passages {
		m.Citations[i].Used = i < maxQuotes && (ranked || i == 0 || p.Score >= quoteShare*found.Passages[0].Score)
	}
	return m
}

// Text is the Markdown of an answer as it is shown. An extractive answer is
// quoted from its citations each time it is read, in order, so that it never
// holds what has been deleted since. Bracketed numbers of the document's own
// are escaped, so that they do not become citations.
func Text(m rag.Message) string {
	if !Quotes(m) {
		return m.Text
	}
	var b strings.Builder
	for _, c := range m.Citations {
		if !c.Used {
			continue
		}
		b.WriteString(Lead(c) + "\n\n")
		if c.Deleted {
			continue
		}
		quoted := outsideCode(quotable(c.Shown(), c.HeaderText), func(s string) string { return reference.ReplaceAllString(s, `\[$1\]`) })
		for line := range strings.Lines(quoted) {
			b.WriteString("> ")
			if plainText(c.SourceURI) {
				// Two blanks keep the end of the line (CommonMark, section 6.7).
				line = strings.TrimRight(line, " \n") + "  \n"
			}
			b.WriteString(line)
		}
		b.WriteString("\n\n")
	}
	return strings.TrimSpace(b.String())
}

// Quotes says that an answer is made of quotations from its used citations.
func Quotes(m rag.Message) bool { return m.Model == modelExtractive }

// Lead is the line of Markdown above a quotation: where it stands, and its
// number; of a deleted document, that it is deleted.
func Lead(c rag.Citation) string {
	if c.Deleted {
		return fmt.Sprintf("*The document that was quoted here has been deleted.* [%d]", c.Number)
	}
	return fmt.Sprintf("**%s** [%d]", escape(place(c)), c.Number)
}

// place names where a passage stands: title › heading path.
func place(c rag.Citation) string {
	names := append([]string{c.Title}, c.Path...)
	if len(names) > 1 && strings.EqualFold(names[0], names[1]) {
		names = names[1:]
	}
	return oneLine(strings.Join(names, " › "))
}

// quotable is the text of a passage that can stand alone: a piece of a table
// gets its header again, and lines that were indented as a part of something
// longer lose that indentation.
func quotable(text, header string) string {
	text = dedent(text)
	if strings.TrimSpace(header) == "" {
		return text
	}
	return TableHead(header) + text
}

// plainText says that a source has lines, not Markdown.
func plainText(uri string) bool {
	ending := strings.ToLower(path.Ext(uri))
	return ending == ".txt" || ending == ".text"
}

// TableHead is the header row of a table with the row of dashes below it that
// makes the rows after it a table (GitHub Flavored Markdown, section 4.10).
func TableHead(header string) string {
	header = strings.TrimSpace(header)
	cells := strings.Count(strings.ReplaceAll(strings.Trim(header, "|"), `\|`, ""), "|") + 1
	return header + "\n" + strings.Repeat("| --- ", cells) + "|\n"
}

// dedent takes the indentation of the first line from every line that has it.
func dedent(text string) string {
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	if indent == "" {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimPrefix(line, indent))
	}
	return b.String()
}

// markup is what Markdown would take for markup in a title.
var markup = regexp.MustCompile("([\\\\`*_\\[\\]<>])")

func escape(s string) string { return markup.ReplaceAllString(s, `\$1`) }
