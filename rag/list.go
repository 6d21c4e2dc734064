package rag

import "time"

// DocumentState is how far a document in a list may be relied on.
type DocumentState string

// The states of documents, see Document.Stale.
const (
	DocumentCurrent DocumentState = "current"
	DocumentStale   DocumentState = "stale"
)

// DocumentOrder is what a list of documents is sorted by.
type DocumentOrder string

// The orders. Documents that are equal in them stand by ID.
const (
	ByTitle  DocumentOrder = "title"   // in the alphabet of the database
	ByChange DocumentOrder = "changed" // what went live last comes first
	ByReview DocumentOrder = "review"  // what is due first comes first, without a date last
)

// DocumentPlace is the place of a document in an order: its title as far as it
// counts, the time of its last change, or its review date, and its ID. It holds
// whether or not the document is still there.
type DocumentPlace struct {
	Key string
	ID  int64
}

// titleKey is how many characters of a title count in the order.
const titleKey = 200

// Place gives the place of a document in the order.
func (o DocumentOrder) Place(d Document) DocumentPlace {
	p := DocumentPlace{ID: d.ID}
	switch o {
	case ByChange:
		p.Key = d.Updated.UTC().Format(time.RFC3339Nano)
	case ByReview:
		if !d.ReviewDue.IsZero() {
			p.Key = d.ReviewDue.Format(time.DateOnly)
		}
	default:
		title := []rune(d.Title)
		p.Key = string(title[:min(len(title), titleKey)])
	}
	return p
}

// DocumentFilter narrows, sorts and pages a list of documents.
type DocumentFilter struct {
	Filter
	Words string        // each in title or source URI, any case
	State DocumentState // "": both
	Order DocumentOrder // "": ByTitle
	From  *DocumentPlace
	Back  bool // the documents before From, or the last ones; else those after it, or the first ones
	Limit int  // 1–200
}
