package db_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// ask starts a chat of the scope's user with one question.
func (b bundle) ask(t *testing.T, scope rag.Scope) (rag.Chat, rag.Message) {
	t.Helper()
	chat, err := b.CreateChat(t.Context(), scope, "How do I rotate?")
	require.NoError(t, err)
	_, answer, err := b.AddQuestion(t.Context(), scope, chat.ID, "How do I rotate?")
	require.NoError(t, err)
	return chat, answer
}

func TestChatLifecycle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	first, err := b.CreateChat(ctx, b.opsScope, "  First\n chat ")
	require.NoError(t, err)
	require.Equal(t, "First chat", first.Title)
	require.Equal(t, "olga", first.Owner)
	second, err := b.CreateChat(ctx, b.opsScope, strings.Repeat("ä", 500))
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("ä", 199)+"…", second.Title)
	_, err = b.CreateChat(ctx, b.opsScope, " \x00")
	requireCode(t, rag.CodeInvalid, err)
	_, err = b.CreateChat(ctx, rag.Scope{All: true}, "Nobody asks")
	requireCode(t, rag.CodeInvalid, err)

	asked, answer, err := b.AddQuestion(ctx, b.opsScope, first.ID, " What\x00? ")
	require.NoError(t, err)
	require.Equal(t, "What?", asked.Text)
	require.Equal(t, rag.RoleUser, asked.Role)
	require.Equal(t, rag.AnswerDone, asked.State)
	require.Equal(t, rag.RoleAssistant, answer.Role)
	require.Equal(t, rag.AnswerWriting, answer.State)
	require.Empty(t, answer.Text)
	_, _, err = b.AddQuestion(ctx, b.opsScope, first.ID, "  ")
	requireCode(t, rag.CodeInvalid, err)

	chats, err := b.Chats(ctx, b.opsScope, 10)
	require.NoError(t, err)
	require.Len(t, chats, 2)
	require.Equal(t, first.ID, chats[0].ID, "the chat asked last is first")
	require.True(t, chats[0].Updated.After(first.Updated))
	chats, err = b.Chats(ctx, b.opsScope, 1)
	require.NoError(t, err)
	require.Len(t, chats, 1)

	chat, messages, err := b.Chat(ctx, b.opsScope, first.ID)
	require.NoError(t, err)
	require.Equal(t, "First chat", chat.Title)
	require.Equal(t, []rag.Message{asked, answer}, messages)

	require.NoError(t, b.RenameChat(ctx, b.opsScope, first.ID, "Renamed"))
	requireCode(t, rag.CodeInvalid, b.RenameChat(ctx, b.opsScope, first.ID, ""))
	require.NoError(t, b.DeleteChat(ctx, b.opsScope, second.ID))
	requireCode(t, rag.CodeNotFound, b.DeleteChat(ctx, b.opsScope, second.ID))
	chats, err = b.Chats(ctx, b.opsScope, 10)
	require.NoError(t, err)
	require.Len(t, chats, 1)
	require.Equal(t, "Renamed", chats[0].Title)
}

// T74: somebody else's chat does not exist, not even for who reads all spaces.
func TestChatsBelongToTheirUser(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	chat, answer := b.ask(t, b.opsScope)
	for _, scope := range []rag.Scope{b.clinicScope, everything, {}, {All: true}} {
		chats, err := b.Chats(ctx, scope, 10)
		require.NoError(t, err)
		require.Empty(t, chats)
		_, _, err = b.Chat(ctx, scope, chat.ID)
		requireCode(t, rag.CodeNotFound, err)
		_, err = b.Message(ctx, scope, answer.ID)
		requireCode(t, rag.CodeNotFound, err)
		requireCode(t, rag.CodeNotFound, b.RenameChat(ctx, scope, chat.ID, "Mine"))
		requireCode(t, rag.CodeNotFound, b.DeleteChat(ctx, scope, chat.ID))
		_, _, err = b.AddQuestion(ctx, scope, chat.ID, "Mine?")
		requireCode(t, rag.CodeNotFound, err)
		requireCode(t, rag.CodeNotFound, b.SaveAnswer(ctx, scope, answer.ID, "Mine", nil))
		requireCode(t, rag.CodeNotFound, b.FinishAnswer(ctx, scope, rag.Message{ID: answer.ID, State: rag.AnswerDone}))
	}
}

func TestAnswerIsSavedThenFinished(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	live := b.put(t, version(b.ops, "a.md", rotate))
	chat, answer := b.ask(t, b.opsScope)
	cited := rag.Citation{Number: 1, Used: true, DocID: live.DocumentID, VersionID: live.VersionID, Span: rag.Span{Start: 12, End: 38}}

	require.NoError(t, b.SaveAnswer(ctx, b.opsScope, answer.ID, "Half", []rag.Citation{cited}))
	m, err := b.Message(ctx, b.opsScope, answer.ID)
	require.NoError(t, err)
	require.Equal(t, "Half", m.Text)
	require.Equal(t, rag.AnswerWriting, m.State)
	require.Len(t, m.Citations, 1)

	requireCode(t, rag.CodeInvalid, b.FinishAnswer(ctx, b.opsScope, rag.Message{ID: answer.ID, State: rag.AnswerWriting}))
	final := rag.Message{
		ID: answer.ID, Text: "Whole [1] [2]\x00", State: rag.AnswerDone, Notice: "Said.", Model: "extractive",
		Citations: []rag.Citation{cited, {Number: 2, DocID: live.DocumentID, VersionID: live.VersionID, Span: rag.Span{Start: 0, End: 11}}},
		Trace:     json.RawMessage(`{"question": "a\u0000b"}`),
	}
	require.NoError(t, b.FinishAnswer(ctx, b.opsScope, final))
	m, err = b.Message(ctx, b.opsScope, answer.ID)
	require.NoError(t, err)
	require.Equal(t, chat.ID, m.ChatID)
	require.Equal(t, "Whole [1] [2]", m.Text)
	require.Equal(t, rag.AnswerDone, m.State)
	require.Equal(t, "Said.", m.Notice)
	require.Equal(t, "extractive", m.Model)
	require.JSONEq(t, `{"question": "ab"}`, string(m.Trace))
	require.Len(t, m.Citations, 2)

	requireCode(t, rag.CodeConflict, b.FinishAnswer(ctx, b.opsScope, final))
	requireCode(t, rag.CodeConflict, b.SaveAnswer(ctx, b.opsScope, answer.ID, "Late", nil))
	question := b.count(t, "select id from messages where role = 'user'")
	requireCode(t, rag.CodeNotFound, b.SaveAnswer(ctx, b.opsScope, int64(question), "Forged", nil))
}

// At a start, answers whose process is gone are marked; fresh ones are not.
func TestAbandonAnswers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	_, stale := b.ask(t, b.opsScope)
	_, fresh := b.ask(t, b.clinicScope)
	_, done := b.ask(t, everything)
	require.NoError(t, b.SaveAnswer(ctx, b.opsScope, stale.ID, "Part", nil))
	require.NoError(t, b.FinishAnswer(ctx, everything, rag.Message{ID: done.ID, State: rag.AnswerRefused}))
	_, err := b.Pool().Exec(ctx, "update messages set updated_at = now() - interval '1 hour' where id in ($1, $2)", stale.ID, done.ID)
	require.NoError(t, err)

	n, err := b.AbandonAnswers(ctx, time.Minute, "The server was restarted.")
	require.NoError(t, err)
	require.Equal(t, 1, n)
	m, err := b.Message(ctx, b.opsScope, stale.ID)
	require.NoError(t, err)
	require.Equal(t, rag.AnswerBroken, m.State)
	require.Equal(t, "Part", m.Text)
	require.Equal(t, "The server was restarted.", m.Notice)
	m, err = b.Message(ctx, b.clinicScope, fresh.ID)
	require.NoError(t, err)
	require.Equal(t, rag.AnswerWriting, m.State)
	n, err = b.AbandonAnswers(ctx, 0, "The server was restarted.")
	require.NoError(t, err)
	require.Equal(t, 1, n)
}
