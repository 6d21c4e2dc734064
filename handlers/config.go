package handlers

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/answer"
)

// Store is what pages are read from. Every method but DocTypes keeps to the
// scope: what lies outside gives CodeNotFound.
type Store interface {
	Chats(ctx context.Context, scope rag.Scope, limit int) ([]rag.Chat, error)
	Chat(ctx context.Context, scope rag.Scope, id int64) (rag.Chat, []rag.Message, error)
	Message(ctx context.Context, scope rag.Scope, id int64) (rag.Message, error)
	Documents(ctx context.Context, scope rag.Scope, filter rag.DocumentFilter) (docs []rag.Document, total int, err error)
	Document(ctx context.Context, scope rag.Scope, id int64) (rag.Document, error)
	DeleteDocument(ctx context.Context, scope rag.Scope, id int64) error
	NoteDocument(ctx context.Context, scope rag.Scope, id int64, note rag.DocumentNote) error
	Versions(ctx context.Context, scope rag.Scope, documentID int64, before, limit int) ([]rag.VersionInfo, error)
	Reading(ctx context.Context, scope rag.Scope, documentID, versionID int64) (*rag.Reading, error)
	Readings(ctx context.Context, scope rag.Scope, versionIDs []int64) (map[int64]*rag.Reading, error)
	DocTypes(ctx context.Context) ([]rag.DocType, error)
	Spaces(ctx context.Context, scope rag.Scope) ([]rag.Space, error)
	EnsureSpace(ctx context.Context, name string) (rag.Space, error)
}

// Desk takes questions and answers them in the background.
type Desk interface {
	// Ask stores a question in a chat (0: a new one) and starts its answer.
	// Errors: CodeNotFound (chat), CodeInvalid, CodeTooLarge.
	Ask(ctx context.Context, scope rag.Scope, chatID int64, question string, filter rag.Filter) (rag.Chat, rag.Message, error)
	// Follow hands on snapshots of an answer, the last of them final, and then
	// returns. Errors: CodeNotFound, and whatever the function returns.
	Follow(ctx context.Context, scope rag.Scope, answerID int64, each func(answer.Snapshot) error) error
	// Wait returns the answer once it is final.
	Wait(ctx context.Context, scope rag.Scope, answerID int64) (rag.Message, error)
	// Stop ends an answer and keeps what is there. Stopping a final answer
	// changes nothing. Errors: CodeNotFound.
	Stop(ctx context.Context, scope rag.Scope, answerID int64) error
}

// Config is everything that the pages need. Log, Store, Desk, Queue and
// ScopeOf are required; the rest has defaults. Without Evaluation there are no
// pages of it and no feedback under answers, without Tuner its advice is read
// only.
type Config struct {
	Log   *slog.Logger
	Store Store
	Desk  Desk
	Queue Queue

	Evaluation Evaluation
	Tuner      Tuner

	// Lab searches for the search lab; without it there is no such page. Cuts
	// tells it which documents lack the chunks that it searches.
	Lab  Lab
	Cuts Cuts

	// Restorer takes earlier versions live again; nil leaves the pages for it out.
	Restorer Restorer
	// Recipe is what a version would be made by now that was made by the given
	// recipe; nil: the same.
	Recipe func(rag.Recipe) rag.Recipe

	// ScopeOf says who asks.
	ScopeOf func(echo.Context) rag.Scope
	// Ready reports why the program cannot serve; nil means it always can.
	Ready func(context.Context) error
	// Suggestions are questions to begin with.
	Suggestions []string
	// Space is the space that uploads go to when none is named; "Documents".
	Space string
	// MaxUpload is the most bytes of one upload; 50 MB.
	MaxUpload int64
	// SecureCookies marks cookies for HTTPS only.
	SecureCookies bool
	// Proxies are the networks whose X-Forwarded-For is believed; none.
	Proxies []*net.IPNet

	// AnswerWait is how long a browser without scripts waits for an answer
	// before it is shown as far as it is; 45 s.
	AnswerWait time.Duration
	// StreamGap is the least time between two events of a stream; 100 ms.
	StreamGap time.Duration
	// Heartbeat is the time between comments on a silent stream; 15 s.
	Heartbeat time.Duration
	// EventWrite is the longest time that one event may take to be written; 10 s.
	EventWrite time.Duration
	// Now is the clock; time.Now.
	Now func() time.Time
}

func (c Config) withDefaults() Config {
	orDuration := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	orDuration(&c.AnswerWait, 45*time.Second)
	orDuration(&c.StreamGap, 100*time.Millisecond)
	orDuration(&c.Heartbeat, 15*time.Second)
	orDuration(&c.EventWrite, 10*time.Second)
	if c.Space == "" {
		c.Space = "Documents"
	}
	if c.MaxUpload <= 0 {
		c.MaxUpload = 50 << 20
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Ready == nil {
		c.Ready = func(context.Context) error { return nil }
	}
	return c
}
