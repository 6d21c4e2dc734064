// Package answer writes answers from passages. A Desk takes a question, stores
// it, and answers in the background: search, then a language model or, when
// none is configured or reachable, quotations; any number of followers read the
// answer as it grows, and reading it again never asks the model again.
//
// What the model says is not trusted: an answer is done only when the model
// says it has finished, and a citation counts only when it names a passage.
package answer

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/llm"
	"passage/rag/retrieve"
)

// MaxQuestion is the most code points of a question.
const MaxQuestion = 4_000

// Limits of the desk.
const (
	maxRunning = 256 // answers written at the same time in this process
	maxHistory = 6   // earlier messages that the model sees
	saveEvery  = time.Second
	signEvery  = 5 * time.Second // see AbandonedAfter
	pollEvery  = 400 * time.Millisecond
)

// AbandonedAfter is how long an unfinished answer may go without a sign of life
// before the process that wrote it counts as gone.
const AbandonedAfter = 6 * signEvery

// Store keeps chats. Every method works in the scope only.
type Store interface {
	CreateChat(ctx context.Context, scope rag.Scope, title string) (rag.Chat, error)
	Chat(ctx context.Context, scope rag.Scope, id int64) (rag.Chat, []rag.Message, error)
	AddQuestion(ctx context.Context, scope rag.Scope, chatID int64, question string) (q, answer rag.Message, err error)
	Message(ctx context.Context, scope rag.Scope, id int64) (rag.Message, error)
	SaveAnswer(ctx context.Context, scope rag.Scope, id int64, text string, citations []rag.Citation) error
	FinishAnswer(ctx context.Context, scope rag.Scope, m rag.Message) error
}

// Searcher finds passages.
type Searcher interface {
	Retrieve(ctx context.Context, req retrieve.Request) (retrieve.Result, error)
}

// Desk answers questions. Close it before the store.
type Desk struct {
	store  Store
	search Searcher
	model  llm.Model // nil: quotations only
	log    *slog.Logger
	save   time.Duration // between two looks at a growing answer
	// patience is how long an answer waits for the model to condense its question.
	patience time.Duration

	mu      sync.Mutex
	running map[int64]*run
	closed  bool
	wg      sync.WaitGroup
}

// NewDesk makes a desk. The model may be nil.
func NewDesk(store Store, search Searcher, model llm.Model, log *slog.Logger) *Desk {
	return &Desk{store: store, search: search, model: model, log: log, save: saveEvery, patience: condenseWait, running: map[int64]*run{}}
}

// Ask stores the question and starts answering it; chatID 0 starts a new chat.
// The answer returned is in state writing: follow it by its id. Errors:
// CodeInvalid (empty or too long), CodeNotFound (chat out of scope),
// CodeRateLimited, CodeUnavailable.
func (d *Desk) Ask(ctx context.Context, scope rag.Scope, chatID int64, question string, f rag.Filter) (rag.Chat, rag.Message, error) {
	question = strings.TrimSpace(question)
	if err := checkQuestion(question); err != nil {
		return rag.Chat{}, rag.Message{}, err
	}
	if err := d.admit(); err != nil {
		return rag.Chat{}, rag.Message{}, err
	}
	chat, history, err := d.chat(ctx, scope, chatID, question)
	if err != nil {
		return rag.Chat{}, rag.Message{}, err
	}
	_, answer, err := d.store.AddQuestion(ctx, scope, chat.ID, question)
	if err != nil {
		return rag.Chat{}, rag.Message{}, err
	}
	r := newRun(answer)
	// The answer goes on when the request that asked for it has ended.
	rctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	r.cancel = cancel
	if !d.start(r) {
		cancel(errClosing)
		return rag.Chat{}, rag.Message{}, errStopping()
	}
	go func() {
		defer d.end(r)
		defer cancel(nil)
		d.writeSafely(rctx, r, job{scope: scope, question: question, history: history, filter: f})
	}()
	return chat, answer, nil
}

// Stop ends an answer that is being written and keeps its part. An answer that
// is finished stays as it is. Errors: CodeNotFound.
func (d *Desk) Stop(ctx context.Context, scope rag.Scope, answerID int64) error {
	if _, err := d.store.Message(ctx, scope, answerID); err != nil {
		return err
	}
	r := d.find(answerID)
	if r == nil {
		return nil
	}
	r.cancel(errStopped)
	select {
	case <-r.done:
	case <-ctx.Done():
	}
	return nil
}

// Close ends the running answers, stores their parts and waits for that.
func (d *Desk) Close(ctx context.Context) error {
	d.mu.Lock()
	d.closed = true
	for _, r := range d.running {
		r.cancel(errClosing)
	}
	d.mu.Unlock()
	ended := make(chan struct{})
	go func() { d.wg.Wait(); close(ended) }()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return errors.New("answers were still being stored when the time to stop ran out")
	}
}

// Why a run ends early.
var (
	errStopped = errors.New("stopped by the reader")
	errClosing = errors.New("the server stops")
)

func errStopping() error {
	return rag.Errorf(rag.CodeUnavailable, "The server is being stopped. Ask again in a moment.")
}

func checkQuestion(q string) error {
	if q == "" {
		return rag.Errorf(rag.CodeInvalid, "The question is empty. Write what you want to know.")
	}
	if n := utf8.RuneCountInString(q); n > MaxQuestion {
		return rag.Errorf(rag.CodeInvalid, "The question has %d characters; the limit is %d. Shorten it.", n, MaxQuestion)
	}
	return nil
}

// chat makes or opens the conversation and gives the messages before this
// question.
func (d *Desk) chat(ctx context.Context, scope rag.Scope, id int64, question string) (rag.Chat, []rag.Message, error) {
	if id == 0 {
		chat, err := d.store.CreateChat(ctx, scope, chatTitle(question))
		return chat, nil, err
	}
	return d.store.Chat(ctx, scope, id)
}

// chatTitle is the first line of the question, cut at a word.
func chatTitle(question string) string {
	const most = 80
	line, _, _ := strings.Cut(question, "\n")
	runes := []rune(strings.Join(strings.Fields(line), " "))
	if len(runes) <= most {
		return string(runes)
	}
	cut := string(runes[:most])
	if i := strings.LastIndexByte(cut, ' '); i > most/2 {
		cut = cut[:i]
	}
	return cut + "…"
}

func (d *Desk) admit() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return errStopping()
	}
	if len(d.running) >= maxRunning {
		return rag.Errorf(rag.CodeRateLimited, "Too many answers are being written at once. Ask again in a moment.")
	}
	return nil
}

func (d *Desk) start(r *run) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.running[r.id] = r
	d.wg.Add(1)
	return true
}

func (d *Desk) end(r *run) {
	d.mu.Lock()
	delete(d.running, r.id)
	d.mu.Unlock()
	close(r.done)
	d.wg.Done()
}

func (d *Desk) find(id int64) *run {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running[id]
}

// trace is how an answer came about: how its passages were found, and how the
// question that was searched for was made of the one that was asked. Without
// Condensed they are the same.
type trace struct {
	retrieve.Trace
	Asked     string `json:"asked,omitempty"`
	Condensed string `json:"condensed,omitempty"` // "model" or "rule"
	Fault     string `json:"condense_fault,omitempty"`
	Earlier   int    `json:"earlier_places,omitempty"` // passages of answers before that stayed candidates
}

// traceJSON keeps the trace with the answer. A trace that cannot be written is
// worth a log line, not a lost answer.
func (d *Desk) traceJSON(ctx context.Context, t retrieve.Trace, asked string, c condensed) json.RawMessage {
	b, err := json.Marshal(trace{Trace: t, Asked: asked, Condensed: c.by, Fault: c.fault, Earlier: len(c.earlier)})
	if err != nil {
		d.log.WarnContext(ctx, "trace not kept", "error", err)
		return nil
	}
	return b
}
