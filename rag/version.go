package rag

import "time"

// NewVersion is a whole version, ready to be written and swapped live in one
// transaction. Index runs parallel to Outline.Units.
type NewVersion struct {
	SpaceID   int64
	SourceURI string
	Hash      [32]byte // SHA-256 of the file's bytes
	DocType   string
	Title     string
	Meta      map[string]string
	Warnings  []string
	Date      time.Time
	ReviewDue time.Time
	Successor string // what takes the document's place, see Document.SupersededBy
	Recipe    Recipe
	Text      string
	Pages     []int // see Extraction.Pages
	Outline   Outline
	Index     []UnitIndex
	Dimension int     // of the vectors; 0 when ingested without vectors
	Job       *JobTry // of the job that made it, which is done in the same transaction; nil for none
}

// UnitIndex is what one unit is found by.
type UnitIndex struct {
	Hash   [32]byte  // SHA-256 of the embedded text
	Vector []float32 // nil when ingested without vectors
	Terms  []string  // in the order of the text, repeated as often as they occur
	Title  int       // Terms[:Title] are those of the document's title
	Lead   int       // Terms[Title:Lead] are those of the headings above the unit
}

// Live describes the live version of a document, to decide whether bytes that
// arrive change anything.
type Live struct {
	DocumentID int64
	VersionID  int64
	SourceURI  string
	Hash       [32]byte
	DocType    string
	Recipe     Recipe
	Sets       []UnitSet
}

// Filter narrows a search within the scope. A nil list does not narrow.
type Filter struct {
	Spaces   []int64
	DocTypes []string // names
}
