-- +goose Up

-- What a list of documents is narrowed and sorted by stands in the document's
-- own row, so that one index gives a page of it. What the front matter of the
-- live version says is written there when it goes live; *_by_hand says that a
-- person said it, and it stays until a front matter says something itself.
alter table versions add column superseded_by text not null default '';
alter table documents
    add column changed_at            timestamptz not null default now(), -- when the live version went live
    add column review_due            date,
    add column review_by_hand        boolean not null default false,
    add column superseded_by         text not null default '',           -- source URI or title of a document of the space
    add column superseded_by_hand    boolean not null default false;

update versions
set superseded_by = left(btrim(meta ->> 'superseded_by'), 1000)
where meta ->> 'superseded_by' <> '';
update documents d
set changed_at = coalesce(v.live_at, v.created_at), review_due = v.review_due, superseded_by = v.superseded_by
from versions v
where v.document_id = d.id and v.state = 'live';

-- Titles may be longer than an entry of an index.
create index documents_by_title on documents (lower(left(title, 200)), id);
create index documents_by_change on documents (changed_at, id);
create index documents_by_review on documents (coalesce(review_due, 'infinity'::date), id);
create index documents_words on documents using gin (lower(title || ' ' || source_uri) gin_trgm_ops);

-- +goose Down
drop index documents_words, documents_by_review, documents_by_change, documents_by_title;
alter table documents
    drop column changed_at, drop column review_due, drop column review_by_hand,
    drop column superseded_by, drop column superseded_by_hand;
alter table versions drop column superseded_by;
