package answer

import "passage/rag"

// Stage is how far an answer has come, as a reader is told it.
type Stage string

// The stages of an answer.
const (
	StageSearching Stage = "searching" // the documents are being searched
	StageWriting   Stage = "writing"   // text is arriving
	StageReady     Stage = "ready"     // the answer is final; its state says how it ended
)

// Snapshot is an answer as it stands now: always the whole of it, so that a
// reader who misses some loses nothing.
type Snapshot struct {
	Stage   Stage
	Message rag.Message
}
