package db

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// messageQuery reads messages m with their chats c; the caller adds the where
// clause, which must filter by the chat's owner.
const messageQuery = `
	select m.id, m.chat_id, m.role, m.body, m.state, m.notice, m.model, m.trace, m.created_at
	from messages m
	join chats c on c.id = m.chat_id`

// messageRow is a rag.Message as it stands in its table.
type messageRow struct {
	ID, ChatID    int64
	Role          rag.Role
	Body          string
	State         rag.AnswerState
	Notice, Model string
	Trace         json.RawMessage
	CreatedAt     time.Time
}

func (r messageRow) message() rag.Message {
	return rag.Message{
		ID: r.ID, ChatID: r.ChatID, Role: r.Role, Text: r.Body, State: r.State, Notice: r.Notice, Model: r.Model,
		Trace: r.Trace, Created: r.CreatedAt,
	}
}

func toMessage(row pgx.CollectableRow) (rag.Message, error) {
	r, err := pgx.RowToStructByName[messageRow](row)
	return r.message(), err
}

// readMessages reads messages with resolved citations. The condition uses @id
// and @owner.
func readMessages(ctx context.Context, tx pgx.Tx, scope rag.Scope, condition string, id int64) ([]rag.Message, error) {
	rows, err := tx.Query(ctx, messageQuery+condition, pgx.StrictNamedArgs{"id": id, "owner": scope.User})
	if err != nil {
		return nil, wrap(err, "read messages")
	}
	messages, err := pgx.CollectRows(rows, toMessage)
	if err != nil {
		return nil, wrap(err, "read messages")
	}
	ids := make([]int64, len(messages))
	for i := range messages {
		ids[i] = messages[i].ID
	}
	citations, err := readCitations(ctx, tx, scope, ids)
	if err != nil {
		return nil, err
	}
	for i := range messages {
		messages[i].Citations = citations[messages[i].ID]
	}
	return messages, nil
}

// Message reads a message of one of the user's chats. Errors: CodeNotFound.
func (s *Store) Message(ctx context.Context, scope rag.Scope, id int64) (rag.Message, error) {
	var message rag.Message
	err := s.read(ctx, func(tx pgx.Tx) error {
		messages, err := readMessages(ctx, tx, scope, `
			where m.id = @id and c.owner = @owner and @owner <> ''`, id)
		if err != nil {
			return err
		}
		if len(messages) == 0 {
			return orNotFound(pgx.ErrNoRows, "message")
		}
		message = messages[0]
		return nil
	})
	return message, wrap(err, "read message %d", id)
}

// AddQuestion adds a question to a chat of the user, and the answer to it, empty
// and being written. Errors: CodeInvalid for an empty question, CodeNotFound.
func (s *Store) AddQuestion(ctx context.Context, scope rag.Scope, chatID int64, question string) (asked, answer rag.Message, err error) {
	question = strings.TrimSpace(clean(question))
	if question == "" {
		return asked, answer, rag.Errorf(rag.CodeInvalid, "Please type a question.")
	}
	err = s.write(ctx, func(tx pgx.Tx) error {
		// The changed row also makes two questions to one chat take turns, so
		// that each stands beside its answer.
		tag, err := tx.Exec(ctx, `
			update chats set updated_at = clock_timestamp()
			where id = @id and owner = @owner and @owner <> ''`,
			pgx.StrictNamedArgs{"id": chatID, "owner": scope.User})
		if err := affected(tag, err, "chat"); err != nil {
			return err
		}
		if asked, err = addMessage(ctx, tx, chatID, rag.RoleUser, question, rag.AnswerDone); err != nil {
			return err
		}
		answer, err = addMessage(ctx, tx, chatID, rag.RoleAssistant, "", rag.AnswerWriting)
		return err
	})
	return asked, answer, wrap(err, "add a question to chat %d", chatID)
}

func addMessage(ctx context.Context, tx pgx.Tx, chatID int64, role rag.Role, text string, state rag.AnswerState) (rag.Message, error) {
	rows, err := tx.Query(ctx, `
		insert into messages (chat_id, role, body, state)
		values (@chat, @role, @body, @state)
		returning id, chat_id, role, body, state, notice, model, trace, created_at`,
		pgx.StrictNamedArgs{"chat": chatID, "role": string(role), "body": text, "state": string(state)})
	if err != nil {
		return rag.Message{}, wrap(err, "add a message")
	}
	message, err := pgx.CollectExactlyOneRow(rows, toMessage)
	return message, wrap(err, "add a message")
}

// SaveAnswer keeps what is there of an answer that is still being written, with
// the citations known so far. Errors: CodeNotFound, CodeConflict when it is no
// longer being written.
func (s *Store) SaveAnswer(ctx context.Context, scope rag.Scope, id int64, text string, citations []rag.Citation) error {
	return s.updateAnswer(ctx, scope, rag.Message{ID: id, Text: text, State: rag.AnswerWriting, Citations: citations})
}

// FinishAnswer stores the final text, state, notice, model, citations and trace
// of an answer, named by its ID. Errors: CodeInvalid for a state that is not
// final, CodeNotFound, CodeConflict when it is no longer being written.
func (s *Store) FinishAnswer(ctx context.Context, scope rag.Scope, m rag.Message) error {
	if m.State == rag.AnswerWriting || m.State == "" {
		return rag.Errorf(rag.CodeInvalid, "An answer ends in a final state.")
	}
	return s.updateAnswer(ctx, scope, m)
}

func (s *Store) updateAnswer(ctx context.Context, scope rag.Scope, m rag.Message) error {
	err := s.write(ctx, func(tx pgx.Tx) error {
		if err := claimAnswer(ctx, tx, scope, m.ID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			update messages
			set body = @body, state = @state, notice = @notice, model = @model, trace = @trace::jsonb,
			    updated_at = clock_timestamp()
			where id = @id`,
			pgx.StrictNamedArgs{
				"id": m.ID, "body": clean(m.Text), "state": string(m.State), "notice": clean(m.Notice),
				"model": clean(m.Model), "trace": cleanJSON(m.Trace),
			})
		if err != nil {
			return err
		}
		return writeCitations(ctx, tx, scope, m.ID, m.Citations)
	})
	return wrap(err, "save answer %d", m.ID)
}

// claimAnswer locks an answer of the user that is still being written. Its key
// stays free: deleting a cited document looks at the messages that cite it.
func claimAnswer(ctx context.Context, tx pgx.Tx, scope rag.Scope, id int64) error {
	var state rag.AnswerState
	err := tx.QueryRow(ctx, `
		select m.state
		from messages m
		join chats c on c.id = m.chat_id
		where m.id = @id and m.role = 'assistant' and c.owner = @owner and @owner <> ''
		for no key update of m`,
		pgx.StrictNamedArgs{"id": id, "owner": scope.User}).Scan(&state)
	if err != nil {
		return orNotFound(err, "answer")
	}
	if state != rag.AnswerWriting {
		return rag.Errorf(rag.CodeConflict, "The answer is finished already.")
	}
	return nil
}

// AbandonAnswers marks answers as broken that are said to be written but were
// not saved for longer than idle: the process that wrote them is gone. It gives
// their number.
func (s *Store) AbandonAnswers(ctx context.Context, idle time.Duration, notice string) (int, error) {
	tag, err := s.pool.Exec(ctx, `
		update messages set state = 'broken', notice = @notice, updated_at = clock_timestamp()
		where state = 'writing' and updated_at <= clock_timestamp() - @idle::interval`,
		pgx.StrictNamedArgs{"notice": clean(notice), "idle": idle})
	return int(tag.RowsAffected()), wrap(err, "abandon answers")
}
