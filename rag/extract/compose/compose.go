// Package compose holds a document that is no text itself (a web page, a word
// processor's file, a PDF) as blocks of words, and writes it as one normalised
// text.
//
// The text is Markdown: what a model, a reader and the rest of the program
// already understand. Its words are the source's, in the source's order; only
// the marks around them are ours. Reading the written text gives the same
// blocks again, which is how a span of the text stays a span of the document.
package compose

import "passage/rag"

// Document is what a reader made of a file.
type Document struct {
	Title    string            // as the file names it, "" when it does not
	Meta     map[string]string // keys in lower case: "date", "author"
	Blocks   []Block
	Warnings []string // for the admin: "There is no text on pages 3–40."
}

// Block is a node of the tree. Which fields count depends on its kind.
type Block struct {
	Kind     rag.BlockKind
	Level    int        // heading: 1–6
	Ordered  bool       // list
	Label    string     // item: its marker as a reader sees it ("3.", "b)", "2.1.", "(iv)"), "" for a bullet; code: language; note: kind ("warning")
	Header   bool       // row: the table's header
	Words    []Inline   // heading, paragraph
	Cells    [][]Inline // row
	Code     string     // code: its lines, as they stand
	Page     int        // the page it begins on, from 1; 0 where there are none
	Children []Block    // list: items; table: rows; item, quote and note: blocks
}

// Style is how words are set. The zero Style is plain.
type Style uint8

// The styles, which may be joined.
const (
	Strong Style = 1 << iota
	Emphasis
	Mono // code in a line
	Struck
)

// Inline is a run of words of one style. White space in Text is as it should
// be shown, and a line feed is a line break that the source forces.
type Inline struct {
	Text  string
	Style Style
	Href  string // what the words link to, "" for nothing
	Image bool   // Href is a picture and Text what stands for it
	Page  int    // the page it begins on, from 1; 0: that of the run before
}

// Plain makes one run of plain words.
func Plain(text string) []Inline { return []Inline{{Text: text}} }
