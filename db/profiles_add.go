package db

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// WithoutProfile lists the live versions that lack the profile of a unit set
// they hold, oldest first: those written before there were profiles. Their
// units keep the scores of the legs, and so sink below others.
func (s *Store) WithoutProfile(ctx context.Context, scope rag.Scope) ([]int64, error) {
	var ids []int64
	err := s.read(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			select v.id
			from versions v
			join documents d on d.id = v.document_id
			where v.state = 'live'
			  and (@all_spaces or d.space_id = any(@scope_spaces))
			  and exists (
				select from lexical_totals l
				where l.version_id = v.id
				  and not exists (select from profiles p where p.version_id = l.version_id and p.unit_set = l.unit_set))
			order by v.id`, scopeArgs(scope, pgx.StrictNamedArgs{}))
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
	return ids, wrap(err, "list versions without a profile")
}

// PutProfile writes the profiles that a live version lacks. Units are all those
// of the version, with their ids, as Readings gives them, and index runs
// parallel to them, without vectors; what has a profile keeps it. Errors:
// CodeNotFound, CodeConflict when the version is no longer live.
func (s *Store) PutProfile(ctx context.Context, scope rag.Scope, versionID int64, units []rag.Unit, index []rag.UnitIndex) error {
	if len(index) != len(units) {
		return wrap(rag.Errorf(rag.CodeInternal, "%d index entries for %d units", len(index), len(units)), "check the profile of version %d", versionID)
	}
	err := s.write(ctx, func(tx pgx.Tx) error { return putProfile(ctx, tx, scope, versionID, units, index) })
	return wrap(err, "write the profile of version %d", versionID)
}

func putProfile(ctx context.Context, tx pgx.Tx, scope rag.Scope, versionID int64, units []rag.Unit, index []rag.UnitIndex) error {
	if err := unhurried(ctx, tx); err != nil {
		return err
	}
	at, state := home{version: versionID}, ""
	// The lock keeps the version from being replaced meanwhile.
	err := tx.QueryRow(ctx, `
		select v.state, d.space_id, v.doc_type_id
		from versions v
		join documents d on d.id = v.document_id
		where v.id = @version and (@all_spaces or d.space_id = any(@scope_spaces))
		for no key update of v`, scopeArgs(scope, pgx.StrictNamedArgs{"version": versionID}),
	).Scan(&state, &at.space, &at.docType)
	if err != nil {
		return orNotFound(err, "version")
	}
	if state != string(rag.VersionLive) {
		return rag.Errorf(rag.CodeConflict, "The document was replaced or withdrawn meanwhile.")
	}
	ids, lacking, err := profileGaps(ctx, tx, versionID)
	if err != nil {
		return err
	}
	var kept []rag.Unit
	var keptIndex []rag.UnitIndex
	var keptIDs []int64
	for i, u := range units {
		if slices.Contains(lacking, u.Set) {
			kept, keptIndex, keptIDs = append(kept, u), append(keptIndex, index[i]), append(keptIDs, u.ID)
		}
	}
	// A profile that lacks units, or has those of another version, would be worse
	// than none.
	if !slices.Equal(slices.Sorted(slices.Values(keptIDs)), ids) {
		return rag.Errorf(rag.CodeInternal, "%d units given for the profile of a version with %d others", len(keptIDs), len(ids))
	}
	return writeProfiles(ctx, tx, at, kept, keptIDs, keptIndex)
}

// profileGaps gives the unit sets of a version without a profile, and the ids of
// their units in ascending order.
func profileGaps(ctx context.Context, tx pgx.Tx, versionID int64) (ids []int64, lacking []rag.UnitSet, err error) {
	rows, err := tx.Query(ctx, `
		select u.id, u.unit_set
		from units u
		where u.version_id = @version
		  and not exists (select from profiles p where p.version_id = u.version_id and p.unit_set = u.unit_set)
		order by u.id`, pgx.StrictNamedArgs{"version": versionID})
	if err != nil {
		return nil, nil, err
	}
	var id int64
	var set rag.UnitSet
	_, err = pgx.ForEachRow(rows, []any{&id, &set}, func() error {
		ids = append(ids, id)
		if !slices.Contains(lacking, set) {
			lacking = append(lacking, set)
		}
		return nil
	})
	return ids, lacking, err
}
