package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"passage/rag"
)

// SQLSTATE codes, https://www.postgresql.org/docs/current/errcodes-appendix.html
const (
	stateUniqueViolation  = "23505"
	stateNoPrivilege      = "42501"
	stateQueryCanceled    = "57014"
	stateTooManyConns     = "53300"
	stateNoDatabase       = "3D000"
	stateUndefinedTable   = "42P01"
	stateReadOnly         = "25006"
	classConnection       = "08"
	classAuthentication   = "28"
	classOperatorShutdown = "57P"
)

// wrap says what was being done and gives faults of the database the code and
// the sentence that a user may read. An error that has a code keeps it.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), coded(err))
}

func coded(err error) error {
	var known *rag.Error
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, pgx.ErrNoRows):
		return rag.WithCause(err, rag.CodeNotFound, "It is not there, or you may not read it.")
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &pg):
		return codedState(err, pg.Code)
	case errors.Is(err, context.DeadlineExceeded), unreachable(err):
		return rag.WithCause(err, rag.CodeUnavailable, "The database cannot be reached. Please try again in a moment.")
	}
	return err
}

// codedState codes an error that the server itself reported.
func codedState(err error, state string) error {
	switch {
	case state == stateUniqueViolation:
		return rag.WithCause(err, rag.CodeConflict, "It was changed by somebody else meanwhile. Please try again.")
	case state == stateQueryCanceled:
		return rag.WithCause(err, rag.CodeUnavailable, "The database took too long. Please try again in a moment.")
	case state == stateTooManyConns:
		return rag.WithCause(err, rag.CodeUnavailable, "The database has no connection left. Please try again in a moment.")
	case state == stateReadOnly:
		return rag.WithCause(err, rag.CodeUnavailable, "The database takes no changes at present. Please try again later.")
	case state == stateUndefinedTable:
		return rag.WithCause(err, rag.CodeUnavailable, "The database is not prepared yet. Run `web migrate`.")
	case state == stateNoDatabase:
		return rag.WithCause(err, rag.CodeUnavailable, "There is no such database. Create it, or correct DATABASE_URL.")
	case strings.HasPrefix(state, classAuthentication):
		return rag.WithCause(err, rag.CodeUnavailable, "The database refuses the user or the password in DATABASE_URL.")
	case strings.HasPrefix(state, classConnection), strings.HasPrefix(state, classOperatorShutdown):
		return rag.WithCause(err, rag.CodeUnavailable, "The database cannot be reached. Please try again in a moment.")
	}
	return err
}

// unreachable says that the connection, not the query, went wrong.
func unreachable(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// invalidDSN hides the connection string, which may hold a password.
func invalidDSN(err error) error {
	return rag.WithCause(err, rag.CodeInvalid,
		"DATABASE_URL cannot be read. It looks like postgres://user:password@host:5432/name.")
}

// orNotFound turns "no row" into an error that names the thing.
func orNotFound(err error, thing string) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return rag.WithCause(err, rag.CodeNotFound, "There is no such %s.", thing)
	}
	return err
}

// affected is orNotFound for a statement that changes one row.
func affected(tag pgconn.CommandTag, err error, thing string) error {
	if err == nil && tag.RowsAffected() == 0 {
		err = pgx.ErrNoRows
	}
	return orNotFound(err, thing)
}
