package rag

import "hash/fnv"

// Profile is what the units of one set of a version are rescored by: the terms
// of each unit, as hashes. It is immutable and may be cached by version and set.
type Profile struct {
	Version int64
	DocType string
	Set     UnitSet
	Units   []ProfileUnit // by ordinal
}

// ProfileUnit is one unit of a profile.
type ProfileUnit struct {
	ID        int64
	Span      Span
	Section   int
	Kind      UnitKind
	Procedure bool     // belongs to a procedure
	Title     int      // Terms[:Title] are those of the document's title
	Lead      int      // Terms[Title:Lead] are those of the headings above the unit
	Terms     []uint32 // TermHash of each term, in the order of the text
}

// Own gives the terms of the unit's own words.
func (u ProfileUnit) Own() []uint32 { return u.Terms[u.Lead:] }

// TermHash is the 32-bit FNV-1a hash of a term. Two terms of one question
// collide once in some hundred million cases.
func TermHash(term string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(term)) // never fails
	return h.Sum32()
}
