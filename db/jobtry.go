package db

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"passage/rag"
)

// A try at a job: what is written for one counts only while the job is running
// and no later try has begun, so that of two processes that both believe to be
// at a job only one can finish it.

// errLostJob ends a try whose job was cancelled or is somebody else's now.
func errLostJob() error {
	return rag.Errorf(rag.CodeConflict, "The job was cancelled, or another process has taken it over.")
}

// BeginJob begins the next try and gives the file. There is none (ok is false)
// when the job is final. Errors: CodeUnavailable.
func (s *Store) BeginJob(ctx context.Context, id int64) (job rag.Job, data []byte, ok bool, err error) {
	err = s.write(ctx, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			update jobs
			set state = 'running', stage = 'reading', attempt = attempt + 1, units_done = 0, started_at = now(), next_try_at = null
			where id = @id and state in ('queued', 'running')`, pgx.StrictNamedArgs{"id": id})
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		ok = true
		return tx.QueryRow(ctx, `
			select o.data
			from jobs j
			join originals o on o.space_id = j.space_id and o.content_hash = j.content_hash
			where j.id = @id`, pgx.StrictNamedArgs{"id": id}).Scan(&data)
	})
	if err == nil && ok {
		job, err = s.Job(ctx, rag.Scope{All: true}, id)
	}
	return job, data, ok && err == nil, wrap(err, "begin job %d", id)
}

// ShowJob tells how far a try is. Errors: CodeConflict when the job is not this
// try's any more.
func (s *Store) ShowJob(ctx context.Context, try rag.JobTry, stage rag.JobStage, done, units int) error {
	return s.changeTry(ctx, try, "stage = @stage, units_done = @done, units = @units",
		pgx.StrictNamedArgs{"stage": string(stage), "done": done, "units": units})
}

// FinishJob says that there was nothing to write: the file is live already.
func (s *Store) FinishJob(ctx context.Context, try rag.JobTry, documentID, versionID int64) error {
	return s.write(ctx, func(tx pgx.Tx) error { return finishJob(ctx, tx, try, documentID, versionID) })
}

// FailJob ends a job for good. The message is for people.
func (s *Store) FailJob(ctx context.Context, try rag.JobTry, message string) error {
	return s.changeTry(ctx, try, "state = 'failed', stage = '', message = @message, finished_at = now()",
		pgx.StrictNamedArgs{"message": clean(message)})
}

// DelayJob puts a job back until its next try, and says why. A try that only the
// end of its process ended is not counted.
func (s *Store) DelayJob(ctx context.Context, try rag.JobTry, message string, next time.Time, counted bool) error {
	return s.changeTry(ctx, try, `
		state = 'queued', stage = '', message = @message, next_try_at = @next,
		attempt = attempt - case when @counted then 0 else 1 end`,
		pgx.StrictNamedArgs{"message": clean(message), "next": next, "counted": counted})
}

// ofTry is the condition of all writes of a try.
const ofTry = " where id = @job and attempt = @try and state = 'running'"

func (s *Store) changeTry(ctx context.Context, try rag.JobTry, set string, args pgx.StrictNamedArgs) error {
	args["job"], args["try"] = try.ID, try.Attempt
	tag, err := s.pool.Exec(ctx, "update jobs set "+set+ofTry, args)
	if err == nil && tag.RowsAffected() == 0 {
		err = errLostJob()
	}
	return wrap(err, "change job %d", try.ID)
}

// finishJob ends a job in the transaction that writes what it made.
func finishJob(ctx context.Context, tx pgx.Tx, try rag.JobTry, documentID, versionID int64) error {
	tag, err := tx.Exec(ctx, `
		update jobs
		set state = 'done', stage = '', message = '', outcome = @outcome, reason = @reason, warnings = @warnings,
		    units_done = units, document_id = @document, version_id = @version, finished_at = now()`+ofTry,
		pgx.StrictNamedArgs{
			"job": try.ID, "try": try.Attempt, "outcome": try.Outcome, "reason": clean(try.Reason), "warnings": cleanAll(try.Warnings),
			"document": documentID, "version": versionID,
		})
	if err == nil && tag.RowsAffected() == 0 {
		err = errLostJob()
	}
	if err != nil {
		return wrap(err, "finish job %d", try.ID)
	}
	_, err = tx.Exec(ctx, "delete from job_vectors where job_id = @job", pgx.StrictNamedArgs{"job": try.ID})
	return wrap(err, "finish job %d", try.ID)
}

// overtaken finishes a job when a later one for the same place is done: several
// workers may be at a document, and what was sent last has to stay. It gives what
// is live.
func overtaken(ctx context.Context, tx pgx.Tx, v *rag.NewVersion) (live rag.Live, over bool, err error) {
	var version int64
	err = tx.QueryRow(ctx, `
		select v.id
		from jobs j
		join documents d on d.space_id = j.space_id and d.source_uri = j.source_uri
		join versions v on v.document_id = d.id and v.state = 'live'
		where j.space_id = @space and j.source_uri = @uri and j.id > @job and j.state = 'done'
		limit 1`, pgx.StrictNamedArgs{"space": v.SpaceID, "uri": v.SourceURI, "job": v.Job.ID}).Scan(&version)
	if errors.Is(err, pgx.ErrNoRows) {
		return rag.Live{}, false, nil
	}
	if err == nil {
		live, err = liveVersion(ctx, tx, version)
	}
	if err != nil {
		return rag.Live{}, false, wrap(err, "look for later jobs")
	}
	try := *v.Job
	try.Outcome, try.Reason, try.Warnings = "unchanged", "A file that was sent later is live.", nil
	return live, true, finishJob(ctx, tx, try, live.DocumentID, live.VersionID)
}

// KeptVectors gives vectors by the hash of what was embedded: those that earlier
// tries of the job made, and those of the document's live version, made by the
// same embedder. Unchanged sentences of a new version need no embedder.
func (s *Store) KeptVectors(ctx context.Context, job rag.Job, embedder string) (map[[32]byte][]float32, error) {
	rows, err := s.pool.Query(ctx, `
		select text_hash, embedding from job_vectors where job_id = @job and embedder = @embedder
		union all
		select u.embed_text_hash, e.embedding
		from documents d
		join versions v on v.document_id = d.id and v.state = 'live' and v.embedder = @embedder
		join units u on u.version_id = v.id
		join vector_indexes x on x.embedder = @embedder and x.unit_set = u.unit_set
		join embeddings e on e.unit_id = u.id and e.index_id = x.id
		where d.space_id = @space and d.source_uri = @uri`,
		pgx.StrictNamedArgs{"job": job.ID, "embedder": clean(embedder), "space": job.SpaceID, "uri": job.SourceURI})
	if err != nil {
		return nil, wrap(err, "read the vectors of job %d", job.ID)
	}
	kept := map[[32]byte][]float32{}
	var hash []byte
	var vector pgvector.HalfVector
	_, err = pgx.ForEachRow(rows, []any{&hash, &vector}, func() error {
		kept[[32]byte(hash)] = vector.Slice()
		return nil
	})
	return kept, wrap(err, "read the vectors of job %d", job.ID)
}

// KeepVectors stores vectors for later tries of the job; none when it is not this
// try's any more.
func (s *Store) KeepVectors(ctx context.Context, try rag.JobTry, embedder string, index []rag.UnitIndex) error {
	batch := &pgx.Batch{}
	for _, u := range index {
		batch.Queue(`
			insert into job_vectors (job_id, embedder, text_hash, embedding)
			select id, @embedder, @hash, @vector from jobs`+ofTry+` for share
			on conflict do nothing`,
			pgx.StrictNamedArgs{"job": try.ID, "try": try.Attempt, "embedder": clean(embedder), "hash": u.Hash[:], "vector": pgvector.NewHalfVector(u.Vector)})
	}
	return wrap(s.pool.SendBatch(ctx, batch).Close(), "keep the vectors of job %d", try.ID)
}
