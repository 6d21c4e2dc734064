package rag

import "time"

// Space is a body of documents with its own readers. Nothing crosses a space
// that the reader may not read.
type Space struct {
	ID   int64
	Name string
}

// DocType is a kind of document ("runbook", "guideline") and the strategy by
// which its hits grow.
type DocType struct {
	ID       int64
	Name     string // unique, lower case: runbook, design_doc, guideline, note, reference
	Label    string // for people: "Design document"
	Strategy Strategy
	Fusion   Fusion // how its hits are scored
}

// Document is one source with a stable identity: its space and its source URI.
type Document struct {
	ID        int64
	SpaceID   int64
	Space     string // name of the space
	SourceURI string // path relative to the ingested root, or a URL; unique in the space
	Title     string
	DocType   string    // name of the document type
	Date      time.Time // the document's own date (front matter), else the time it was ingested
	ReviewDue time.Time // zero when no review date is known
	VersionID int64     // the live version; 0 when there is none yet
	Ordinal   int       // number of the live version, from 1
	Updated   time.Time // when the live version went live
	Units     int       // units of the live version, all unit sets together

	// SupersededBy names what takes the document's place, as it was said: the
	// source URI or title of a document of the same space; "" for nothing.
	SupersededBy string
	Successor    Successor // the document that SupersededBy names; zero when it is not there
}

// Successor is a document that takes the place of another one.
type Successor struct {
	ID    int64
	Title string
}

// DocumentNote is what a person says of a document by hand.
type DocumentNote struct {
	ReviewDue    time.Time // zero for none
	SupersededBy string    // source URI or title of a document of the same space; "" for none
}

// Stale says that a document should not be relied on as it is: another one has
// taken its place, or its review date is before the given day.
func (d Document) Stale(day time.Time) bool {
	return d.SupersededBy != "" || !d.ReviewDue.IsZero() && d.ReviewDue.Before(day.UTC().Truncate(24*time.Hour))
}

// VersionState is where a version stands. Exactly one version of a document
// is live.
type VersionState string

// The states of a version.
const (
	VersionStaged     VersionState = "staged"
	VersionLive       VersionState = "live"
	VersionSuperseded VersionState = "superseded"
	VersionFailed     VersionState = "failed"
)

// Recipe names what made a version: a change of any part makes the stored
// result stale.
type Recipe struct {
	Extractor string // format and version of the reader: "markdown/1"
	Splitter  string // "split/3 cl100k_base": with what it counts in
	Embedder  string // Embedder.ID, "" when ingested without vectors
}

// Reading is a version opened for reading: its text, the outline over it, and
// what a citation shows of its document. It is immutable and may be cached by
// VersionID.
type Reading struct {
	Document  Document
	Version   int64
	Extractor string // what read it, see Recipe: tells the format of the text
	Text      string
	Pages     []int // where each page begins in Text, see PagesOf; nil without pages
	Outline   Outline
}
