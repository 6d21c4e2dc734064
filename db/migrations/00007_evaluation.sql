-- +goose Up
-- Questions whose answers are known. A set of a space is read by who reads the
-- space; one without a space, which asks every space, by who reads all of them.
create table question_sets (
    id         bigint generated always as identity primary key,
    space_id   bigint references spaces (id) on delete cascade,
    name       text not null check (name <> '' and length(name) <= 200),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique nulls not distinct (space_id, name)
);

create table eval_questions (
    set_id  bigint not null references question_sets (id) on delete cascade,
    ordinal bigint generated always as identity,   -- the order in which they were added
    id      text not null check (id <> ''),
    body    jsonb not null,
    primary key (set_id, id)
);

-- A run: some settings on one set. Its plan says which, and what the documents
-- were at that time.
create table eval_runs (
    id          bigint generated always as identity primary key,
    set_id      bigint not null references question_sets (id) on delete cascade,
    name        text not null,
    state       text not null check (state in ('running', 'done', 'cancelled', 'failed')),
    done        int not null default 0 check (done >= 0),
    total       int not null default 0 check (total >= 0),
    cancel      boolean not null default false,    -- asked to stop
    failure     text not null default '',
    plan        jsonb not null,
    started_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now(),
    finished_at timestamptz
);
create index eval_runs_set on eval_runs (set_id, id desc);
create index eval_runs_running on eval_runs (updated_at) where state = 'running';

-- What each setting gave: its figures, and apart from them question by question.
create table eval_results (
    run_id   bigint not null references eval_runs (id) on delete cascade,
    ordinal  int not null check (ordinal >= 0),
    summary  jsonb not null,
    outcomes jsonb not null,
    primary key (run_id, ordinal)
);

-- +goose Down
drop table eval_results, eval_runs, eval_questions, question_sets;
