package views

// Upload is the form for documents and, after it was sent, what became of them.
type Upload struct {
	CSRF    string
	Spaces  []string // known spaces, as suggestions
	Space   string   // in the field
	Types   []Option
	Address string
	Limit   string   // "50 MB"
	Notes   []string // what was not taken
}
