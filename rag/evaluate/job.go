package evaluate

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"passage/rag"
)

// job is a run that is being done.
type job struct {
	*Bench
	scope     rag.Scope
	filter    rag.Filter
	questions []Question
	run       Run
	outcomes  [][]Outcome       // by setting
	first     map[string]string // text of a question → id of the first that has it
	texts     textCache
	saved     time.Time // when progress was stored last
	cancelled bool
}

// work does the run and stores it, whatever happens.
func (j *job) work(ctx context.Context, progress func(Progress)) (Run, error) {
	err := j.guard(ctx, func() error { return j.measure(ctx, progress) })
	switch {
	case err == nil && !j.cancelled:
		j.run.State = rag.RunDone
	case err == nil || ctx.Err() != nil:
		j.run.State, err = rag.RunCancelled, nil
	default:
		j.run.State, j.run.Failure = rag.RunFailed, rag.ErrorMessage(err)
	}
	if fault := j.guard(ctx, j.summarise); fault != nil {
		j.run.State, j.run.Failure, j.run.Results = rag.RunFailed, rag.ErrorMessage(fault), nil
		err = errors.Join(err, fault)
	}
	return j.run, errors.Join(err, j.finish(ctx))
}

// guard does a part of the run; a fault of the program ends this run, not the
// program. What it says may be a document's words, so its type alone is kept.
func (j *job) guard(ctx context.Context, part func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			j.o.Log.ErrorContext(ctx, "evaluation run ended in a fault", "run", j.run.ID, "fault_type", fmt.Sprintf("%T", fault), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic in a run: %T", fault)
		}
	}()
	return part()
}

func (j *job) summarise() error {
	for i, s := range j.run.Plan.Settings {
		j.run.Results = append(j.run.Results, Result{
			Setting: s, Questions: len(j.outcomes[i]), Outcomes: j.outcomes[i],
			Total: Summarise(j.outcomes[i], j.run.Plan.Seed), ByType: summariseTypes(j.outcomes[i], j.run.Plan.Seed),
		})
	}
	return nil
}

// finishTime is how long a run that was cancelled may take to store what it has.
const finishTime = 10 * time.Second

func (j *job) finish(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	stored, err := rowOf(j.run)
	if err != nil {
		return err
	}
	return j.rows.FinishRun(ctx, j.scope, stored)
}

// measure asks every question under every setting. Settings take turns in being
// the first, so that none pays for what the others find in the caches.
func (j *job) measure(ctx context.Context, progress func(Progress)) error {
	if err := j.prepare(ctx); err != nil || j.cancelled {
		return err
	}
	l := locator{j.o.Corpus, j.scope, j.filter.Spaces}
	j.first = make(map[string]string, len(j.questions))
	for i, q := range j.questions {
		if text := sameText(q.Text); j.first[text] == "" {
			j.first[text] = q.ID
		}
		found, problems, err := l.locate(ctx, q)
		if err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		j.run.Plan.Problems = append(j.run.Plan.Problems, problems...)
		if len(problems) > 0 && problems[0].LeftOut {
			j.run.Total -= len(j.outcomes)
		} else if err := j.ask(ctx, found, i, progress); err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		if j.cancelled {
			return nil
		}
	}
	return nil
}

// sameText is what questions have in common that differ in white space and case
// only.
func sameText(question string) string {
	return strings.ToLower(strings.Join(strings.Fields(question), " "))
}

// prepare makes the chunks that are missing. Embedding them may take minutes
// without any progress, so it gives signs of life meanwhile; a run that is
// cancelled from elsewhere stops at the next one.
func (j *job) prepare(ctx context.Context) error {
	if j.o.Prepare == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		j.live(ctx, cancel)
	}()
	err := j.makeChunks(ctx)
	cancel()
	<-ended
	if j.cancelled {
		return nil
	}
	return err
}

// live says now and then that the run goes on, until the context ends. When
// somebody cancelled the run, it ends the context.
func (j *job) live(ctx context.Context, cancel context.CancelFunc) {
	tick := time.NewTicker(j.sign)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		cancelled, err := j.rows.SaveRunProgress(ctx, j.scope, j.run.ID, j.run.Done, j.run.Total)
		switch {
		case err != nil && ctx.Err() == nil: // the next one may get through
			j.o.Log.WarnContext(ctx, "sign of life of an evaluation run not stored", "run", j.run.ID, "error", err)
		case err == nil && cancelled:
			j.cancelled = true
			cancel()
			return
		}
	}
}

func (j *job) makeChunks(ctx context.Context) error {
	for _, s := range j.run.Plan.Settings {
		if s.Strategy != nil && !j.run.Plan.AddChunks {
			continue
		}
		if err := j.o.Prepare(ctx, j.filter, s.Strategy); err != nil {
			return err
		}
	}
	return nil
}

// ask asks one question under every setting. The outcomes are kept only when
// there is one for each: a cancelled run compares the same questions.
func (j *job) ask(ctx context.Context, q located, turn int, progress func(Progress)) error {
	texts := map[Key]*Text{}
	for k, s := range q.sources {
		texts[k] = j.texts.tokens(s.Document.VersionID, s.Text, j.o.Tokens)
	}
	settings := j.run.Plan.Settings
	outcomes := make([]Outcome, len(settings))
	for n := range settings {
		i := (n + turn) % len(settings)
		o, err := j.once(ctx, q, settings[i], texts)
		if errors.Is(err, errReplaced) {
			j.run.Plan.Problems = append(j.run.Plan.Problems, Problem{
				Question: q.ID, Why: "Its document was replaced while it was asked. Run it again.", LeftOut: true,
			})
			j.run.Total -= len(settings) - n
			return nil
		}
		if err != nil {
			return err
		}
		outcomes[i] = o
		if err := j.tell(ctx, progress); err != nil || j.cancelled {
			return err
		}
	}
	for i, o := range outcomes {
		j.outcomes[i] = append(j.outcomes[i], o)
	}
	return nil
}

// errReplaced says that a passage is of another version than the one in which
// the answer was located.
var errReplaced = errors.New("document replaced meanwhile")

func (j *job) once(ctx context.Context, q located, s Setting, texts map[Key]*Text) (Outcome, error) {
	start := time.Now()
	res, err := j.o.Retriever.Retrieve(ctx, s.Request(j.scope, j.filter, q.Text))
	if err != nil {
		return Outcome{}, err
	}
	reply := Reply{Refused: res.Refused, MS: float64(time.Since(start).Microseconds()) / 1000}
	if res.Trace.WordsOnly {
		return Outcome{}, rag.Errorf(rag.CodeUnavailable, "The embedder did not answer, so only words were searched: the figures would say nothing. Run it again when it does.")
	}
	for _, p := range res.Passages {
		reply.Tokens += float64(p.Tokens)
	}
	if reply.Contexts, err = j.contexts(ctx, q, res.Passages); err != nil {
		return Outcome{}, err
	}
	o := Outcome{
		Question: q.ID, Kind: q.Kind, DocType: q.docType, Contexts: reply.Contexts, Refused: res.Refused,
		Values: Score(q.Question, reply, texts),
	}
	if first := j.first[sameText(q.Text)]; first != q.ID {
		o.Repeats = first
	}
	return o, nil
}

// progressEvery is how often a run says how far it is, and looks whether it has
// been cancelled.
const progressEvery = 500 * time.Millisecond

func (j *job) tell(ctx context.Context, progress func(Progress)) error {
	j.run.Done++
	if progress != nil {
		progress(Progress{j.run.Done, j.run.Total})
	}
	if time.Since(j.saved) < progressEvery {
		return ctx.Err()
	}
	j.saved = time.Now()
	var err error
	j.cancelled, err = j.rows.SaveRunProgress(ctx, j.scope, j.run.ID, j.run.Done, j.run.Total)
	return err
}
