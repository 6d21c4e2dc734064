package views

// Documents is the list of documents.
type Documents struct {
	Words   string // searched for
	Spaces  []Option
	Types   []Option
	States  []Option
	Orders  []Option
	Items   []DocumentItem
	Count   string // "12 documents", "Documents 51–100 of 240"
	First   string // address of the first page; "" on it
	Prev    string
	Next    string // "" on the last page
	Last    string
	Narrow  bool // a filter is set
	Deleted bool // a document was just deleted
}

// Option is one choice of a select element.
type Option struct {
	Value    string
	Label    string
	Selected bool
}

// DocumentItem is a document in the list.
type DocumentItem struct {
	Title   string
	URL     string
	Space   string
	DocType string
	Source  string // source URI
	Date    string
	DateISO string
	Version string // "version 3"
	Units   string // "120 units"

	Changed      string // when the live version went live
	ChangedISO   string
	Review       string // "review due 1 May 2026"
	Overdue      bool
	SupersededBy string // title of what takes its place; "" for nothing
}

// Document is a document opened for reading.
type Document struct {
	Title     string
	ShowTitle bool // the text does not begin with the title itself
	Space     string
	DocType   string
	Source    string
	OriginURL string // the source's own address; "" when there is none
	Date      string
	DateISO   string
	Version   string
	Pages     string // "page 3 of 12" where a passage is highlighted, else "12 pages"; "" without pages
	Review    string // "Review due on 1 May 2026"
	Overdue   bool
	LiveURL   string // the live version, when this one has been replaced
	Hit       bool   // a passage is highlighted
	Outline   []OutlineItem
	Meta      string // front matter as written
	Body      SafeHTML
	DeleteURL string

	SupersededBy string // what takes its place; "" for nothing
	SuccessorURL string // "" when that is not here
	Restored     bool   // an earlier version was just taken live again
	Outdated     []string
	Versions     []Version // the latest
	HistoryURL   string    // "" when that is all of them
	UnitsURL     string
	NoteURL      string
}

// OutlineItem is a heading of a document.
type OutlineItem struct {
	Text  string
	URL   string
	Level int // from 1
}

// Delete asks whether a document shall be deleted.
type Delete struct {
	Title  string
	Action string
	CSRF   string
	Back   string // address of the document
}
