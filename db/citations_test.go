package db_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"passage/rag"
)

// A citation comes back with the text of the version that was cited.
func TestCitationsResolve(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const text = "Größe Ä.\n# Rotate\nWert 🩺 lesen.\n"
	v := version(b.ops, "https://wiki.test/a", text)
	v.Date = time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)
	v.Pages = []int{0, 12, 22}
	live := b.put(t, v)
	_, answer := b.ask(t, b.opsScope)
	unit := v.Outline.Units[2]
	want := rag.Citation{
		Number: 3, Used: true, DocID: live.DocumentID, VersionID: live.VersionID, Span: unit.Span,
		Header: v.Outline.Units[0].Span,
		Marks:  []rag.Mark{{UnitID: 5, Span: unit.Span, Score: 0.25}},
		Parts:  []rag.Part{{Procedure: 1, Section: 1, From: 1, To: 2, N: 6, Span: unit.Span}},
		Gaps:   []rag.Span{{Start: unit.Span.Start + 5, End: unit.Span.Start + 9}},
	}
	bare := rag.Citation{Number: 20, DocID: live.DocumentID, VersionID: live.VersionID, Span: rag.Span{Start: 0, End: 3}}
	require.NoError(t, b.FinishAnswer(t.Context(), b.opsScope, rag.Message{
		ID: answer.ID, State: rag.AnswerDone, Citations: []rag.Citation{bare, want},
	}))

	m, err := b.Message(t.Context(), b.opsScope, answer.ID)
	require.NoError(t, err)
	want.Title, want.SourceURI, want.DocType, want.Date = v.Title, v.SourceURI, "runbook", v.Date
	want.Pages = rag.PagesOf(v.Pages, unit.Span)
	want.Path, want.Text, want.HeaderText = []string{"Rotate"}, "Wert 🩺 lesen.", "Größe Ä."
	require.Len(t, m.Citations, 2)
	require.Empty(t, cmp.Diff(want, m.Citations[0]))
	require.Equal(t, 20, m.Citations[1].Number)
	require.Equal(t, "Gr", m.Citations[1].Text[:2])
	require.Empty(t, m.Citations[1].HeaderText)
	require.Equal(t, "Wert […] lesen.", m.Citations[0].Shown())
	require.Empty(t, m.Citations[1].Marks)
	require.Empty(t, m.Citations[1].Gaps)
	require.Empty(t, m.Citations[1].Path)
}

// T75: a citation of what was replaced shows what was cited, and says so.
func TestCitationOfAnOldVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.answered(t, func(live rag.Live, message func() rag.Citation) {
		require.False(t, message().Newer)
		second := version(b.ops, "a.md", "Kept for 270 days.\n")
		second.Title = "New title"
		b.put(t, second)
		c := message()
		require.True(t, c.Newer)
		require.False(t, c.Deleted)
		require.Equal(t, live.VersionID, c.VersionID)
		require.Equal(t, "Kept for 180 days.", c.Text)
		require.Equal(t, "About a.md", c.Title)
	})
}

// T42: what is deleted is gone from old chats too.
func TestCitationOfADeletedDocument(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.answered(t, func(live rag.Live, message func() rag.Citation) {
		require.NoError(t, b.DeleteDocument(t.Context(), everything, live.DocumentID))
		require.Equal(t, rag.Citation{Number: 1, Used: true, Deleted: true}, message())
	})
}

// T74: when the right to read is withdrawn, old citations close as well.
func TestCitationOutOfScope(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.answered(t, func(_ rag.Live, _ func() rag.Citation) {
		for _, spaces := range [][]int64{nil, {b.clinic.ID}} {
			scope := rag.Scope{User: b.opsScope.User, Spaces: spaces}
			chats, err := b.Chats(t.Context(), scope, 1)
			require.NoError(t, err)
			_, messages, err := b.Chat(t.Context(), scope, chats[0].ID)
			require.NoError(t, err)
			require.Equal(t, []rag.Citation{{Number: 1, Used: true, Deleted: true}}, messages[1].Citations)
		}
	})
}

// answered puts a document and an answer that cites it.
func (b bundle) answered(t *testing.T, then func(live rag.Live, message func() rag.Citation)) {
	t.Helper()
	live := b.put(t, version(b.ops, "a.md", "Kept for 180 days.\n"))
	_, answer := b.ask(t, b.opsScope)
	require.NoError(t, b.FinishAnswer(t.Context(), b.opsScope, rag.Message{
		ID: answer.ID, State: rag.AnswerDone, Citations: []rag.Citation{{
			Number: 1, Used: true, DocID: live.DocumentID, VersionID: live.VersionID, Span: rag.Span{Start: 0, End: 18},
		}},
	}))
	then(live, func() rag.Citation {
		t.Helper()
		m, err := b.Message(t.Context(), b.opsScope, answer.ID)
		require.NoError(t, err)
		require.Len(t, m.Citations, 1)
		return m.Citations[0]
	})
}

// An answer that cites what was deleted, or what its asker may not read, is
// still stored, and the citation says that it is gone.
func TestCitingWhatIsNotThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	live := b.put(t, version(b.ops, "a.md", rotate))
	gone := b.put(t, version(b.ops, "b.md", "Gone.\n"))
	foreign := b.put(t, version(b.clinic, "c.md", "Foreign.\n"))
	require.NoError(t, b.DeleteDocument(t.Context(), everything, gone.DocumentID))
	_, answer := b.ask(t, b.opsScope)
	var citations []rag.Citation
	for i, l := range []rag.Live{live, gone, foreign, {DocumentID: live.DocumentID, VersionID: foreign.VersionID}} {
		citations = append(citations, rag.Citation{Number: i + 1, DocID: l.DocumentID, VersionID: l.VersionID, Span: rag.Span{Start: 0, End: 4}})
	}
	require.NoError(t, b.FinishAnswer(t.Context(), b.opsScope, rag.Message{ID: answer.ID, State: rag.AnswerDone, Citations: citations}))
	m, err := b.Message(t.Context(), b.opsScope, answer.ID)
	require.NoError(t, err)
	require.Len(t, m.Citations, 4)
	for i, c := range m.Citations {
		require.Equal(t, i > 0, c.Deleted, "citation %d", c.Number)
	}
	require.Equal(t, 1, b.count(t, "select count(*) from citations where document_id is not null"))
}

// A document is deleted while an answer that cites it is about to be finished:
// the deletion looks at the citing message, which must not be locked away.
func TestFinishWaitsForADeletion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	live := b.put(t, version(b.ops, "a.md", rotate))
	_, answer := b.ask(t, b.opsScope)
	cited := []rag.Citation{{Number: 1, DocID: live.DocumentID, VersionID: live.VersionID, Span: rag.Span{Start: 0, End: 4}}}
	require.NoError(t, b.SaveAnswer(t.Context(), b.opsScope, answer.ID, "Part", cited))
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	defer tx.Rollback(t.Context()) //nolint:errcheck // for a test that stops early
	_, err = tx.Exec(t.Context(), "select from documents where id = $1 for update", live.DocumentID)
	require.NoError(t, err)
	finished := make(chan error, 1)
	ctx := t.Context()
	go func() {
		finished <- b.FinishAnswer(ctx, b.opsScope, rag.Message{ID: answer.ID, State: rag.AnswerDone, Citations: cited})
	}()
	b.waitForLock(t)
	_, err = tx.Exec(t.Context(), "delete from documents where id = $1", live.DocumentID)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-finished)
	m, err := b.Message(t.Context(), b.opsScope, answer.ID)
	require.NoError(t, err)
	require.Equal(t, []rag.Citation{{Number: 1, Deleted: true}}, m.Citations)
}

// Answers that cite the same documents in another order and their deletion at
// the same time do not wait for each other.
func TestCitingWhileDeleting(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 5 {
		one := b.put(t, version(b.ops, "a.md", rotate))
		two := b.put(t, version(b.ops, "b.md", "Second.\n"))
		cite := func(lives ...rag.Live) []rag.Citation {
			var list []rag.Citation
			for i, l := range lives {
				list = append(list, rag.Citation{Number: i + 1, DocID: l.DocumentID, VersionID: l.VersionID, Span: rag.Span{Start: 0, End: 4}})
			}
			return list
		}
		_, left := b.ask(t, b.opsScope)
		_, right := b.ask(t, b.opsScope)
		var group sync.WaitGroup
		errs := make([]error, 4)
		for i, work := range []func() error{
			func() error {
				if err := b.SaveAnswer(t.Context(), b.opsScope, left.ID, "a", cite(one, two)); err != nil {
					return err
				}
				return b.FinishAnswer(t.Context(), b.opsScope, rag.Message{ID: left.ID, State: rag.AnswerDone, Citations: cite(two, one)})
			},
			func() error {
				return b.FinishAnswer(t.Context(), b.opsScope, rag.Message{ID: right.ID, State: rag.AnswerDone, Citations: cite(two, one)})
			},
			func() error { return b.DeleteDocument(t.Context(), everything, one.DocumentID) },
			func() error { return b.DeleteDocument(t.Context(), everything, two.DocumentID) },
		} {
			group.Go(func() { errs[i] = work() })
		}
		group.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		require.Zero(t, b.count(t, "select count(*) from citations where document_id is not null or version_id is not null"))
	}
}
