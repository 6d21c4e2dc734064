package db

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// maxSetName is the most characters of the name of a question set.
const maxSetName = 200

// setScope is the condition under which a question set q is read: by who reads
// its space, or every space when it has none.
const setScope = ` (@all_spaces or q.space_id = any(@scope_spaces))`

const setQuery = `
	select q.id, q.name, coalesce(q.space_id, 0) as space_id, coalesce(s.name, '') as space,
	       (select count(*) from eval_questions e where e.set_id = q.id) as questions, q.created_at, q.updated_at
	from question_sets q
	left join spaces s on s.id = q.space_id
	where` + setScope

func toSet(row pgx.CollectableRow) (rag.QuestionSet, error) {
	type setRow struct {
		ID                   int64
		Name                 string
		SpaceID              int64
		Space                string
		Questions            int
		CreatedAt, UpdatedAt time.Time
	}
	r, err := pgx.RowToStructByName[setRow](row)
	return rag.QuestionSet{
		ID: r.ID, Name: r.Name, SpaceID: r.SpaceID, Space: r.Space, Questions: r.Questions, Created: r.CreatedAt, Updated: r.UpdatedAt,
	}, err
}

// EnsureQuestionSet gives the set of that name in a space, or over every space
// for 0, and makes it when there is none. Errors: CodeInvalid for an empty or
// overlong name, CodeNotFound for a space the scope does not read.
func (s *Store) EnsureQuestionSet(ctx context.Context, scope rag.Scope, spaceID int64, name string) (rag.QuestionSet, error) {
	name = strings.TrimSpace(clean(name))
	if name == "" || utf8.RuneCountInString(name) > maxSetName {
		return rag.QuestionSet{}, rag.Errorf(rag.CodeInvalid, "A question set needs a name of 1 to %d characters.", maxSetName)
	}
	var set rag.QuestionSet
	err := s.write(ctx, func(tx pgx.Tx) error {
		// The update changes nothing, but makes the row come back.
		var id int64
		err := tx.QueryRow(ctx, `
			insert into question_sets as q (space_id, name)
			select nullif(@space, 0), @name
			where @all_spaces or exists (select from spaces where id = @space and id = any(@scope_spaces))
			on conflict (space_id, name) do update set name = excluded.name
			returning q.id`,
			scopeArgs(scope, pgx.StrictNamedArgs{"space": spaceID, "name": name})).Scan(&id)
		if err != nil {
			return orNotFound(err, "space")
		}
		set, err = readSet(ctx, tx, scope, id)
		return err
	})
	return set, wrap(err, "ensure a question set")
}

func readSet(ctx context.Context, tx pgx.Tx, scope rag.Scope, id int64) (rag.QuestionSet, error) {
	rows, err := tx.Query(ctx, setQuery+" and q.id = @id", scopeArgs(scope, pgx.StrictNamedArgs{"id": id}))
	if err != nil {
		return rag.QuestionSet{}, err
	}
	set, err := pgx.CollectExactlyOneRow(rows, toSet)
	return set, orNotFound(err, "question set")
}

// QuestionSets lists the readable sets by name.
func (s *Store) QuestionSets(ctx context.Context, scope rag.Scope) ([]rag.QuestionSet, error) {
	rows, err := s.pool.Query(ctx, setQuery+" order by lower(q.name), q.id", scopeArgs(scope, nil))
	if err != nil {
		return nil, wrap(err, "list question sets")
	}
	sets, err := pgx.CollectRows(rows, toSet)
	return sets, wrap(err, "list question sets")
}

// QuestionSet reads one set. Errors: CodeNotFound.
func (s *Store) QuestionSet(ctx context.Context, scope rag.Scope, id int64) (rag.QuestionSet, error) {
	var set rag.QuestionSet
	err := s.read(ctx, func(tx pgx.Tx) (err error) {
		set, err = readSet(ctx, tx, scope, id)
		return err
	})
	return set, wrap(err, "read question set %d", id)
}

// DeleteQuestionSet removes a set with its questions and runs. Errors:
// CodeNotFound.
func (s *Store) DeleteQuestionSet(ctx context.Context, scope rag.Scope, id int64) error {
	tag, err := s.pool.Exec(ctx, `
		delete from question_sets q
		where q.id = @id and`+setScope, scopeArgs(scope, pgx.StrictNamedArgs{"id": id}))
	return wrap(affected(tag, err, "question set"), "delete question set %d", id)
}

// changeSet locks a set for a change of its questions, so that changes take
// turns, and runs fn.
func (s *Store) changeSet(ctx context.Context, scope rag.Scope, id int64, fn func(pgx.Tx) error) error {
	return s.write(ctx, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			update question_sets q set updated_at = clock_timestamp()
			where q.id = @id and`+setScope, scopeArgs(scope, pgx.StrictNamedArgs{"id": id}))
		if err := affected(tag, err, "question set"); err != nil {
			return err
		}
		return fn(tx)
	})
}

// PutQuestions adds questions to a set, in their order. One whose id is there
// replaces it and keeps its place. Errors: CodeNotFound.
func (s *Store) PutQuestions(ctx context.Context, scope rag.Scope, setID int64, questions []rag.EvalQuestion) (added, changed int, err error) {
	ids := make([]string, len(questions))
	bodies := make([]string, len(questions))
	for i, q := range questions {
		ids[i], bodies[i] = clean(q.ID), string(cleanJSON(q.Body))
	}
	err = s.changeSet(ctx, scope, setID, func(tx pgx.Tx) error {
		if err := unhurried(ctx, tx); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `
			with given as (
			    select id, body::jsonb as body, ordinal
			    from unnest(@ids::text[], @bodies::text[]) with ordinality as g (id, body, ordinal)
			), changed as (
			    update eval_questions e set body = g.body
			    from given g
			    where e.set_id = @set and e.id = g.id and e.body <> g.body
			    returning e.id
			), added as (
			    insert into eval_questions (set_id, id, body)
			    select @set, g.id, g.body from given g
			    where not exists (select from eval_questions e where e.set_id = @set and e.id = g.id)
			    order by g.ordinal
			    returning id
			)
			select (select count(*) from added), (select count(*) from changed)`,
			pgx.StrictNamedArgs{"set": setID, "ids": ids, "bodies": bodies}).Scan(&added, &changed)
	})
	return added, changed, wrap(err, "add questions to set %d", setID)
}

// AddQuestionTo adds one question to a set. Errors: CodeNotFound, CodeConflict
// when the set has the id already.
func (s *Store) AddQuestionTo(ctx context.Context, scope rag.Scope, setID int64, q rag.EvalQuestion) error {
	err := s.changeSet(ctx, scope, setID, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			insert into eval_questions (set_id, id, body)
			values (@set, @id, @body::jsonb)
			on conflict do nothing`,
			pgx.StrictNamedArgs{"set": setID, "id": clean(q.ID), "body": string(cleanJSON(q.Body))})
		if err == nil && tag.RowsAffected() == 0 {
			return rag.Errorf(rag.CodeConflict, "The question is in the set already.")
		}
		return err
	})
	return wrap(err, "add a question to set %d", setID)
}

// EvalQuestions reads the questions of a set in the order they were added.
// Errors: CodeNotFound.
func (s *Store) EvalQuestions(ctx context.Context, scope rag.Scope, setID int64) ([]rag.EvalQuestion, error) {
	var questions []rag.EvalQuestion
	err := s.read(ctx, func(tx pgx.Tx) error {
		if _, err := readSet(ctx, tx, scope, setID); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `
			select id, body from eval_questions
			where set_id = @set
			order by ordinal`, pgx.StrictNamedArgs{"set": setID})
		if err != nil {
			return err
		}
		questions, err = pgx.CollectRows(rows, pgx.RowToStructByName[rag.EvalQuestion])
		return err
	})
	return questions, wrap(err, "read the questions of set %d", setID)
}

// DeleteEvalQuestion removes one question of a set. Errors: CodeNotFound.
func (s *Store) DeleteEvalQuestion(ctx context.Context, scope rag.Scope, setID int64, id string) error {
	err := s.changeSet(ctx, scope, setID, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "delete from eval_questions where set_id = @set and id = @id",
			pgx.StrictNamedArgs{"set": setID, "id": clean(id)})
		return affected(tag, err, "question")
	})
	return wrap(err, "delete a question of set %d", setID)
}
