-- +goose Up
create extension if not exists vector;

create table spaces (
    id         bigint generated always as identity primary key,
    name       text not null unique check (name <> '' and length(name) <= 200),
    created_at timestamptz not null default now()
);

create table doc_types (
    id         bigint generated always as identity primary key,
    name       text not null unique check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
    label      text not null check (label <> ''),
    strategy   jsonb not null check (strategy ->> 'kind' in ('sentence_window', 'parent_section', 'fixed_tokens', 'fixed_chars')),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table documents (
    id          bigint generated always as identity primary key,
    space_id    bigint not null references spaces (id) on delete cascade,
    doc_type_id bigint not null references doc_types (id),
    source_uri  text not null check (source_uri <> ''),
    title       text not null,
    created_at  timestamptz not null default now(),
    unique (space_id, source_uri)
);
create index documents_doc_type on documents (doc_type_id);

create table versions (
    id           bigint generated always as identity primary key,
    document_id  bigint not null references documents (id) on delete cascade,
    ordinal      int not null check (ordinal >= 1),
    state        text not null check (state in ('staged', 'live', 'superseded', 'failed')),
    content_hash bytea not null check (length(content_hash) = 32), -- SHA-256 of the file's bytes
    doc_type_id  bigint not null references doc_types (id),
    title        text not null,
    body         text not null,                                   -- the one normalised text; every span is bytes of its UTF-8
    body_bytes   int not null check (body_bytes = octet_length(body)),
    meta         jsonb not null default '{}',                     -- front matter
    warnings     text[] not null default '{}',
    extractor    text not null,
    splitter     text not null,
    embedder     text not null,                                   -- '' when ingested without vectors
    doc_date     date,
    review_due   date,
    failure      text not null default '',
    created_at   timestamptz not null default now(),
    live_at      timestamptz,
    unique (document_id, ordinal)
);
-- Exactly one version of a document is live.
create unique index versions_one_live on versions (document_id) where state = 'live';
create index versions_content_hash on versions (content_hash) where state = 'live';

-- The parent table: what stands under each heading, whole. The sections of a
-- version tile its text, so their contents joined are the text.
create table sections (
    version_id   bigint not null references versions (id) on delete cascade,
    ordinal      int not null check (ordinal >= 0),
    parent       int check (parent < ordinal),
    level        int not null check (level between 0 and 6),
    heading      text not null,
    heading_path text[] not null,
    span_start   int not null,
    span_end     int not null,
    tree_end     int not null,
    token_count  int not null check (token_count >= 0),
    parts        int4range[] not null default '{}',               -- middle layer
    content      text not null check (octet_length(content) = span_end - span_start),
    primary key (version_id, ordinal),
    foreign key (version_id, parent) references sections (version_id, ordinal) deferrable initially deferred,
    check (0 <= span_start and span_start <= span_end and span_end <= tree_end)
);
-- Deleting a row looks for rows that refer to it; without these indexes the
-- time to delete a document grows with the square of its length.
create index sections_parent on sections (version_id, parent) where parent is not null;

create table procedures (
    version_id bigint not null,
    ordinal    int not null check (ordinal >= 0),
    section    int not null,
    span_start int not null,
    span_end   int not null,
    lead       int4range not null default 'empty',
    tail       int4range not null default 'empty',
    steps      jsonb not null check (jsonb_array_length(steps) >= 1), -- [{"span": {"start", "end"}, "number"}]
    primary key (version_id, ordinal),
    foreign key (version_id, section) references sections (version_id, ordinal) on delete cascade,
    check (0 <= span_start and span_start < span_end)
);

create table units (
    id              bigint generated always as identity primary key,
    version_id      bigint not null references versions (id) on delete cascade,
    unit_set        text not null,
    ordinal         int not null check (ordinal >= 0),
    kind            text not null check (kind in ('sentence', 'item', 'row', 'code', 'heading', 'chunk')),
    span_start      int not null,
    span_end        int not null,
    section         int not null,
    paragraph       int not null,
    procedure       int,
    step            int,
    header          int4range not null default 'empty',       -- the table's header row
    embed_text_hash bytea not null check (length(embed_text_hash) = 32), -- SHA-256 of what is embedded
    unique (version_id, unit_set, ordinal),
    foreign key (version_id, section) references sections (version_id, ordinal),
    foreign key (version_id, procedure) references procedures (version_id, ordinal),
    check (0 <= span_start and span_start < span_end),
    check (procedure is not null or step is null)               -- a lead-in belongs to a procedure, but to no step
);
create index units_section on units (version_id, section);
create index units_procedure on units (version_id, procedure) where procedure is not null;

-- +goose Down
drop table units, procedures, sections, versions, documents, doc_types, spaces;
