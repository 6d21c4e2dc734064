package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/handlers"
	"passage/rag"
	"passage/rag/evaluate"
	"passage/rag/retrieve"
)

// lab measures as the program does, on question sets and runs that are kept in
// memory and on a search that knows where each answer stands.
type lab struct {
	*evaluate.Bench
	rows  *evalRows
	found *finder
	tuned []string // what SetStrategy was called with
	types []rag.DocType
	mu    sync.Mutex
}

// withLab gives a site the pages of the evaluation.
func withLab(l *lab) option {
	return func(c *handlers.Config, s *site) {
		l.rows = &evalRows{store: s.store, bodies: map[int64][]rag.EvalQuestion{}}
		l.found = &finder{store: s.store}
		l.types = rag.DefaultDocTypes()
		l.Bench = evaluate.NewBench(evaluate.Options{
			Retriever: l.found, Corpus: corpus{s.store}, Rows: l.rows, Tokens: spaces{}, Log: slog.New(slog.DiscardHandler), Version: "test",
		})
		c.Evaluation, c.Tuner, c.Store = l, l, tunedStore{s.store, l}
	}
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{}
	t.Cleanup(func() {
		if l.Bench != nil {
			l.found.release()
			require.NoError(t, l.Close(context.Background()))
		}
	})
	return l
}

func (l *lab) SetStrategy(_ context.Context, docType string, s rag.Strategy) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.types, func(t rag.DocType) bool { return t.Name == docType })
	if i < 0 {
		return gone("document type")
	}
	l.types[i].Strategy = s
	l.tuned = append(l.tuned, docType+": "+s.String())
	return nil
}

// tunedStore is the store with the document types as they were changed.
type tunedStore struct {
	*memory
	lab *lab
}

func (s tunedStore) DocTypes(context.Context) ([]rag.DocType, error) {
	s.lab.mu.Lock()
	defer s.lab.mu.Unlock()
	return slices.Clone(s.lab.types), nil
}

// evaluated puts a set of questions into the lab, n for each of two documents,
// and measures it under the settings of a sweep.
func (l *lab) evaluated(t *testing.T, s *site, n int, sweep, name string) evaluate.Run {
	t.Helper()
	set, err := l.EnsureSet(t.Context(), scope(nil), 0, "Steps and facts")
	require.NoError(t, err)
	questions, err := evaluate.Read(strings.NewReader(l.questions(s, n)), "questions.jsonl", nil)
	require.NoError(t, err)
	_, _, err = l.Put(t.Context(), scope(nil), set.ID, questions)
	require.NoError(t, err)
	sw, err := evaluate.NamedSweep(sweep, nil)
	require.NoError(t, err)
	settings, err := sw.Settings()
	require.NoError(t, err)
	key := fmt.Sprint(n, sweep)
	measuredRuns.Lock()
	defer measuredRuns.Unlock()
	stored, ok := measuredRuns.byKey[key]
	if !ok { // the figures are the same each time, and the intervals take a while
		run, err := l.Measure(t.Context(), scope(nil), evaluate.Plan{SetID: set.ID, Settings: settings, Seed: 1}, nil)
		require.NoError(t, err)
		stored, err = l.rows.Run(t.Context(), scope(nil), run.ID, true)
		require.NoError(t, err)
		measuredRuns.byKey[key] = stored
		l.rows.rename(run.ID, name)
		run.Name = name
		return run
	}
	stored.SetID, stored.Name = set.ID, name
	created, err := l.rows.CreateRun(t.Context(), scope(nil), stored)
	require.NoError(t, err)
	stored.ID = created.ID
	require.NoError(t, l.rows.FinishRun(t.Context(), scope(nil), stored))
	run, err := l.Run(t.Context(), scope(nil), created.ID, true)
	require.NoError(t, err)
	return run
}

// measuredRuns are runs that some test has made already.
var measuredRuns = struct {
	sync.Mutex
	byKey map[string]rag.EvalRun
}{byKey: map[string]rag.EvalRun{}}

func (e *evalRows) rename(id int64, name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.runs {
		if e.runs[i].ID == id {
			e.runs[i].Name = name
		}
	}
}

// questions are lines of a file: n about the runbook, whose answer is all its
// steps or a part of them, and n about a design document.
func (l *lab) questions(s *site, n int) string {
	runbook := s.store.put("Platform", "runbooks/kafka/drain.md", "runbook", "Drain", longText(60), day)
	design := s.store.put("Platform", "design/orders.md", "design_doc", "Orders", longText(90), day)
	var b strings.Builder
	for i := range n {
		for _, d := range []rag.Document{runbook, design} {
			text := s.store.versions[d.VersionID].Text
			at := strings.Index(text, fmt.Sprintf("Sentence %d ", 3+i*2))
			length := 60 + (i%5)*130
			if d.ID == design.ID {
				length = 50
			}
			end := min(at+length, len(text))
			line, _ := json.Marshal(map[string]any{
				"id": fmt.Sprintf("%s-%d", d.DocType, i), "question": fmt.Sprintf("What about sentence %d of %s?", i, d.Title), "doc_id": d.SourceURI,
				"answer_spans": []map[string]any{{"start": at, "end": end, "text": text[at:end]}},
			})
			b.Write(line)
			b.WriteByte('\n')
			l.found.know(fmt.Sprintf("What about sentence %d of %s?", i, d.Title), d, rag.Span{Start: at, End: min(at+50, end)}, i%7 == 3)
		}
	}
	return b.String()
}

func longText(n int) string {
	var b strings.Builder
	b.WriteString("# A text\n\n")
	for i := range n {
		fmt.Fprintf(&b, "Sentence %d says what stands at this place.\n", i)
	}
	return b.String()
}

// finder finds what it was told of and grows it by the strategy.
type finder struct {
	store *memory
	mu    sync.Mutex
	known map[string]passageOf
	gate  chan struct{} // a retrieval takes one out; nil: none waits
}

type passageOf struct {
	doc    rag.Document
	span   rag.Span
	missed bool
}

func (f *finder) know(question string, d rag.Document, s rag.Span, missed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil {
		f.known = map[string]passageOf{}
	}
	f.known[question] = passageOf{d, s, missed}
}

// hold lets retrievals wait until they are released.
func (f *finder) hold() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gate = make(chan struct{})
}

func (f *finder) release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gate != nil {
		close(f.gate)
		f.gate = nil
	}
}

func (f *finder) Retrieve(ctx context.Context, req retrieve.Request) (retrieve.Result, error) {
	f.mu.Lock()
	p, ok, gate := f.known[req.Question], f.known != nil, f.gate
	f.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return retrieve.Result{}, ctx.Err()
		}
	}
	if !ok || p.doc.ID == 0 {
		return retrieve.Result{Refused: true}, nil
	}
	r, err := f.store.Reading(ctx, req.Scope, p.doc.ID, 0)
	if err != nil {
		return retrieve.Result{}, err
	}
	grow := 200
	if s := req.Strategy; s != nil {
		grow = map[rag.StrategyKind]int{rag.SentenceWindow: 90 * s.K, rag.ParentSection: s.Cap}[s.Kind]
		grow += map[rag.Extent]int{rag.ExtentParagraph: 300, rag.ExtentSection: 1500}[s.Extent]
	}
	at := p.span
	if p.missed {
		at = rag.Span{Start: 0, End: 50}
	}
	span := rag.Span{Start: max(at.Start-grow/2, 0), End: min(at.End+grow, len(r.Text))}
	passage := rag.Passage{Document: r.Document, Version: r.Version, Span: span, Text: span.In(r.Text)}
	passage.Tokens = spaces{}.Count(passage.Text)
	return retrieve.Result{Passages: []rag.Passage{passage}}, nil
}

// spaces takes what ends at a space for a token.
type spaces struct{}

func (spaces) Count(text string) int { return len(strings.Fields(text)) }

func (spaces) Ends(text string) []int {
	var ends []int
	for i, r := range text {
		if r == ' ' || r == '\n' {
			ends = append(ends, i+1)
		}
	}
	return append(ends, len(text))
}

// corpus is the store as an evaluation sees it.
type corpus struct{ *memory }

func (c corpus) Sources(_ context.Context, scope rag.Scope, spaces []int64, uris []string) ([]rag.Source, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []rag.Source
	for _, d := range c.docs {
		if slices.Contains(uris, d.SourceURI) && scope.Reads(d.SpaceID) && (spaces == nil || slices.Contains(spaces, d.SpaceID)) {
			found = append(found, rag.Source{Document: d, Text: c.versions[d.VersionID].Text})
		}
	}
	return found, nil
}

func (c corpus) Texts(_ context.Context, _ rag.Scope, ids []int64) (map[int64]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	texts := map[int64]string{}
	for _, id := range ids {
		if v := c.versions[id]; v != nil {
			texts[id] = v.Text
		}
	}
	return texts, nil
}

func (c corpus) CorpusSize(context.Context, rag.Scope, rag.Filter) (documents, units int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.docs), 10 * len(c.docs), nil
}

func (corpus) CommonSets(context.Context, rag.Scope, rag.Filter) ([]rag.UnitSet, error) {
	return []rag.UnitSet{rag.SentenceSet}, nil
}
