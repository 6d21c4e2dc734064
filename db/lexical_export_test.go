package db

import "context"

// MergeWith merges all groups, so many rows at once, into rows of so many bytes.
func (s *Store) MergeWith(ctx context.Context, atOnce, full int) error {
	return s.mergeGroups(ctx, allGroups, mergeLimits{versions: 1, rows: 1, atOnce: atOnce, full: full})
}
