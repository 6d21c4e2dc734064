package db

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// maxChatTitle is where a chat's title is cut, in characters.
const maxChatTitle = 200

// chatRow is a rag.Chat as it stands in its table.
type chatRow struct {
	ID                   int64
	Owner, Title         string
	CreatedAt, UpdatedAt time.Time
}

func (r chatRow) chat() rag.Chat {
	return rag.Chat{ID: r.ID, Owner: r.Owner, Title: r.Title, Created: r.CreatedAt, Updated: r.UpdatedAt}
}

func toChat(row pgx.CollectableRow) (rag.Chat, error) {
	r, err := pgx.RowToStructByName[chatRow](row)
	return r.chat(), err
}

// chatTitle makes one line of a title that is not too long.
func chatTitle(title string) (string, error) {
	title = strings.Join(strings.Fields(clean(title)), " ")
	if title == "" {
		return "", rag.Errorf(rag.CodeInvalid, "A chat needs a title.")
	}
	if runes := []rune(title); len(runes) > maxChatTitle {
		title = string(runes[:maxChatTitle-1]) + "…"
	}
	return title, nil
}

// CreateChat starts a chat of the scope's user. Errors: CodeInvalid for an
// empty title or a scope without a user.
func (s *Store) CreateChat(ctx context.Context, scope rag.Scope, title string) (rag.Chat, error) {
	title, err := chatTitle(title)
	if err != nil {
		return rag.Chat{}, err
	}
	if scope.User == "" {
		return rag.Chat{}, rag.Errorf(rag.CodeInvalid, "A chat needs somebody who asks.")
	}
	rows, err := s.pool.Query(ctx, `
		insert into chats (owner, title) values (@owner, @title)
		returning id, owner, title, created_at, updated_at`,
		pgx.StrictNamedArgs{"owner": scope.User, "title": title})
	if err != nil {
		return rag.Chat{}, wrap(err, "create a chat")
	}
	chat, err := pgx.CollectExactlyOneRow(rows, toChat)
	return chat, wrap(err, "create a chat")
}

// Chats lists the user's chats, the one changed last first.
func (s *Store) Chats(ctx context.Context, scope rag.Scope, limit int) ([]rag.Chat, error) {
	rows, err := s.pool.Query(ctx, `
		select id, owner, title, created_at, updated_at
		from chats
		where owner = @owner and @owner <> ''
		order by updated_at desc, id desc
		limit @limit`, pgx.StrictNamedArgs{"owner": scope.User, "limit": max(limit, 0)})
	if err != nil {
		return nil, wrap(err, "list chats")
	}
	chats, err := pgx.CollectRows(rows, toChat)
	return chats, wrap(err, "list chats")
}

// Chat reads a chat of the user with its messages, in order, and their
// citations. Errors: CodeNotFound.
func (s *Store) Chat(ctx context.Context, scope rag.Scope, id int64) (rag.Chat, []rag.Message, error) {
	var chat rag.Chat
	var messages []rag.Message
	err := s.read(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			select id, owner, title, created_at, updated_at
			from chats
			where id = @id and owner = @owner and @owner <> ''`,
			pgx.StrictNamedArgs{"id": id, "owner": scope.User})
		if err != nil {
			return err
		}
		if chat, err = pgx.CollectExactlyOneRow(rows, toChat); err != nil {
			return orNotFound(err, "chat")
		}
		messages, err = readMessages(ctx, tx, scope, `
			where m.chat_id = @id and c.owner = @owner and @owner <> ''
			order by m.id`, id)
		return err
	})
	return chat, messages, wrap(err, "read chat %d", id)
}

// RenameChat gives a chat of the user another title. Errors: CodeInvalid for
// an empty one, CodeNotFound.
func (s *Store) RenameChat(ctx context.Context, scope rag.Scope, id int64, title string) error {
	title, err := chatTitle(title)
	if err != nil {
		return err
	}
	tag, err := s.pool.Exec(ctx, `
		update chats set title = @title
		where id = @id and owner = @owner and @owner <> ''`,
		pgx.StrictNamedArgs{"id": id, "owner": scope.User, "title": title})
	return wrap(affected(tag, err, "chat"), "rename chat %d", id)
}

// DeleteChat removes a chat of the user with its messages. Errors: CodeNotFound.
func (s *Store) DeleteChat(ctx context.Context, scope rag.Scope, id int64) error {
	tag, err := s.pool.Exec(ctx, `
		delete from chats
		where id = @id and owner = @owner and @owner <> ''`,
		pgx.StrictNamedArgs{"id": id, "owner": scope.User})
	return wrap(affected(tag, err, "chat"), "delete chat %d", id)
}
