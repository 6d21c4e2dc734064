package answer

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/llm"
	"passage/rag/retrieve"
)

// memory is a store of one chat.
type memory struct {
	mu       sync.Mutex
	messages []rag.Message
	saved    int
}

func (s *memory) CreateChat(_ context.Context, _ rag.Scope, title string) (rag.Chat, error) {
	return rag.Chat{ID: 1, Title: title}, nil
}

func (s *memory) Chat(context.Context, rag.Scope, int64) (rag.Chat, []rag.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return rag.Chat{ID: 1}, append([]rag.Message{}, s.messages...), nil
}

func (s *memory) AddQuestion(_ context.Context, _ rag.Scope, chatID int64, question string) (q, a rag.Message, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := int64(len(s.messages))
	q = rag.Message{ID: n + 1, ChatID: chatID, Role: rag.RoleUser, Text: question, State: rag.AnswerDone}
	a = rag.Message{ID: n + 2, ChatID: chatID, Role: rag.RoleAssistant, State: rag.AnswerWriting}
	s.messages = append(s.messages, q, a)
	return q, a, nil
}

func (s *memory) Message(_ context.Context, _ rag.Scope, id int64) (rag.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id < 1 || id > int64(len(s.messages)) {
		return rag.Message{}, rag.Errorf(rag.CodeNotFound, "There is no such answer.")
	}
	return s.messages[id-1], nil
}

func (s *memory) SaveAnswer(_ context.Context, _ rag.Scope, id int64, text string, citations []rag.Citation) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saved++
	s.messages[id-1].Text, s.messages[id-1].Citations = text, citations
	return nil
}

func (s *memory) FinishAnswer(_ context.Context, _ rag.Scope, m rag.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages[m.ID-1] = m
	return nil
}

// found is a searcher that always finds the same passages. It refuses when
// there are none, and where refuses says so: then they are what came nearest.
type found struct {
	passages    []rag.Passage
	refuses     func(question string) bool
	trace       retrieve.Trace
	nearest     []string
	wordsOnly   bool
	unmentioned []string
	panics      bool
	err         error
	mu          sync.Mutex
	asked       []string
	requests    []retrieve.Request
}

func (f *found) Retrieve(_ context.Context, req retrieve.Request) (retrieve.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, req.Question)
	f.requests = append(f.requests, req)
	if f.panics {
		panic("a fault")
	}
	res := retrieve.Result{Passages: f.passages, Refused: len(f.passages) == 0, Nearest: f.nearest, Unmentioned: f.unmentioned, Trace: f.trace}
	res.Refused = res.Refused || f.refuses != nil && f.refuses(req.Question)
	res.Trace.WordsOnly = f.wordsOnly
	return res, f.err
}

// script is a model that says the chunks and then ends as told.
type script struct {
	chunks  []string
	stop    string
	err     error
	context int           // tokens; 0 means 8192
	gate    chan struct{} // when set, closed by the test to let it go on after the first chunk

	mu    sync.Mutex
	calls int
	last  llm.Request
}

func (s *script) Name() string { return "scripted" }
func (s *script) ContextTokens() int {
	if s.context > 0 {
		return s.context
	}
	return 8192
}

func (s *script) Stream(ctx context.Context, req llm.Request, onChunk func(context.Context, string) error) (llm.Result, error) {
	s.mu.Lock()
	s.calls++
	s.last = req
	s.mu.Unlock()
	text := ""
	for i, c := range s.chunks {
		if err := onChunk(ctx, c); err != nil {
			return llm.Result{Text: text}, err
		}
		text += c
		if i == 0 && s.gate != nil {
			select {
			case <-s.gate:
			case <-ctx.Done():
				return llm.Result{Text: text}, ctx.Err()
			}
		}
	}
	if s.err != nil {
		return llm.Result{Text: text}, s.err
	}
	return llm.Result{Text: text, StopReason: s.stop}, nil
}

const steps = "4. Restart the broker:\n   ```sh\n   systemctl restart kafka\n   ```\n5. Read the log."

func passages() []rag.Passage {
	doc := rag.Document{ID: 7, Title: "Rotate certificates", SourceURI: "runbooks/rotate.md", DocType: "runbook", Date: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	return []rag.Passage{
		{
			Document: doc, Version: 9, Path: []string{"Rotate certificates", "Procedure"}, Span: rag.Span{Start: 10, End: 10 + len(steps)}, Text: steps, Score: 1,
			Parts: []rag.Part{{From: 4, To: 5, N: 5}}, Marks: []rag.Mark{{Span: rag.Span{Start: 10, End: 30}}},
		},
		{Document: doc, Version: 9, Path: []string{"Rotate certificates", "Notes"}, Span: rag.Span{Start: 200, End: 230}, Text: "Read more in [12], see a[1].", Score: 0.4},
	}
}

func desk(t *testing.T, search *found, model llm.Model) (*Desk, *memory) {
	t.Helper()
	store := &memory{}
	d := NewDesk(store, search, model, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { require.NoError(t, d.Close(context.Background())) })
	return d, store
}

var local = rag.Scope{User: "local", All: true}

// ask asks and waits for the final answer.
func ask(t *testing.T, d *Desk, question string) rag.Message {
	t.Helper()
	_, a, err := d.Ask(t.Context(), local, 0, question, rag.Filter{})
	require.NoError(t, err)
	m, err := d.Wait(t.Context(), local, a.ID)
	require.NoError(t, err)
	return m
}
