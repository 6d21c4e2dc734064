package answer

import (
	"context"
	"errors"
	"strings"
	"time"

	"passage/rag"
	"passage/rag/llm"
	"passage/rag/retrieve"
)

// Notices shown beside an answer.
const (
	noticeNoModel     = "No language model configured: these are the matching passages."
	noticeUnreachable = "The language model could not be reached: these are the matching passages."
	noticeRefused     = "Nothing in the documents that were searched answers this."
	noticeCut         = "The answer broke off before the model had finished it. What is here may lack its end."
	noticeLength      = "The answer reached the model's length limit. What is here lacks its end."
	noticeStopped     = "You stopped this answer."
	noticeClosing     = "The server was stopped while this answer was being written."
	noticeUncited     = "The model named no source for this answer. Check it against the passages."
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
	m.ID = r.id
	s, _ := r.look()
	m.ChatID, m.Created = s.Message.ChatID, s.Message.Created
	// Storing must not be cut short by the stop that ended the writing.
	sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := d.store.FinishAnswer(sctx, j.scope, m); err != nil && rag.ErrorCode(err) != rag.CodeConflict && rag.ErrorCode(err) != rag.CodeNotFound {
		d.log.ErrorContext(sctx, "answer not stored", "message_id", m.ID, "error", err)
		m.Notice = strings.TrimSpace(m.Notice + " This answer could not be stored; it will be gone when the page is loaded again.")
	}
	r.set(func(s *Snapshot) { *s = Snapshot{Stage: StageReady, Message: m} })
}

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
	res, err := d.search.Retrieve(ctx, retrieve.Request{
		Scope: j.scope, Question: searchQuestion(j.question, j.history), Filter: j.filter, Strategy: j.strategy, Exact: j.exact, BudgetTokens: d.budget(j),
	})
	if err != nil {
		return d.failed(ctx, m, err)
	}
	m.Trace = d.traceJSON(ctx, res.Trace)
	m.Citations = Citations(res.Passages)
	if res.Refused {
		m.State, m.Notice = rag.AnswerRefused, noticeRefused
		return m
	}
	update(func(now *rag.Message) { now.Citations = m.Citations })
	if d.model == nil {
		return quote(m, res.Passages, noticeNoModel)
	}
	m.Model = d.model.Name()
	return d.generate(ctx, m, j, res.Passages, update)
}

// generate asks the model and judges how it ended.
func (d *Desk) generate(ctx context.Context, m rag.Message, j job, passages []rag.Passage, update func(func(*rag.Message))) rag.Message {
	var text strings.Builder
	res, err := d.model.Stream(ctx, llm.Request{
		Messages:  prompt(j.question, j.history, passages),
		MaxTokens: answerTokens,
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
		m.State, m.Notice = rag.AnswerStopped, noticeStopped
	case errors.Is(cause, errClosing):
		m.State, m.Notice = rag.AnswerBroken, noticeClosing
	case err != nil && strings.TrimSpace(m.Text) == "":
		d.log.WarnContext(ctx, "model gave no answer", "model", m.Model, "error", err)
		return quote(m, passages, noticeUnreachable)
	case err != nil:
		d.log.WarnContext(ctx, "answer broke off", "model", m.Model, "error", err)
		m.State, m.Notice = rag.AnswerBroken, noticeCut
	case res.Truncated():
		m.State, m.Notice = rag.AnswerBroken, noticeLength
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
	}
	return m
}

// budget is the tokens that passages may take: what the model reads at once
// less the question, the history, the instructions and the answer.
func (d *Desk) budget(j job) int {
	if d.model == nil || d.model.ContextTokens() <= 0 {
		return retrieve.DefaultBudget
	}
	used := answerTokens + instructionTokens + estimate(j.question)
	for _, m := range lastMessages(j.history) {
		used += estimate(m.Text)
	}
	return max(256, min(retrieve.DefaultBudget, d.model.ContextTokens()-used))
}

// estimate is a number of tokens that a text surely does not pass by much:
// a token of English has about four bytes, of other scripts fewer.
func estimate(text string) int { return len(text)/3 + 4 }

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
