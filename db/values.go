package db

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"passage/rag"
)

// byteRange is a rag.Span as an int4range; an empty span is 'empty' wherever
// it stood.
type byteRange rag.Span

// IsNull implements pgtype.RangeValuer.
func (r *byteRange) IsNull() bool { return r == nil }

// BoundTypes implements pgtype.RangeValuer.
func (r *byteRange) BoundTypes() (lower, upper pgtype.BoundType) {
	if r.End <= r.Start {
		return pgtype.Empty, pgtype.Empty
	}
	return pgtype.Inclusive, pgtype.Exclusive
}

// Bounds implements pgtype.RangeValuer.
func (r *byteRange) Bounds() (lower, upper any) { return r.Start, r.End }

// ScanNull implements pgtype.RangeScanner.
func (r *byteRange) ScanNull() error {
	*r = byteRange{}
	return nil
}

// ScanBounds implements pgtype.RangeScanner.
func (r *byteRange) ScanBounds() (lower, upper any) { return &r.Start, &r.End }

// SetBoundTypes implements pgtype.RangeScanner. Postgres normalises int4range
// to [lower, upper).
func (r *byteRange) SetBoundTypes(lower, upper pgtype.BoundType) error {
	switch {
	case lower == pgtype.Empty:
		*r = byteRange{}
	case lower != pgtype.Inclusive || upper != pgtype.Exclusive:
		return errors.New("a range of bytes without a start or an end")
	}
	return nil
}

func rangeOf(s rag.Span) *byteRange { return &byteRange{Start: s.Start, End: s.End} }

func rangesOf(spans []rag.Span) []*byteRange {
	out := make([]*byteRange, len(spans))
	for i, s := range spans {
		out[i] = rangeOf(s)
	}
	return out
}

// scopeArgs adds what every read filters by: @all_spaces and @scope_spaces.
func scopeArgs(scope rag.Scope, args pgx.StrictNamedArgs) pgx.StrictNamedArgs {
	out := pgx.StrictNamedArgs{"all_spaces": scope.All, "scope_spaces": scope.Spaces}
	maps.Copy(out, args)
	return out
}

// filterArgs adds the scope and what a search is narrowed to: @spaces and
// @doc_types (ids), null when not narrowed.
func filterArgs(scope rag.Scope, spaces, docTypes []int64, args pgx.StrictNamedArgs) pgx.StrictNamedArgs {
	out := scopeArgs(scope, args)
	out["spaces"], out["doc_types"] = spaces, docTypes
	return out
}

// clean removes what Postgres cannot store from a text that no span points
// into: NUL, which YAML and HTML can spell without holding it, and broken UTF-8.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

func cleanAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = clean(s)
	}
	return out
}

func cleanMap(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[clean(k)] = clean(v)
	}
	return out
}

// cleanJSON takes the escaped NUL out of JSON, which jsonb refuses. Nothing at
// all becomes null.
func cleanJSON(raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return nil
	}
	var out bytes.Buffer
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out.WriteByte(raw[i])
			continue
		}
		if bytes.HasPrefix(raw[i:], []byte(`\u0000`)) {
			i += len(`\u0000`) - 1
			continue
		}
		out.Write(raw[i : i+2])
		i++
	}
	return out.Bytes()
}

// day is a date for the database: null when unknown.
func day(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// moment is a nullable time from the database.
func moment(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
