package answer

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/llm"
	"passage/rag/outbound"
	"passage/rag/retrieve"
)

func TestAnswerEndings(t *testing.T) {
	t.Parallel()
	cut := errors.New("cut")
	for _, tt := range []struct {
		name   string
		model  llm.Model
		search *found
		state  rag.AnswerState
		text   string
		notice string
		by     string
	}{
		{"the model finishes", &script{chunks: []string{"Restart it ", "[1]."}, stop: llm.StopEnd}, &found{passages: passages()}, rag.AnswerDone, "Restart it [1].", "", "scripted"},
		{"the stream breaks off", &script{chunks: []string{"Restart [1]"}, err: cut}, &found{passages: passages()}, rag.AnswerBroken, "Restart [1]", noticeCut, "scripted"},
		{"the length limit", &script{chunks: []string{"Restart [1]"}, stop: llm.StopLength}, &found{passages: passages()}, rag.AnswerBroken, "Restart [1]", noticeLength, "scripted"},
		{"no source named", &script{chunks: []string{"Restart it."}, stop: llm.StopEnd}, &found{passages: passages()}, rag.AnswerDone, "Restart it.", noticeUncited, "scripted"},
		{"nothing found", &script{}, &found{}, rag.AnswerRefused, "", noticeRefused, ""},
		{"the search does not work", &script{}, &found{err: rag.Errorf(rag.CodeUnavailable, "The database is away.")}, rag.AnswerFailed, "", noticeAway, ""},
		{"the search has a fault inside", &script{}, &found{err: errors.New("secret detail")}, rag.AnswerFailed, "", "Something went wrong here. The fault has been logged.", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, store := desk(t, tt.search, tt.model)
			m := ask(t, d, "How do I restart?")
			require.Equal(t, tt.state, m.State)
			require.Equal(t, tt.text, m.Text)
			require.Equal(t, tt.notice, m.Notice)
			require.Equal(t, tt.by, m.Model)
			stored, err := store.Message(t.Context(), local, m.ID)
			require.NoError(t, err)
			require.Equal(t, m, stored, "what followers saw last is what is stored")
		})
	}
}

func TestRefusalAsksNoModel(t *testing.T) {
	t.Parallel()
	model := &script{chunks: []string{"x"}, stop: llm.StopEnd}
	d, _ := desk(t, &found{}, model)
	ask(t, d, "What is the capital of Atlantis?")
	require.Zero(t, model.calls)
}

func TestUnreachableModelQuotes(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]llm.Model{"not configured": nil, "not reachable": &script{err: errors.New("connection refused")}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := desk(t, &found{passages: passages()}, model)
			m := ask(t, d, "How do I restart?")
			require.Equal(t, rag.AnswerDone, m.State)
			require.Equal(t, modelExtractive, m.Model)
			require.Contains(t, []string{noticeNoModel, "The language model could not be reached. " + noticeQuoted}, m.Notice)
			require.True(t, m.Citations[0].Used)
			require.False(t, m.Citations[1].Used, "a far weaker passage is a source, not a part of the answer")
		})
	}
}

func TestQuotedStepsKeepNumbersAndCode(t *testing.T) { // T78
	t.Parallel()
	d, _ := desk(t, &found{passages: passages()[:1]}, nil)
	m := ask(t, d, "How do I restart?")
	want := "**Rotate certificates › Procedure** [1]\n\n> " + strings.ReplaceAll(steps, "\n", "\n> ")
	require.Equal(t, want, Text(m))
}

func TestEveryFollowerSeesTheSameAnswer(t *testing.T) {
	t.Parallel()
	model := &script{chunks: []string{"One ", "two ", "[1]."}, stop: llm.StopEnd, gate: make(chan struct{})}
	d, _ := desk(t, &found{passages: passages()}, model)
	_, a, err := d.Ask(t.Context(), local, 0, "How do I restart?", rag.Filter{})
	require.NoError(t, err)
	started := make(chan struct{}, 8)
	var wg sync.WaitGroup
	finals := make([]Snapshot, 8)
	for i := range finals {
		wg.Go(func() {
			first := true
			err := d.Follow(t.Context(), local, a.ID, func(s Snapshot) error {
				if first {
					first = false
					started <- struct{}{}
				}
				finals[i] = s
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range finals {
		<-started
	}
	close(model.gate)
	wg.Wait()
	for _, s := range finals {
		require.Equal(t, StageReady, s.Stage)
		require.Equal(t, "One two [1].", s.Message.Text)
	}
	again, err := d.Wait(t.Context(), local, a.ID)
	require.NoError(t, err)
	require.Equal(t, "One two [1].", again.Text)
	require.Equal(t, 1, model.calls, "reading an answer again never asks the model again")
}

func TestStopEndsTheCallAndKeepsThePart(t *testing.T) { // T71
	t.Parallel()
	model := &script{chunks: []string{"Half [1]", " never"}, stop: llm.StopEnd, gate: make(chan struct{})}
	d, store := desk(t, &found{passages: passages()}, model)
	_, a, err := d.Ask(t.Context(), local, 0, "How do I restart?", rag.Filter{})
	require.NoError(t, err)
	err = d.Follow(t.Context(), local, a.ID, func(s Snapshot) error {
		if s.Message.Text != "" && s.Stage == StageWriting {
			return d.Stop(t.Context(), local, a.ID)
		}
		return nil
	})
	require.NoError(t, err)
	m, err := store.Message(t.Context(), local, a.ID)
	require.NoError(t, err)
	require.Equal(t, rag.AnswerStopped, m.State)
	require.Equal(t, "Half [1]", m.Text)
	require.NoError(t, d.Stop(t.Context(), local, a.ID), "stopping a finished answer changes nothing")
}

func TestCloseStoresParts(t *testing.T) {
	t.Parallel()
	model := &script{chunks: []string{"Half [1]", " never"}, gate: make(chan struct{})}
	store := &memory{}
	d := NewDesk(store, &found{passages: passages()}, model, nil)
	_, a, err := d.Ask(t.Context(), local, 0, "How do I restart?", rag.Filter{})
	require.NoError(t, err)
	errSeen := errors.New("seen")
	err = d.Follow(t.Context(), local, a.ID, func(s Snapshot) error {
		if s.Message.Text != "" {
			return errSeen
		}
		return nil
	})
	require.ErrorIs(t, err, errSeen)
	require.NoError(t, d.Close(t.Context()))
	m, err := store.Message(t.Context(), local, a.ID)
	require.NoError(t, err)
	require.Equal(t, rag.AnswerBroken, m.State)
	require.Equal(t, noticeClosing, m.Notice)
	require.Equal(t, "Half [1]", m.Text)
	_, _, err = d.Ask(t.Context(), local, 0, "Another?", rag.Filter{})
	require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
}

func TestAnswerGoesOnWhenTheRequestEnds(t *testing.T) {
	t.Parallel()
	model := &script{chunks: []string{"All ", "of it [1]."}, stop: llm.StopEnd, gate: make(chan struct{})}
	d, _ := desk(t, &found{passages: passages()}, model)
	ctx, cancel := context.WithCancel(t.Context())
	_, a, err := d.Ask(ctx, local, 0, "How do I restart?", rag.Filter{})
	require.NoError(t, err)
	cancel()
	close(model.gate)
	m, err := d.Wait(t.Context(), local, a.ID)
	require.NoError(t, err)
	require.Equal(t, "All of it [1].", m.Text)
}

func TestQuestionsThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	d, _ := desk(t, &found{}, nil)
	for _, q := range []string{"", "  \n ", strings.Repeat("x", MaxQuestion+1)} {
		_, _, err := d.Ask(t.Context(), local, 0, q, rag.Filter{})
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	}
	err := d.Follow(t.Context(), local, 99, func(Snapshot) error { return nil })
	require.Equal(t, rag.CodeNotFound, rag.ErrorCode(err))
}

func TestGrowingAnswerIsStored(t *testing.T) {
	t.Parallel()
	model := &script{chunks: []string{"Half [1]", " whole."}, stop: llm.StopEnd, gate: make(chan struct{})}
	d, store := desk(t, &found{passages: passages()}, model)
	d.save = time.Millisecond
	_, a, err := d.Ask(t.Context(), local, 0, "How do I restart?", rag.Filter{})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		m, err := store.Message(t.Context(), local, a.ID)
		return err == nil && m.Text == "Half [1]" && len(m.Citations) == 2 && m.State == rag.AnswerWriting
	}, 5*time.Second, time.Millisecond)
	close(model.gate)
	m, err := d.Wait(t.Context(), local, a.ID)
	require.NoError(t, err)
	require.Equal(t, "Half [1] whole.", m.Text)
}

func TestModelFaultsAreToldApart(t *testing.T) {
	t.Parallel()
	for kind, want := range map[outbound.Kind]string{
		outbound.KindUnauthorized: "The language model refused the request; whoever runs this server finds the reason in its log.",
		outbound.KindRateLimited:  "The language model is busy.",
		outbound.KindTooLong:      "The question and its passages are too long for the language model.",
		outbound.KindUnavailable:  "The language model could not be reached.",
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			fault := rag.WithCause(&outbound.Error{Kind: kind}, rag.CodeUnavailable, "Set PASSAGE_LLM_API_KEY.")
			d, _ := desk(t, &found{passages: passages()}, &script{err: fault})
			m := ask(t, d, "How do I restart?")
			require.Equal(t, want+" "+noticeQuoted, m.Notice)
			require.Contains(t, Text(m), "systemctl restart kafka")
		})
	}
}

func TestRefusalNamesWhatCameNearest(t *testing.T) { // T63
	t.Parallel()
	d, _ := desk(t, &found{nearest: []string{"Rotate certificates", "On call"}}, nil)
	m := ask(t, d, "What is the capital of Atlantis?")
	require.Equal(t, rag.AnswerRefused, m.State)
	require.Equal(t, noticeRefused+" Nearest documents: Rotate certificates; On call.", m.Notice)
}

func TestWordsOnlyIsSaid(t *testing.T) {
	t.Parallel()
	d, _ := desk(t, &found{passages: passages(), wordsOnly: true}, nil)
	require.Equal(t, noticeWordsOnly+" "+noticeNoModel, ask(t, d, "How do I restart?").Notice)
}

func TestFaultOfTheProgramEndsOneAnswerOnly(t *testing.T) {
	t.Parallel()
	d, store := desk(t, &found{panics: true}, nil)
	m := ask(t, d, "How do I restart?")
	require.Equal(t, rag.AnswerFailed, m.State)
	require.Equal(t, "Something went wrong here. The fault has been logged.", m.Notice)
	stored, err := store.Message(t.Context(), local, m.ID)
	require.NoError(t, err)
	require.Equal(t, rag.AnswerFailed, stored.State)
}

func TestPromptFitsTheContext(t *testing.T) { // T39
	t.Parallel()
	turn := strings.Repeat("words of an earlier turn ", 200)
	var history []rag.Message
	for range 3 {
		history = append(history, rag.Message{Role: rag.RoleUser, Text: turn}, rag.Message{Role: rag.RoleAssistant, Text: turn, Model: "m"})
	}
	for _, size := range []int{2048, 4096, 8192, 128_000} {
		d := NewDesk(nil, nil, &script{context: size}, nil)
		j := job{question: "How do I restart the broker?", history: history}
		r := d.room(j)
		used := r.answer + instructionTokens + estimate(j.question) + r.passages
		for _, m := range r.history {
			used += estimate(m.Text)
		}
		require.LessOrEqual(t, used, size)
		require.GreaterOrEqual(t, r.passages, leastPassages, size)
	}
	require.LessOrEqual(t, estimate(instructions), instructionTokens+150, "the estimate is above the real count")
}

// A question that leaves the model no room is answered by quotations, whatever it
// leaves: the search gets a budget as if there were no model.
func TestQuestionsTooLongForTheModelAreQuoted(t *testing.T) { // T39
	t.Parallel()
	for _, size := range []int{2048, 4096} {
		for _, question := range []string{strings.Repeat("漢", MaxQuestion-1) + "?", "How do I " + strings.Repeat("restart ", 490) + "it?"} {
			f := &found{passages: passages()}
			d, _ := desk(t, f, &script{context: size})
			m := ask(t, d, question)
			if d.room(job{question: question}).passages >= leastPassages {
				continue // it fits into the larger one
			}
			require.Equal(t, rag.AnswerDone, m.State, m.Notice)
			require.Contains(t, m.Notice, "The question is too long for the language model.")
			require.Equal(t, retrieve.DefaultBudget, f.requests[len(f.requests)-1].BudgetTokens)
		}
	}
}

// T59b: what the reader leaves out stays out, in a follow-up too.
func TestTheFilterReachesTheSearch(t *testing.T) {
	t.Parallel()
	f := &found{passages: passages()}
	d, _ := desk(t, f, nil)
	filter := rag.Filter{Spaces: []int64{3}, DocTypes: []string{"runbook"}}
	chat, a, err := d.Ask(t.Context(), local, 0, "How do I restart?", filter)
	require.NoError(t, err)
	_, err = d.Wait(t.Context(), local, a.ID)
	require.NoError(t, err)
	_, a, err = d.Ask(t.Context(), local, chat.ID, "and on EKS?", filter)
	require.NoError(t, err)
	_, err = d.Wait(t.Context(), local, a.ID)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(f.requests), 2)
	for _, r := range f.requests {
		require.Equal(t, filter, r.Filter)
	}
}

func TestWordsThatNoDocumentMentionsAreNamed(t *testing.T) {
	t.Parallel()
	d, _ := desk(t, &found{passages: passages(), unmentioned: []string{"aspirin"}}, nil)
	require.Equal(t, "No document that was searched mentions: aspirin. "+noticeNoModel, ask(t, d, "What is the dose of aspirin?").Notice)
}
