package db

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// errLeaving says that the postings of a version are still taken out of the
// index: until they are, what it gets anew would go with them.
var errLeaving = errors.New("the postings of the version are not merged yet")

// settleTries is how often RestoreVersion has postings merged; more is needed
// only while the same version is replaced again and again.
const settleTries = 5

// RestoreVersion takes a superseded version of a document live again, in one
// transaction: vectors, profiles and postings are written anew, all is verified,
// and the version that was live leaves every index. Any fault leaves that one
// live. Errors: CodeNotFound (document, or a version that was never live),
// CodeConflict (it is live already, another one is live than expected),
// CodeUnavailable.
func (s *Store) RestoreVersion(ctx context.Context, scope rag.Scope, r rag.Restoration) (rag.Live, error) {
	if err := checkIndex(r.Units, r.Index, r.Embedder, r.Dimension); err != nil {
		return rag.Live{}, wrap(err, "check the index of version %d", r.VersionID)
	}
	sets := unitSets(r.Units)
	indexes, err := s.vectorIndexes(ctx, r.Embedder, r.Dimension, sets)
	if err != nil {
		return rag.Live{}, err
	}
	if err := s.makeGroups(ctx, sets, homeOfVersion, pgx.StrictNamedArgs{"version": r.VersionID}); err != nil {
		return rag.Live{}, err
	}
	var live rag.Live
	for try := 0; ; try++ {
		err = s.write(ctx, func(tx pgx.Tx) error {
			live, err = restoreVersion(ctx, tx, scope, &r, indexes)
			return err
		})
		if !errors.Is(err, errLeaving) {
			break
		}
		if try == settleTries {
			err = rag.WithCause(err, rag.CodeUnavailable, "The search index is being tidied just now. Please try again in a moment.")
			break
		}
		if err = s.settle(ctx, r.VersionID); err != nil {
			break
		}
	}
	if err != nil {
		return rag.Live{}, wrap(err, "restore version %d of document %d", r.VersionID, r.DocumentID)
	}
	s.growIndexes(ctx, indexes)
	s.mergeIfDue(ctx, dueGroups)
	return live, nil
}

// settle merges the groups of postings that a version has left.
func (s *Store) settle(ctx context.Context, versionID int64) error {
	rows, err := s.pool.Query(ctx, `
		select distinct p.group_id
		from postings p
		where p.group_id in (`+groupsOfVersion+`) and p.fresh and p.n < 0 and p.first = @version`,
		pgx.StrictNamedArgs{"version": versionID})
	if err != nil {
		return wrap(err, "find what version %d left", versionID)
	}
	groups, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	if err != nil {
		return wrap(err, "find what version %d left", versionID)
	}
	for _, group := range groups {
		// Wait for a merge that is under way, and see what it has left.
		err := s.write(ctx, func(tx pgx.Tx) error {
			if err := unhurried(ctx, tx); err != nil {
				return err
			}
			return takeLock(ctx, tx, fmt.Sprintf("lexical/%d", group))
		})
		for more := err == nil; more && err == nil; {
			more, err = s.mergeGroup(ctx, group, usualMerge)
		}
		if err != nil {
			return wrap(err, "merge group %d", group)
		}
	}
	return nil
}

// groupsOfVersion are the groups where the postings of a version stand.
const groupsOfVersion = `
	select g.id
	from lexical_groups g
	join (` + homeOfVersion + `) home on home.space_id = g.space_id and home.doc_type_id = g.doc_type_id`

func restoreVersion(ctx context.Context, tx pgx.Tx, scope rag.Scope, r *rag.Restoration, indexes map[rag.UnitSet]int) (rag.Live, error) {
	if err := unhurried(ctx, tx); err != nil {
		return rag.Live{}, err
	}
	v, err := lockForRestore(ctx, tx, scope, r)
	if err != nil {
		return rag.Live{}, err
	}
	if err := reindex(ctx, tx, v, r, indexes); err != nil {
		return rag.Live{}, err
	}
	if err := verify(ctx, tx, r.VersionID); err != nil {
		return rag.Live{}, err
	}
	if err := swap(ctx, tx, r.DocumentID, r.VersionID); err != nil {
		return rag.Live{}, err
	}
	return liveVersion(ctx, tx, r.VersionID)
}

// oldVersion is a version that is about to be live again.
type oldVersion struct {
	home
	text     string
	sections int
	steps    []int
}

// lockForRestore takes the locks that an upload of these bytes or to this place
// takes, in the same order, and looks whether the version may go live.
func lockForRestore(ctx context.Context, tx pgx.Tx, scope rag.Scope, r *rag.Restoration) (oldVersion, error) {
	v := oldVersion{home: home{version: r.VersionID}}
	var (
		uri, state string
		hash       []byte
		live       int64
		leaving    bool
	)
	args := scopeArgs(scope, pgx.StrictNamedArgs{"document": r.DocumentID, "version": r.VersionID})
	err := tx.QueryRow(ctx, `
		select d.space_id, d.source_uri, v.content_hash, v.doc_type_id, v.body,
		       (select count(*) from sections where version_id = v.id),
		       array(select jsonb_array_length(steps) from procedures where version_id = v.id order by ordinal)
		from versions v
		join documents d on d.id = v.document_id
		where v.id = @version and d.id = @document and (@all_spaces or d.space_id = any(@scope_spaces))`, args,
	).Scan(&v.space, &uri, &hash, &v.docType, &v.text, &v.sections, &v.steps)
	if err != nil {
		return v, orNotFound(err, "version")
	}
	for _, name := range []string{
		fmt.Sprintf("hash/%d/%s", v.space, hex.EncodeToString(hash)),
		fmt.Sprintf("uri/%d/%s", v.space, uri),
	} {
		if err := takeLock(ctx, tx, name); err != nil {
			return v, err
		}
	}
	if err := lockDocument(ctx, tx, scope, r.DocumentID); err != nil {
		return v, err
	}
	err = tx.QueryRow(ctx, `
		select v.state, coalesce((select id from versions where document_id = @document and state = 'live'), 0),
		       exists (
		           select from postings p
		           where p.group_id in (`+groupsOfVersion+`) and p.fresh and p.n < 0 and p.first = @version)
		from versions v
		join documents d on d.id = v.document_id
		where v.id = @version and d.id = @document and (@all_spaces or d.space_id = any(@scope_spaces))`, args,
	).Scan(&state, &live, &leaving)
	switch {
	case err != nil:
		return v, orNotFound(err, "version")
	case state == string(rag.VersionLive):
		return v, rag.Errorf(rag.CodeConflict, "This version is live already.")
	case state != string(rag.VersionSuperseded):
		return v, rag.Errorf(rag.CodeNotFound, "There is no such version.")
	case r.Live != 0 && live != r.Live:
		return v, rag.Errorf(rag.CodeConflict, "The document was changed meanwhile. Look at its versions again.")
	case leaving:
		return v, errLeaving
	}
	return v, nil
}

// reindex writes all that the units of a version are found by, and those that it
// lacked.
func reindex(ctx context.Context, tx pgx.Tx, v oldVersion, r *rag.Restoration, indexes map[rag.UnitSet]int) error {
	first := slices.IndexFunc(r.Units, func(u rag.Unit) bool { return u.ID == 0 })
	if first < 0 {
		first = len(r.Units)
	}
	units, index := r.Units[:first], r.Index[:first]
	ids, hashes := make([]int64, len(units)), make([][]byte, len(units))
	for i, u := range units {
		ids[i], hashes[i] = u.ID, index[i].Hash[:]
	}
	var stored []int64
	err := tx.QueryRow(ctx, "select array(select id from units where version_id = @version order by id)",
		pgx.StrictNamedArgs{"version": v.version}).Scan(&stored)
	if err != nil {
		return wrap(err, "read the units of version %d", v.version)
	}
	if !slices.Equal(slices.Sorted(slices.Values(ids)), stored) {
		return rag.Errorf(rag.CodeInternal, "%d units given for a version with %d others", len(ids), len(stored))
	}
	_, err = tx.Exec(ctx, `
		with described as (update versions set embedder = @embedder where id = @version)
		update units u
		set embed_text_hash = h.hash
		from unnest(@ids::bigint[], @hashes::bytea[]) as h (id, hash)
		where u.id = h.id and u.embed_text_hash <> h.hash`,
		pgx.StrictNamedArgs{"embedder": r.Embedder, "version": v.version, "ids": ids, "hashes": hashes})
	if err != nil {
		return wrap(err, "describe version %d", v.version)
	}
	if err := writeVectors(ctx, tx, v.home, units, ids, index, indexes); err != nil {
		return err
	}
	if err := writeProfiles(ctx, tx, v.home, units, ids, index); err != nil {
		return err
	}
	if err := writePostings(ctx, tx, v.home, units, index); err != nil {
		return err
	}
	if first == len(r.Units) {
		return nil
	}
	if err := checkUnits(v.text, r.Units[first:], v.sections, v.steps); err != nil {
		return err
	}
	return writeUnits(ctx, tx, v.home, r.Units[first:], r.Index[first:], indexes)
}
