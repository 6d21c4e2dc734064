package rag

import (
	"encoding/json"
	"time"
)

// Role is who wrote a message.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// AnswerState is where an answer stands.
type AnswerState string

// The states of an answer. Only AnswerWriting changes further.
const (
	AnswerWriting AnswerState = "writing"
	AnswerDone    AnswerState = "done"
	AnswerStopped AnswerState = "stopped" // by the reader; the part is kept
	AnswerBroken  AnswerState = "broken"  // the stream ended early; the part is kept and shown as such
	AnswerRefused AnswerState = "refused" // nothing good enough was found; no model was asked
	AnswerFailed  AnswerState = "failed"  // nothing could be answered; Notice says why
)

// Chat is one conversation.
type Chat struct {
	ID      int64
	Owner   string // Scope.User of who started it
	Title   string
	Created time.Time
	Updated time.Time
}

// Message is one turn of a chat. Citations and the fields below them are an
// answer's only.
type Message struct {
	ID        int64
	ChatID    int64
	Role      Role
	Text      string // of an answer: Markdown with citation numbers like [2]
	State     AnswerState
	Notice    string // said beside the answer: why it was refused, broken, or quoted without a model
	Model     string // name of the model, "extractive" when passages were quoted
	Citations []Citation
	Trace     json.RawMessage // how the answer came about, see retrieve.Trace
	Created   time.Time
}

// Citation is a number in an answer that resolves to a passage and, inside
// it, to exact spans. It keeps what it needs to be shown after the document
// has changed; Deleted says the document is gone.
type Citation struct {
	Number     int
	Used       bool // the answer's text refers to it
	DocID      int64
	VersionID  int64
	Title      string
	SourceURI  string
	DocType    string
	Date       time.Time
	Path       []string
	Section    int  // ordinal of the section it starts in
	Span       Span // the passage
	Pages      PageRange
	Text       string // of the passage; "" when deleted
	Header     Span   // table header, see Passage.Header
	HeaderText string
	Marks      []Mark
	Parts      []Part
	Gaps       []Span // left out of Span, see Passage.Gaps
	Deleted    bool   // the document is deleted, or no longer readable in this scope
	Newer      bool   // a newer version is live
}
