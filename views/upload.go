package views

// Upload is the form for documents and, after it was sent, what became of them.
type Upload struct {
	CSRF    string
	Spaces  []string // known spaces, as suggestions
	Space   string   // in the field
	Types   []Option
	Address string
	Limit   string // "50 MB"
	Results []UploadResult
	Notes   []string // what was left out
}

// UploadResult is what became of one file.
type UploadResult struct {
	Name     string // of the file
	State    string // "Created", "Updated", "Unchanged" or "Not taken"
	Kind     string // class of the badge
	Title    string
	URL      string // of the document
	DocType  string
	Reason   string // why this type
	Facts    string // "42 units, 2 procedures"
	Warnings []string
	Error    string
}
