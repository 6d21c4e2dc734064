package handlers_test

import (
	"context"
	"sync"
	"time"

	"passage/rag"
	"passage/rag/answer"
)

// desk answers by a script, step by step, and lets any number of readers follow.
type desk struct {
	store *memory
	// script makes an answer: each call of say is a state that readers see.
	script func(ctx context.Context, question string, say func(answer.Snapshot))
	// atOnce has the answer ready before the question is taken.
	atOnce bool

	mu      sync.Mutex
	runs    map[int64]*run
	asked   []string
	follows int
}

type run struct {
	cancel  context.CancelFunc
	mu      sync.Mutex
	now     answer.Snapshot
	changed chan struct{}
}

func newDesk(store *memory, script func(ctx context.Context, question string, say func(answer.Snapshot))) *desk {
	return &desk{store: store, script: script, runs: map[int64]*run{}}
}

func (r *run) set(s answer.Snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = s
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *run) look() (answer.Snapshot, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now, r.changed
}

func (d *desk) Ask(_ context.Context, scope rag.Scope, chatID int64, question string, _ rag.Filter) (rag.Chat, rag.Message, error) {
	d.store.mu.Lock()
	chat, ok := d.store.chats[chatID]
	if chatID == 0 {
		chat = rag.Chat{ID: d.store.id(), Owner: scope.User, Title: question, Created: time.Now()}
		d.store.chats[chat.ID], ok = chat, true
	}
	if !ok || chat.Owner != scope.User {
		d.store.mu.Unlock()
		return rag.Chat{}, rag.Message{}, gone("conversation")
	}
	q := rag.Message{ID: d.store.id(), ChatID: chat.ID, Role: rag.RoleUser, Text: question, State: rag.AnswerDone}
	a := rag.Message{ID: d.store.id(), ChatID: chat.ID, Role: rag.RoleAssistant, State: rag.AnswerWriting}
	d.store.messages[q.ID], d.store.messages[a.ID] = q, a
	d.store.mu.Unlock()

	ctx, cancel := context.WithCancel(context.Background())
	r := &run{cancel: cancel, changed: make(chan struct{}), now: answer.Snapshot{Stage: answer.StageSearching, Message: a}}
	d.mu.Lock()
	d.runs[a.ID] = r
	d.asked = append(d.asked, question)
	d.mu.Unlock()
	if d.atOnce {
		d.write(ctx, r, question, a) //nolint:contextcheck // as below
		return chat, d.store.messages[a.ID], nil
	}
	go d.write(ctx, r, question, a) //nolint:contextcheck // as in the real one, the answer outlives the request
	return chat, a, nil
}

func (d *desk) write(ctx context.Context, r *run, question string, a rag.Message) {
	defer r.cancel()
	last := a
	keep := func(s answer.Snapshot) {
		s.Message.ID, s.Message.ChatID, s.Message.Role = a.ID, a.ChatID, rag.RoleAssistant
		last = s.Message
		d.store.mu.Lock()
		d.store.messages[a.ID] = s.Message
		d.store.mu.Unlock()
		r.set(s)
	}
	d.script(ctx, question, func(s answer.Snapshot) {
		if ctx.Err() == nil {
			keep(s)
		}
	})
	if last.State == rag.AnswerWriting {
		last.State, last.Notice = rag.AnswerStopped, "You stopped this answer."
		keep(answer.Snapshot{Stage: answer.StageReady, Message: last})
	}
}

func (d *desk) run(id int64) *run {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.runs[id]
}

func (d *desk) Follow(ctx context.Context, scope rag.Scope, answerID int64, each func(answer.Snapshot) error) error {
	m, err := d.store.Message(ctx, scope, answerID)
	if err != nil {
		return err
	}
	d.mu.Lock()
	d.follows++
	d.mu.Unlock()
	r := d.run(answerID)
	if r == nil {
		return each(answer.Snapshot{Stage: answer.StageReady, Message: m})
	}
	for {
		s, changed := r.look()
		if err := each(s); err != nil {
			return err
		}
		if s.Message.State != rag.AnswerWriting {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (d *desk) Wait(ctx context.Context, scope rag.Scope, answerID int64) (rag.Message, error) {
	var last rag.Message
	err := d.Follow(ctx, scope, answerID, func(s answer.Snapshot) error {
		last = s.Message
		return nil
	})
	return last, err
}

func (d *desk) Stop(ctx context.Context, scope rag.Scope, answerID int64) error {
	if _, err := d.store.Message(ctx, scope, answerID); err != nil {
		return err
	}
	if r := d.run(answerID); r != nil {
		r.cancel()
	}
	return nil
}

// end stops every answer that is still being written.
func (d *desk) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.runs {
		r.cancel()
	}
}

// questions are what was asked so far.
func (d *desk) questions() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string{}, d.asked...)
}
