package db

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// PutVersion writes a version and swaps it live in one transaction; the one
// that was live becomes superseded and leaves every index. Readers see the old
// one or the new one, and any fault leaves the old one live. Errors:
// CodeNotFound (space out of scope), CodeInvalid (document type unknown, text
// empty), CodeConflict (the same bytes are live already: in the space under
// another source URI, or here with the same recipe and type), CodeUnavailable.
func (s *Store) PutVersion(ctx context.Context, scope rag.Scope, v rag.NewVersion) (rag.Live, error) {
	v = cleaned(v)
	if err := checkVersion(&v); err != nil {
		return rag.Live{}, wrap(err, "check the new version of %q in space %d", v.SourceURI, v.SpaceID)
	}
	sets := unitSets(v.Outline.Units)
	indexes, err := s.vectorIndexes(ctx, v.Recipe.Embedder, v.Dimension, sets)
	if err != nil {
		return rag.Live{}, err
	}
	err = s.makeGroups(ctx, sets, homeOfNew, pgx.StrictNamedArgs{"space": v.SpaceID, "doc_type": clean(v.DocType)})
	if err != nil {
		return rag.Live{}, err
	}
	var live rag.Live
	err = s.write(ctx, func(tx pgx.Tx) error {
		live, err = putVersion(ctx, tx, scope, &v, indexes)
		return err
	})
	if err != nil {
		return rag.Live{}, wrap(err, "put a version of %q into space %d", v.SourceURI, v.SpaceID)
	}
	s.growIndexes(ctx, indexes)
	s.mergeIfDue(ctx, dueGroups)
	return live, nil
}

func putVersion(ctx context.Context, tx pgx.Tx, scope rag.Scope, v *rag.NewVersion, indexes map[rag.UnitSet]int) (rag.Live, error) {
	if err := unhurried(ctx, tx); err != nil {
		return rag.Live{}, err
	}
	typeID, err := placeFor(ctx, tx, scope, v)
	if err != nil {
		return rag.Live{}, err
	}
	// Two uploads of the same bytes or to the same place take turns. Always in
	// this order, so that they never wait for each other.
	for _, name := range []string{
		fmt.Sprintf("hash/%d/%s", v.SpaceID, hex.EncodeToString(v.Hash[:])),
		fmt.Sprintf("uri/%d/%s", v.SpaceID, v.SourceURI),
	} {
		if err := takeLock(ctx, tx, name); err != nil {
			return rag.Live{}, err
		}
	}
	if v.Job != nil {
		if live, over, err := overtaken(ctx, tx, v); over || err != nil {
			return live, err
		}
	}
	if err := checkTwins(ctx, tx, v); err != nil {
		return rag.Live{}, err
	}
	documentID, err := upsertDocument(ctx, tx, v, typeID)
	if err != nil {
		return rag.Live{}, err
	}
	versionID, err := stage(ctx, tx, v, documentID, typeID)
	if err != nil {
		return rag.Live{}, err
	}
	if err := writeOutline(ctx, tx, versionID, v.Text, &v.Outline); err != nil {
		return rag.Live{}, err
	}
	home := home{version: versionID, space: v.SpaceID, docType: typeID}
	if err := writeUnits(ctx, tx, home, v.Outline.Units, v.Index, indexes); err != nil {
		return rag.Live{}, err
	}
	if err := verify(ctx, tx, versionID); err != nil {
		return rag.Live{}, err
	}
	if err := swap(ctx, tx, documentID, versionID); err != nil {
		return rag.Live{}, err
	}
	if v.Job != nil {
		if err := finishJob(ctx, tx, *v.Job, documentID, versionID); err != nil {
			return rag.Live{}, err
		}
	}
	return liveVersion(ctx, tx, versionID)
}

// placeFor checks that the scope may use the space and gives the id of the
// document type.
func placeFor(ctx context.Context, tx pgx.Tx, scope rag.Scope, v *rag.NewVersion) (int64, error) {
	var typeID *int64
	err := tx.QueryRow(ctx, `
		select (select id from doc_types where name = @doc_type)
		from spaces
		where id = @space and (@all_spaces or id = any(@scope_spaces))`,
		scopeArgs(scope, pgx.StrictNamedArgs{"space": v.SpaceID, "doc_type": clean(v.DocType)})).Scan(&typeID)
	if err != nil {
		return 0, wrap(orNotFound(err, "space"), "find space %d", v.SpaceID)
	}
	if typeID == nil {
		return 0, rag.Errorf(rag.CodeInvalid, "There is no document type %q.", v.DocType)
	}
	return *typeID, nil
}

// checkTwins refuses bytes that are live already: elsewhere in the space when
// they would be a new document, or here, made in the same way. A document that
// is there may become equal to another one: its old text must not stay live.
func checkTwins(ctx context.Context, tx pgx.Tx, v *rag.NewVersion) error {
	rows, err := tx.Query(ctx, liveQuery+`
		where v.state = 'live' and v.content_hash = @hash and d.space_id = @space
		order by d.id`, pgx.StrictNamedArgs{"hash": v.Hash[:], "space": v.SpaceID})
	if err != nil {
		return wrap(err, "look for the same bytes")
	}
	twins, err := collectLive(rows)
	if err != nil {
		return wrap(err, "look for the same bytes")
	}
	var exists bool
	err = tx.QueryRow(ctx, `
		select exists (
			select from documents d
			join versions v on v.document_id = d.id and v.state = 'live'
			where d.space_id = @space and d.source_uri = @uri)`,
		pgx.StrictNamedArgs{"space": v.SpaceID, "uri": v.SourceURI}).Scan(&exists)
	if err != nil {
		return wrap(err, "look for document %s", v.SourceURI)
	}
	for _, twin := range twins {
		if twin.SourceURI != v.SourceURI {
			if exists {
				continue
			}
			return rag.Errorf(rag.CodeConflict, "The same file is already there as %s.", twin.SourceURI)
		}
		same := twin.Recipe == v.Recipe && twin.DocType == v.DocType
		for _, set := range unitSets(v.Outline.Units) {
			same = same && slices.Contains(twin.Sets, set)
		}
		if same {
			return rag.Errorf(rag.CodeConflict, "The same file is already there under this name.")
		}
	}
	return nil
}

// upsertDocument gives the document of the source URI and locks its row, so
// that it cannot be deleted half-way.
func upsertDocument(ctx context.Context, tx pgx.Tx, v *rag.NewVersion, typeID int64) (int64, error) {
	var id int64
	err := tx.QueryRow(ctx, `
		insert into documents (space_id, doc_type_id, source_uri, title)
		values (@space, @doc_type, @uri, @title)
		on conflict (space_id, source_uri) do update set doc_type_id = excluded.doc_type_id, title = excluded.title
		returning id`,
		pgx.StrictNamedArgs{"space": v.SpaceID, "doc_type": typeID, "uri": v.SourceURI, "title": v.Title}).Scan(&id)
	return id, wrap(err, "write document %q", v.SourceURI)
}

// stage writes the version itself, staged.
func stage(ctx context.Context, tx pgx.Tx, v *rag.NewVersion, documentID, typeID int64) (int64, error) {
	var id int64
	err := tx.QueryRow(ctx, `
		insert into versions (document_id, ordinal, state, content_hash, doc_type_id, title, body, body_bytes,
		                      pages, meta, warnings, extractor, splitter, embedder, doc_date, review_due, superseded_by)
		select @document, coalesce(max(ordinal), 0) + 1, 'staged', @hash, @doc_type, @title, @body, @body_bytes,
		       @pages, @meta, @warnings, @extractor, @splitter, @embedder, @doc_date, @review_due, @superseded_by
		from versions where document_id = @document
		returning id`,
		pgx.StrictNamedArgs{
			"document": documentID, "hash": v.Hash[:], "doc_type": typeID, "title": v.Title,
			"body": v.Text, "body_bytes": len(v.Text), "pages": list(v.Pages), "meta": v.Meta, "warnings": v.Warnings,
			"extractor": v.Recipe.Extractor, "splitter": v.Recipe.Splitter, "embedder": v.Recipe.Embedder,
			"doc_date": day(v.Date), "review_due": day(v.ReviewDue), "superseded_by": v.Successor,
		}).Scan(&id)
	return id, wrap(err, "stage a version of document %d", documentID)
}

// verify counts what the database now holds for a version against what a live
// version promises: sections that tile the text, spans inside it, and as many
// vectors as units, all of the version's embedder, or none without one.
func verify(ctx context.Context, tx pgx.Tx, versionID int64) error {
	var held struct {
		Tiled                          bool
		Outside, Units, Vectors, Right int
		Embedder                       string
	}
	err := tx.QueryRow(ctx, `
		select (select coalesce(string_agg(content, '' order by ordinal), '') from sections where version_id = v.id) = v.body,
		       (select count(*) from units where version_id = v.id and span_end > v.body_bytes)
		         + (select count(*) from procedures where version_id = v.id and span_end > v.body_bytes),
		       (select count(*) from units where version_id = v.id),
		       (select count(*) from embeddings where version_id = v.id),
		       (select count(*)
		        from embeddings e
		        join vector_indexes x on x.id = e.index_id and x.embedder = v.embedder
		        join units u on u.id = e.unit_id and u.version_id = v.id and u.unit_set = x.unit_set
		        where e.version_id = v.id),
		       v.embedder
		from versions v where v.id = @version`, pgx.StrictNamedArgs{"version": versionID},
	).Scan(&held.Tiled, &held.Outside, &held.Units, &held.Vectors, &held.Right, &held.Embedder)
	if err != nil {
		return wrap(err, "verify version %d", versionID)
	}
	wanted := held.Units
	if held.Embedder == "" {
		wanted = 0
	}
	if !held.Tiled || held.Outside > 0 || held.Vectors != wanted || held.Right != wanted {
		return fmt.Errorf("version %d does not hold together: sections tile the text: %t, spans outside: %d, units: %d, vectors: %d, of embedder %q: %d",
			versionID, held.Tiled, held.Outside, held.Units, held.Vectors, held.Embedder, held.Right)
	}
	return nil
}

// swap takes the document's live version out of every index and puts the
// staged one in its place. The postings follow the totals, by a trigger. The
// version changes first: that waits for units that are being added to it.
func swap(ctx context.Context, tx pgx.Tx, documentID, versionID int64) error {
	rows, err := tx.Query(ctx, "update versions set state = 'superseded' where document_id = @document and state = 'live' returning id",
		pgx.StrictNamedArgs{"document": documentID})
	if err != nil {
		return wrap(err, "retire the live version of document %d", documentID)
	}
	retired, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return wrap(err, "retire the live version of document %d", documentID)
	}
	for _, statement := range []string{
		"delete from embeddings where version_id = any(@retired)",
		"delete from lexical_totals where version_id = any(@retired)",
		"delete from profiles where version_id = any(@retired)",
	} {
		if _, err := tx.Exec(ctx, statement, pgx.StrictNamedArgs{"retired": retired}); err != nil {
			return wrap(err, "take the live version of document %d out of the indexes", documentID)
		}
	}
	_, err = tx.Exec(ctx, "update versions set state = 'live', live_at = now() where id = @version",
		pgx.StrictNamedArgs{"version": versionID})
	if err != nil {
		return wrap(err, "take version %d live", versionID)
	}
	return carry(ctx, tx, documentID, versionID, retired)
}
