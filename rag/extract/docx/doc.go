// Package docx reads Word files (.docx) into a compose.Document: headings,
// lists with the numbers that a reader sees, tables, code, notes.
//
// A Word file stores no numbers: it says which paragraph counts in which list
// and how a level counts, so that they must be counted here as Word does. The
// reading has three steps: the parts of the package become paragraphs and
// tables in the order of the text (body.go, paragraph.go, run.go), every
// paragraph that counts gets its label (counter.go), and the flat sequence
// becomes a tree of blocks (build.go, lists.go, table.go).
//
// The format is ECMA-376 part 1, 5th edition (ISO/IEC 29500-1); section
// numbers in comments are of it. Both the transitional and the strict
// namespaces are read. What is no content of the document is left out: running
// heads, comments, deletions, hidden text (with a warning), tables of contents
// and the instructions of fields. Footnotes and endnotes stand as notes with
// the label "footnote" directly after the block that refers to them; the mark
// in the words and at the beginning of the note is the number in brackets,
// "[1]", "[i]" for endnotes.
package docx
