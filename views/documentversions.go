package views

import (
	"unicode"
	"unicode/utf8"
)

// upper makes the first letter of a sentence great.
func upper(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

func groupName(g UnitGroup) string {
	if g.Label == "" {
		return "Text outside of procedures"
	}
	return g.Label
}

// History is the list of a document's versions.
type History struct {
	Title    string
	Document string // address of the document
	Versions []Version
	Older    string // address of the versions before these; "" for none
}

// Version is a version in the history of its document.
type Version struct {
	Number    string // "Version 3"
	State     string // "live", "superseded", "staged", "failed"
	Live      bool
	Title     string
	DocType   string
	Date      string // when it came
	DateISO   string
	LiveAt    string // when it last went live
	LiveAtISO string
	Size      string   // "12 kB"
	Recipe    []string // "read by markdown/2"
	Outdated  []string // parts of the live version's recipe that are others now
	Warnings  []string
	Failure   string

	URL        string // "" for what cannot be read
	BeforeURL  string // what changed since the version before
	DiffURL    string // what changed until the live version
	RestoreURL string // takes it live again
}

// Restore asks whether an earlier version shall be live again.
type Restore struct {
	Title       string
	Version     string // "version 2"
	LiveVersion string
	ID          string // of the version
	Live        string // id of the live version
	Diff        string // address of what would change
	Action      string
	CSRF        string
	Back        string
}

// Diff is a comparison of two versions.
type Diff struct {
	Title      string
	Document   string // address of the document
	History    string
	Action     string
	From       string // "version 2"
	To         string
	Olds       []Option
	News       []Option
	Swap       string // address of the comparison the other way round
	RestoreURL string // takes the older one live again; "" where that makes no sense
	Summary    []string
	Same       bool
	Sections   []DiffSection
	More       string // address of further changes; "" for none
}

// DiffSection is a section that has changed, was added or was removed.
type DiffSection struct {
	ID        string
	State     string // "changed", "added", "removed"
	Path      []string
	Was       []string // the heading path before, where it was another one
	Continued bool     // its begin stands on the page before
	Pieces    []DiffPiece
}

// DiffPiece is a sentence or line of a section.
type DiffPiece struct {
	State string // "same", "added", "removed"; "skip" where unchanged pieces are left out
	Text  string
	Cut   string // says how much of a very long piece is not shown
}

// Note is the form for what people say of a document by hand.
type Note struct {
	Title        string
	Space        string
	ReviewDue    string // year-month-day
	SupersededBy string
	Fault        string
	Action       string
	CSRF         string
	Back         string
}

// Units is how a version of a document is read.
type Units struct {
	Title    string
	Document string // address of the document
	Earlier  bool   // not the live version
	Size     string
	Counts   []string
	Sets     []UnitSet
	Outline  []OutlineItem
	Sections []UnitSection
	First    string // address of the first page; "" on it
	More     string // address of what follows; "" at the end
}

// UnitSet is a kind of division to choose.
type UnitSet struct {
	Label   string
	URL     string
	Current bool
}

// UnitSection is a section with what is stored over it.
type UnitSection struct {
	Ordinal int
	ID      string
	Path    []string
	Tokens  string // "120 tokens"
	Bytes   string // "bytes 0–1200"
	Parts   int    // sub-sections that it is divided into; 0 for none
	Groups  []UnitGroup
}

// UnitGroup is what has one part in a procedure, or none.
type UnitGroup struct {
	Role   string // "lead", "step", "between", "tail"; "" outside of procedures
	Label  string // "Procedure 1, step 2 of 6, written “2.”"
	Pieces []UnitPiece
}

// UnitPiece is a stretch of text of the same units; of none, when it stands
// between them.
type UnitPiece struct {
	Text  string
	Units []string // "12 sentence"
	Kind  string   // of the last of them
}
