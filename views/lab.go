package views

// Lab is the search lab: one question under up to three settings.
type Lab struct {
	Question string
	Most     int    // characters of a question
	Fault    string // what is wrong with the question
	Spaces   []Option
	Types    []Option
	Notice   *Notice
	Setups   []LabSetup  // of every column, also of those left out
	Columns  []LabColumn // what came out; none before the first question
	Share    string      // the shortest address of this comparison
}

// LabSetup is the part of the form for one column.
type LabSetup struct {
	Letter                string // "A"
	Strategies            []Option
	Searches              []Option
	Fusions               []Option
	Strategy              LabField
	K, Cap, Size, Overlap LabField
	Exact                 LabField
	IsExact               bool
	Legs, Fusion          LabField
	Top, Budget           LabField
}

// LabField is a field with what was typed into it.
type LabField struct {
	Name  string // of the parameter, and the element's id
	Value string
	Fault string // what is wrong with it
}

// LabColumn is what one setting came to.
type LabColumn struct {
	ID       string // element id
	Letter   string
	Setting  string   // "sentence_window k=3 · BM25 only"
	Faults   []string // why nothing was searched; nothing else is shown then
	Notices  []Notice
	Refused  bool
	Summary  []LabFigure // for the table above the columns
	Evidence []LabFigure
	Verdict  string // what the evidence came to
	Words    []LabFigure
	Hits     []LabHit
	More     []LabHit // further hits, folded away
	NoHits   string   // said when there are none
	HitCount string   // "30 of 212 hits"
	Windows  []LabWindow
	Merged   []LabWindow
	Beyond   string // hits in none of the passages, and windows that are not shown
	Cuts     []LabCut
	MoreCuts string
	Passages []LabPassage
	Total    string // "1,830 of 3,000 tokens"
}

// LabFigure is a name with its value.
type LabFigure struct{ Label, Value string }

// LabHit is a unit that was found.
type LabHit struct {
	Number string // its rank
	Title  string
	URL    string // "" when the document is gone
	Type   string
	Text   string
	Scores []LabFigure
	Where  string // "in passage 2", "in no passage"
	Held   string // address of that passage on the page; "" for none
}

// LabWindow is what a hit grew into, or what several became together.
type LabWindow struct {
	Number   string
	Title    string
	URL      string
	Strategy string
	Length   string // "830 characters, 9 sentences"
	Place    string // "bytes 120–950"
	Becomes  string // "part of passage 2", "from windows 1 and 4"
	Text     string // as written; "" when it is shown elsewhere
}

// LabCut is what was left out, and why.
type LabCut struct {
	Title  string
	URL    string
	Why    string
	Length string // "4,210 characters, of which 1,120 are kept"
}

// LabPassage is a passage of the context.
type LabPassage struct {
	Source Source
	Tokens string // "204 tokens"
	Length string
	Given  string // exactly what the model gets
}

// heads are the heads of the table above the columns.
func (l Lab) heads() []LabFigure {
	for _, c := range l.Columns {
		if len(c.Summary) > 0 {
			return c.Summary
		}
	}
	return nil
}
