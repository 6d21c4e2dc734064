package views

import "strconv"

// Start is the page where a conversation begins.
type Start struct {
	Ask         AskForm
	Suggestions []string // questions to begin with
	Empty       bool     // there are no documents yet
}

// AskForm is the box for a question.
type AskForm struct {
	Action string // where the question is posted
	CSRF   string
	Label  string
	Target string // what htmx puts the reply into, as a CSS selector
	Swap   string // how: htmx's hx-swap
	Most   int    // characters
	Focus  bool   // take the focus when the page opens
}

// Chat is a conversation.
type Chat struct {
	Title string
	Turns []Turn
	Ask   AskForm
}

// Turn is a question and its answer. Either may be missing in a conversation
// that was cut off.
type Turn struct {
	Question *Question
	Answer   *Answer
}

// Question is what the reader asked.
type Question struct {
	ID   string // element id
	Text string
}

// Answer is an answer, finished or being written.
type Answer struct {
	ID        string // element id: "m-12"
	Writing   bool
	Stage     string // for the eye and for screen readers: "Searching the documents…"
	StreamURL string
	StopURL   string
	CSRF      string
	HTML      SafeHTML
	Quotes    []Quote // instead of HTML: an answer made of quotations
	Notice    *Notice
	Byline    string // who wrote it: "Answered by NAME"
	Sources   []Source
	Nearest   bool   // the sources are what came nearest to a question that was refused
	AgainURL  string // where the same question is asked once more; "" when there is no need
	Feedback  *Feedback
}

// Notice is said beside an answer.
type Notice struct {
	Kind string // "info", "warning" or "error"
	Head string // "Stopped", "Not complete"
	Text string
}

// Quote is one quotation of an answer: the line above it and its text.
type Quote struct {
	Lead, Body SafeHTML
}

// Source is one card of the sources panel.
type Source struct {
	ID          string // element id: "s-12-3"
	Number      int
	Used        bool // the answer refers to it
	Open        bool // the passage is unfolded
	Title       string
	TitleURL    string // the source's own address, else the document here; "" when deleted
	Origin      string // host of the source's own address; "" when there is none
	Path        []string
	Pages       string // "page 12", "" for a source without pages
	DocType     string
	Date        string // "2 March 2026"
	DateISO     string
	Parts       []Part
	Shortened   bool // sentences were left out of the passage, each time marked in Body
	Deleted     bool
	NewerURL    string // the newer version; "" when this one is live
	OpenURL     string // the document at the place; "" when deleted
	Body        SafeHTML
	Description string // for the link to the card: "Source 3: Broker certificates"
}

// Part says which steps of a procedure a passage holds.
type Part struct {
	Label string // "steps 1–6 of 6"
	Whole bool
	URL   string // the whole procedure in its document; "" when whole or deleted
}

// used and others part the sources of a finished answer; while it is being
// written all stand in one list, so that nothing jumps.
func (a Answer) used() []Source {
	if a.Writing {
		return a.Sources
	}
	return a.pick(true)
}

func (a Answer) others() []Source {
	if a.Writing {
		return nil
	}
	return a.pick(false)
}

func (a Answer) pick(used bool) []Source {
	var picked []Source
	for _, s := range a.Sources {
		if s.Used == used {
			picked = append(picked, s)
		}
	}
	return picked
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Before says that a notice stands above the text: one without a head tells
// what the text is, the others how it ended.
func (n *Notice) Before() bool { return n.Head == "" }
