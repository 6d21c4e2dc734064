package db

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"passage/rag"
)

func TestEncodingIsChecked(t *testing.T) {
	t.Parallel()
	require.NoError(t, checkEncoding("UTF8"))
	err := checkEncoding("SQL_ASCII")
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	require.Contains(t, rag.ErrorMessage(err), "encoding 'UTF8'")
}

func TestWrapCodesFaults(t *testing.T) {
	t.Parallel()
	state := func(code string) error { return &pgconn.PgError{Code: code, Message: "secret internals"} }
	for name, test := range map[string]struct {
		err  error
		code rag.Code
	}{
		"no row":                 {pgx.ErrNoRows, rag.CodeNotFound},
		"known already":          {rag.Errorf(rag.CodeTooLarge, "Too large."), rag.CodeTooLarge},
		"unique violation":       {state("23505"), rag.CodeConflict},
		"foreign key violation":  {state("23503"), rag.CodeInternal},
		"statement timeout":      {state("57014"), rag.CodeUnavailable},
		"server shuts down":      {state("57P01"), rag.CodeUnavailable},
		"server starts up":       {state("57P03"), rag.CodeUnavailable},
		"too many connections":   {state("53300"), rag.CodeUnavailable},
		"wrong password":         {state("28P01"), rag.CodeUnavailable},
		"no such database":       {state("3D000"), rag.CodeUnavailable},
		"not migrated":           {state("42P01"), rag.CodeUnavailable},
		"read-only":              {state("25006"), rag.CodeUnavailable},
		"connection failure":     {state("08006"), rag.CodeUnavailable},
		"connection cut":         {fmt.Errorf("read: %w", io.ErrUnexpectedEOF), rag.CodeUnavailable},
		"deadline":               {context.DeadlineExceeded, rag.CodeUnavailable},
		"cancelled by the asker": {context.Canceled, rag.CodeInternal},
		"anything else":          {errors.New("odd"), rag.CodeInternal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := wrap(test.err, "read document %d", 7)
			require.Equal(t, test.code, rag.ErrorCode(err))
			require.ErrorIs(t, err, test.err)
			require.Contains(t, err.Error(), "read document 7: ")
			require.NotContains(t, rag.ErrorMessage(err), "secret")
		})
	}
	require.NoError(t, wrap(nil, "read"))
}

func TestMissingPrivilegeIsExplained(t *testing.T) {
	t.Parallel()
	err := wrap(noPrivilege(fmt.Errorf("run SQL migration: %w", &pgconn.PgError{Code: "42501"})), "migrate the database")
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	require.Contains(t, rag.ErrorMessage(err), "grant create on schema public")
}

func TestCleanJSON(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		``:                       ``,
		`{"q":"a"}`:              `{"q":"a"}`,
		`{"q":"a\u0000b\u00e9"}`: `{"q":"ab\u00e9"}`,
		`{"q":"a\\u0000b"}`:      `{"q":"a\\u0000b"}`,
		`{"q":"a\\\u0000b\""}`:   `{"q":"a\\b\""}`,
	} {
		require.Equal(t, want, string(cleanJSON(json.RawMessage(in))))
	}
}

func TestStoredTerm(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("eyJhbGciOi", 300) // T17: a token of 3,000 bytes
	require.Equal(t, "err-4012", storedTerm("err-4012"))
	require.Equal(t, strings.Repeat("x", 200), storedTerm(strings.Repeat("x", 200)))
	require.Len(t, storedTerm(long), len("sha256:")+64)
	require.NotEqual(t, storedTerm(long), storedTerm(long+"x"))
	require.Empty(t, storedTerm("a\x00b"))
	require.Empty(t, storedTerm("\xff"))
	require.Empty(t, storedTerm(""))
}

func TestPostingsCountEveryTerm(t *testing.T) {
	t.Parallel()
	units := []rag.Unit{{Ordinal: 0}, {Ordinal: 1}, {Ordinal: 2}}
	index := []rag.UnitIndex{
		{Terms: []string{"b", "a", "b"}},
		{Terms: nil},
		{Terms: []string{"b", "\x00"}},
	}
	list := postingsOf(units, index)
	require.Len(t, list, 2)
	require.Equal(t, posting{term: "a", ordinals: []int{0}, counts: []int{1}, lengths: []int{3}}, *list[0])
	require.Equal(t, posting{term: "b", ordinals: []int{0, 2}, counts: []int{2, 1}, lengths: []int{3, 1}}, *list[1])
}

func TestFitsCutsNoCharacter(t *testing.T) {
	t.Parallel()
	text := "Größe" // ö at bytes 2–4, ß at 4–6
	require.True(t, fits(text, rag.Span{Start: 2, End: 4}))
	require.True(t, fits(text, rag.Span{Start: 0, End: len(text)}))
	require.False(t, fits(text, rag.Span{Start: 3, End: 4}))
	require.False(t, fits(text, rag.Span{Start: 2, End: 5}))
	require.False(t, fits(text, rag.Span{Start: 0, End: len(text) + 1}))
	require.False(t, fits(text, rag.Span{Start: -1, End: 2}))
	require.False(t, fits(text, rag.Span{Start: 4, End: 2}))
}
