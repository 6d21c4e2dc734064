-- +goose Up

-- The files that documents were made of, byte for byte: a job reads its own, and
-- a version can be made anew from it.
create table originals (
    space_id     bigint not null references spaces (id) on delete cascade,
    content_hash bytea not null check (length(content_hash) = 32), -- SHA-256 of data
    data         bytea not null,
    created_at   timestamptz not null default now(),
    primary key (space_id, content_hash)
);

-- The taking in of one file. River holds when it is worked on; what a person
-- is told stands here, and is written in the transaction that takes its version
-- live.
create table jobs (
    id           bigint generated always as identity primary key,
    space_id     bigint not null references spaces (id) on delete cascade,
    source_uri   text not null check (source_uri <> ''),
    name         text not null,
    doc_type     text not null,                 -- '' to guess
    content_hash bytea not null check (length(content_hash) = 32),
    bytes        int not null,
    link         text not null default '',
    source_id    bigint,                        -- of the source whose sync found it
    state        text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
    stage        text not null default '' check (stage in ('', 'reading', 'embedding', 'writing')),
    units_done   int not null default 0,
    units        int not null default 0,
    attempt      int not null default 0,
    attempts     int not null,
    message      text not null default '',
    outcome      text not null default '',
    reason       text not null default '',
    warnings     text[] not null default '{}',
    document_id  bigint references documents (id) on delete set null,
    version_id   bigint references versions (id) on delete set null,
    river_job    bigint,
    created_at   timestamptz not null default now(),
    started_at   timestamptz,
    finished_at  timestamptz,
    next_try_at  timestamptz
);
-- The same bytes for the same place are one job, however often they arrive.
create unique index jobs_open on jobs (space_id, source_uri, content_hash, doc_type) where state in ('queued', 'running');
create index jobs_place on jobs (space_id, source_uri, id);
create index jobs_state on jobs (state, id);
create index jobs_hash on jobs (content_hash);
create index jobs_document on jobs (document_id) where document_id is not null;
create index jobs_version on jobs (version_id) where version_id is not null;

-- Vectors of a job that is under way: the next try goes on where this one ended.
create table job_vectors (
    job_id    bigint not null references jobs (id) on delete cascade,
    embedder  text not null,
    text_hash bytea not null check (length(text_hash) = 32), -- SHA-256 of what was embedded
    embedding halfvec not null,
    primary key (job_id, embedder, text_hash)
);

create index versions_any_hash on versions (content_hash);

-- An original goes with the last version that was made of it.
-- +goose StatementBegin
create function originals_retire() returns trigger language plpgsql as $$
begin
    delete from originals o
    using (select distinct content_hash from gone) as g
    where o.content_hash = g.content_hash
      and not exists (select from versions v join documents d on d.id = v.document_id
                      where v.content_hash = o.content_hash and d.space_id = o.space_id)
      and not exists (select from jobs j
                      where j.content_hash = o.content_hash and j.space_id = o.space_id and j.state in ('queued', 'running', 'failed'));
    return null;
end $$;
-- +goose StatementEnd
create trigger originals_retire after delete on versions
    referencing old table as gone for each statement execute function originals_retire();

-- +goose Down
drop trigger originals_retire on versions;
drop function originals_retire();
drop index versions_any_hash;
drop table job_vectors, jobs, originals;
