-- +goose Up
create table chats (
    id         bigint generated always as identity primary key,
    owner      text not null,
    title      text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index chats_owner on chats (owner, updated_at desc);

create table messages (
    id         bigint generated always as identity primary key,
    chat_id    bigint not null references chats (id) on delete cascade,
    role       text not null check (role in ('user', 'assistant')),
    body       text not null,
    state      text not null check (state in ('writing', 'done', 'stopped', 'broken', 'refused', 'failed')),
    notice     text not null default '',
    model      text not null default '',
    trace      jsonb,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index messages_chat on messages (chat_id, id);
create index messages_writing on messages (updated_at) where state = 'writing';

-- A citation keeps spans, never text: what is deleted is gone from old chats
-- too, where "deleted" stands in its place.
create table citations (
    message_id  bigint not null references messages (id) on delete cascade,
    number      int not null check (number >= 1),
    used        boolean not null default false,
    document_id bigint references documents (id) on delete set null,
    version_id  bigint references versions (id) on delete set null,
    span_start  int not null,
    span_end    int not null,
    section     int not null,
    header      int4range not null default 'empty',
    marks       jsonb not null default '[]',
    parts       jsonb not null default '[]',
    primary key (message_id, number),
    check (0 <= span_start and span_start < span_end)
);
create index citations_document on citations (document_id);
create index citations_version on citations (version_id);

-- +goose Down
drop table citations, messages, chats;
