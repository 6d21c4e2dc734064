package rag

import "slices"

// BlockKind is the kind of a node in a document's block tree.
type BlockKind string

// The kinds of block.
const (
	BlockHeading   BlockKind = "heading"
	BlockParagraph BlockKind = "paragraph"
	BlockList      BlockKind = "list"
	BlockItem      BlockKind = "item"
	BlockTable     BlockKind = "table"
	BlockRow       BlockKind = "row"
	BlockCode      BlockKind = "code"
	BlockQuote     BlockKind = "quote"
	BlockNote      BlockKind = "note"  // an admonition: warning, note, tip
	BlockBreak     BlockKind = "break" // a thematic break
	BlockMeta      BlockKind = "meta"  // front matter and comments: kept in the text, never searched
	BlockHTML      BlockKind = "html"
)

// Block is a node of a document's tree. Spans of siblings are in order and do
// not overlap; a child lies inside its parent.
type Block struct {
	Kind     BlockKind
	Span     Span   // the whole block as it stands in the source, marker and fences included
	Content  Span   // the block's own words: without marker, hashes or fence lines
	Level    int    // heading: 1–6; list and item: depth from 1
	Label    string // item: its marker as written ("3.", "-"); code: language; note: kind ("warning")
	Ordered  bool   // list: numbered
	Start    int    // ordered list: number of the first item; item: its number as written
	Header   bool   // row: the table's header row
	Children []Block
}

// Extraction is what a reader made of the bytes of one file: one normalised
// UTF-8 text and the block tree over it.
type Extraction struct {
	Extractor string // for Recipe.Extractor
	Text      string
	Title     string            // front matter, else the first heading of level 1, else ""
	Meta      map[string]string // front matter keys in lower case, scalar values as written
	Blocks    []Block
	Pages     []int    // where each page of a paged source begins in Text, from page 1; nil for other sources
	Warnings  []string // for the admin: "the code fence opened in line 40 is never closed"
}

// Section is what stands under one heading, up to the next heading: the parent
// unit. The spans of a version's sections tile its text byte for byte; what
// stands before the first heading is a section with an empty Heading.
type Section struct {
	Ordinal int
	Parent  int      // ordinal of the enclosing section, -1 at the top
	Level   int      // of the heading, 1–6; 0 before the first heading
	Heading string   // plain text of the heading
	Path    []string // headings from the outermost to this one
	Span    Span     // heading line and own content, without sub-sections that have a heading
	TreeEnd int      // end of the last section below this one: [Span.Start, TreeEnd) is the section with all below it
	Tokens  int      // of the span's text, by the tokeniser of the recipe
	Parts   []Span   // middle layer: sub-sections when the section is over the cap, tiling Span; else nil
}

// Step is one top-level step of a procedure.
type Step struct {
	Span   Span   // from the marker to the end of everything that belongs to the step
	Number string // as a reader sees it: "3", "3.", "a)" — as written when it is written
}

// SurroundingKind says what a piece of text is to the procedure that it stands
// beside.
type SurroundingKind string

// The kinds of surrounding. The first three stand before the steps, the others
// after them.
const (
	LeadIn       SurroundingKind = "lead_in"
	Warning      SurroundingKind = "warning"
	Precondition SurroundingKind = "precondition"
	Verification SurroundingKind = "verification"
	Rollback     SurroundingKind = "rollback"
)

// Surrounding is what belongs to a procedure without being a step: a paragraph
// or note just before or after it, or the section before or after its own when
// the heading says so ("Prerequisites", "Rollback").
type Surrounding struct {
	Kind SurroundingKind
	Span Span
}

// Procedure is an ordered list, or a list that a heading or a lead-in calls
// steps, with the blocks that belong to its steps.
type Procedure struct {
	Ordinal int
	Section int  // ordinal of the section that holds its first step
	Span    Span // from the first step's marker to the end of the last step
	Lead    Span // from the first surrounding before it to the last, empty when there are none
	Tail    Span // from the first surrounding after it to the last, empty when there is none
	Steps   []Step
	// Around is what surrounds it, in the order of the text. A section that has
	// a procedure of its own, as a roll-back in steps, is named here but is in no
	// Lead or Tail: those of a document's procedures never overlap.
	Around []Surrounding
}

// UnitKind is what a unit is in the source.
type UnitKind string

// The kinds of unit.
const (
	UnitSentence UnitKind = "sentence"
	UnitItem     UnitKind = "item"
	UnitRow      UnitKind = "row"
	UnitCode     UnitKind = "code"
	UnitHeading  UnitKind = "heading"
	UnitChunk    UnitKind = "chunk"
)

// Unit is what is embedded and searched. Units of one set are in the order of
// the text; sentence units do not overlap, chunks may.
type Unit struct {
	ID        int64   // 0 until stored
	Set       UnitSet // "sentence", "tokens-256-32", "chars-1000-100": see Strategy.UnitSet
	Ordinal   int     // within its set, from 0: chunk_index; the number of units in the set is chunk_total
	Kind      UnitKind
	Span      Span
	Section   int  // ordinal of the section it starts in
	Paragraph int  // ordinal of the paragraph (leaf block) it belongs to, within the version
	Procedure int  // ordinal of the procedure it belongs to, -1 for none
	Step      int  // index of the step in that procedure; -1 for none, and for what stands before, after or between its steps
	Header    Span // what a table row needs to be understood: its header row; else empty
}

// Outline is the structure over the text of a version.
type Outline struct {
	Sections   []Section
	Procedures []Procedure
	Units      []Unit   // of the sentence set first, then of the chunk set if any
	Warnings   []string // for the admin: what the embedder does not take at once; not stored with the outline
}

// UnitsOf gives the units of one set, in order. It shares the outline's array.
func (o *Outline) UnitsOf(set UnitSet) []Unit {
	from := -1
	for i := range o.Units {
		if o.Units[i].Set == set {
			if from < 0 {
				from = i
			}
			continue
		}
		if from >= 0 {
			return o.Units[from:i:i]
		}
	}
	if from < 0 {
		return nil
	}
	return slices.Clip(o.Units[from:])
}
