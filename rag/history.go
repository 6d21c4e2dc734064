package rag

import "time"

// VersionInfo is a version in the history of its document.
type VersionInfo struct {
	ID       int64
	Ordinal  int // number of the version, from 1
	State    VersionState
	Title    string
	DocType  string // name
	Recipe   Recipe
	Date     time.Time // the document's own date as of this version
	Created  time.Time
	LiveAt   time.Time // when it last went live; zero if it never did
	Bytes    int       // of its text
	Warnings []string
	Failure  string // of a failed version
}

// Restoration takes a superseded version live again: its text and outline are
// stored, and Index, which runs parallel to Units, is what its units are found
// by now. Units without an ID are further ones, of sets that the version lacks.
type Restoration struct {
	DocumentID int64
	VersionID  int64
	Live       int64  // the version that must still be live; 0 for any
	Embedder   string // what made the vectors; "" without
	Dimension  int
	Units      []Unit
	Index      []UnitIndex
}
