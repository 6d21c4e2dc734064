package answer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"passage/rag"
	"passage/rag/llm"
	"passage/rag/retrieve"
)

// Notices shown beside an answer.
const (
	noticeNoModel   = "No language model configured: these are the matching passages."
	noticeQuoted    = "These are the matching passages."
	noticeRefused   = "I found nothing in the documents I searched that answers this."
	noticeAway      = "The documents cannot be searched just now. Ask again in a moment."
	noticeWordsOnly = "Searched by words only: the embedding server did not answer."
	noticeCut       = "The answer broke off before the model had finished it. What is here may lack its end."
	noticeLength    = "The answer reached the model's length limit. What is here lacks its end."
	noticeStopped   = "You stopped this answer."
	noticeClosing   = "The server was stopped while this answer was being written."
	noticeNothing   = "This says too little to search for. Ask a whole question, for example: How do I rotate the broker certificates?"
	noticeThanks    = "You are welcome. Ask on whenever you need more."
	noticeUncited   = "The model named no source for this answer. Check it against the passages."
)

// modelExtractive is the name of the answerer that quotes.
const modelExtractive = "extractive"

// job is what an answer is made from.
type job struct {
	scope    rag.Scope
	question string
	history  []rag.Message
	filter   rag.Filter
	strategy *rag.Strategy
	exact    bool
}

// write makes one answer and stores it, whatever happens.
func (d *Desk) write(ctx context.Context, r *run, j job) {
	stopSaving := d.saveParts(ctx, r, j)
	m := d.compose(ctx, j, func(change func(*rag.Message)) {
		r.set(func(s *Snapshot) {
			s.Stage = StageWriting
			change(&s.Message)
		})
	})
	stopSaving()
	d.finish(ctx, r, j, m)
}

// finish stores the final answer and shows it to the followers.
func (d *Desk) finish(ctx context.Context, r *run, j job, m rag.Message) {
	s, _ := r.look()
	m.ID, m.ChatID, m.Created = r.id, s.Message.ChatID, s.Message.Created
	// Storing must not be cut short by the stop that ended the writing.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	switch err := d.store.FinishAnswer(ctx, j.scope, m); rag.ErrorCode(err) {
	case "":
	case rag.CodeNotFound: // the conversation was deleted meanwhile
		d.log.InfoContext(ctx, "answer of a deleted conversation dropped", "message_id", m.ID)
	case rag.CodeConflict: // another process took this one for gone
		d.log.WarnContext(ctx, "answer was final already", "message_id", m.ID)
	default:
		d.log.ErrorContext(ctx, "answer not stored", "message_id", m.ID, "error", err)
		m.Notice = join(m.Notice, "This answer could not be stored; it will be gone when the page is loaded again.")
	}
	r.set(func(s *Snapshot) { *s = Snapshot{Stage: StageReady, Message: m} })
}

// writeSafely is write for a goroutine of its own: a fault of the program ends
// this answer, not the server.
func (d *Desk) writeSafely(ctx context.Context, r *run, j job) {
	defer func() {
		fault := recover()
		if fault == nil {
			return
		}
		d.log.ErrorContext(ctx, "answer ended in a fault", "message_id", r.id, "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
		s, _ := r.look()
		m := s.Message
		m.State, m.Notice = rag.AnswerFailed, rag.ErrorMessage(errFault)
		d.finish(ctx, r, j, m)
	}()
	d.write(ctx, r, j)
}

// errFault has no message for users of its own.
var errFault = errors.New("a fault of the program")

// saveParts stores the growing answer once a second while it changes, so that
// a killed process loses at most that, and every few seconds as a sign of life,
// so that nobody takes it for abandoned. The function returned ends it.
func (d *Desk) saveParts(ctx context.Context, r *run, j job) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(d.save)
		defer tick.Stop()
		var last rag.Message
		var at time.Time
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			s, _ := r.look()
			m := s.Message
			if m.Text == last.Text && len(m.Citations) == len(last.Citations) && time.Since(at) < signEvery {
				continue
			}
			last, at = m, time.Now()
			if err := d.store.SaveAnswer(ctx, j.scope, r.id, m.Text, m.Citations); err != nil && ctx.Err() == nil {
				d.log.WarnContext(ctx, "part of an answer not stored", "message_id", r.id, "error", err)
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// compose searches and answers. It calls update as the answer grows and gives
// the final message.
func (d *Desk) compose(ctx context.Context, j job, update func(func(*rag.Message))) rag.Message {
	m := rag.Message{Role: rag.RoleAssistant, State: rag.AnswerDone}
	if state, notice := unanswerable(j.question, j.history); notice != "" {
		m.State, m.Notice = state, notice
		m.Trace = d.traceJSON(ctx, retrieve.Trace{Question: j.question}, j.question, condensed{})
		return m
	}
	c := d.condense(ctx, j)
	if err := ctx.Err(); err != nil {
		return d.failed(ctx, m, err)
	}
	budget := d.room(j).passages
	fits := budget >= leastPassages
	if !fits {
		budget = retrieve.DefaultBudget // for quotations, which no model reads
	}
	res, err := d.search.Retrieve(ctx, retrieve.Request{
		Scope: j.scope, Question: c.question, Filter: j.filter, Strategy: j.strategy, Exact: j.exact, BudgetTokens: budget,
		Earlier: c.earlier, EarlierFirst: c.first,
	})
	if err != nil {
		return d.failed(ctx, m, err)
	}
	m.Trace = d.traceJSON(ctx, res.Trace, j.question, c)
	m.Citations = Citations(res.Passages)
	m.Notice = join(understood(j.question, c), searchedAlso(c.question, res))
	if res.Refused || len(res.Passages) == 0 {
		m.State, m.Notice = rag.AnswerRefused, join(refusal(res), m.Notice)
		return m
	}
	if res.Trace.WordsOnly {
		m.Notice = join(m.Notice, noticeWordsOnly)
	}
	if len(res.Unmentioned) > 0 {
		m.Notice = join(m.Notice, "No document that was searched mentions: "+strings.Join(res.Unmentioned, ", ")+".")
	}
	update(func(now *rag.Message) { now.Citations = m.Citations })
	if d.model == nil {
		return quote(m, res, noticeNoModel)
	}
	if !fits {
		return quote(m, res, "The question is too long for the language model. "+noticeQuoted)
	}
	m.Model = d.model.Name()
	return d.generate(ctx, m, j, res, update)
}

// generate asks the model and judges how it ended.
func (d *Desk) generate(ctx context.Context, m rag.Message, j job, found retrieve.Result, update func(func(*rag.Message))) rag.Message {
	var text strings.Builder
	room := d.room(j)
	res, err := d.model.Stream(ctx, llm.Request{
		Messages:  prompt(j.question, room.history, found.Passages),
		MaxTokens: room.answer,
	}, func(_ context.Context, chunk string) error {
		text.WriteString(chunk)
		update(func(now *rag.Message) { now.Text, now.Model = text.String(), m.Model })
		return nil
	})
	m.Text = text.String()
	if err == nil && strings.TrimSpace(res.Text) != "" {
		m.Text = res.Text
	}
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errStopped):
		m.State, m.Notice = rag.AnswerStopped, join(m.Notice, noticeStopped)
	case errors.Is(cause, errClosing):
		m.State, m.Notice = rag.AnswerBroken, join(m.Notice, noticeClosing)
	case err != nil && strings.TrimSpace(m.Text) == "":
		d.log.WarnContext(ctx, "model gave no answer", "model", m.Model, "error", err)
		return quote(m, found, whyNoAnswer(err)+" "+noticeQuoted)
	case err != nil:
		d.log.WarnContext(ctx, "answer broke off", "model", m.Model, "error", err)
		m.State, m.Notice = rag.AnswerBroken, join(m.Notice, noticeCut)
	case res.Truncated():
		m.State, m.Notice = rag.AnswerBroken, join(m.Notice, noticeLength)
	}
	return cite(m)
}

// failed is the answer when not even the search worked.
func (d *Desk) failed(ctx context.Context, m rag.Message, err error) rag.Message {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errStopped):
		m.State, m.Notice = rag.AnswerStopped, noticeStopped
	case errors.Is(cause, errClosing):
		m.State, m.Notice = rag.AnswerBroken, noticeClosing
	default:
		d.log.ErrorContext(ctx, "search did not work", "error", err)
		m.State, m.Notice = rag.AnswerFailed, rag.ErrorMessage(err)
		if rag.ErrorCode(err) == rag.CodeUnavailable {
			m.Notice = noticeAway // the reader cannot mend what the message names
		}
	}
	return m
}

// join puts two sentences of a notice together.
func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

// Options change how one question is searched for.
type Options struct {
	Filter   rag.Filter
	Strategy *rag.Strategy // nil: each document type's own
	Exact    bool          // see retrieve.Request
}

// Once answers a question without storing anything, for the command line.
// Errors: CodeInvalid, CodeUnavailable.
func (d *Desk) Once(ctx context.Context, scope rag.Scope, question string, o Options) (rag.Message, error) {
	question = strings.TrimSpace(question)
	if err := checkQuestion(question); err != nil {
		return rag.Message{}, err
	}
	m := d.compose(ctx, job{scope: scope, question: question, filter: o.Filter, strategy: o.Strategy, exact: o.Exact}, func(func(*rag.Message)) {})
	if m.State == rag.AnswerFailed {
		return m, rag.Errorf(rag.CodeUnavailable, "%s", m.Notice)
	}
	return m, nil
}
