-- +goose Up

-- One vector index per embedder and unit set. The program gives each a partial
-- HNSW index of its own, embeddings_hnsw_<id>, because the dimension belongs to
-- the embedder; it does so when the set outgrows an exact scan.
create table vector_indexes (
    id         int generated always as identity primary key,
    embedder   text not null check (embedder <> ''),
    unit_set   text not null check (unit_set <> ''),
    dimension  int not null check (dimension between 1 and 4000),
    created_at timestamptz not null default now(),
    unique (embedder, unit_set)
);

-- Vectors of live versions only; a superseded version's are removed in the
-- transaction that replaces it. What searches filter by stands beside the vector.
create table embeddings (
    unit_id     bigint primary key references units (id) on delete cascade,
    index_id    int not null references vector_indexes (id),
    version_id  bigint not null references versions (id) on delete cascade,
    space_id    bigint not null references spaces (id) on delete cascade,
    doc_type_id bigint not null references doc_types (id),
    embedding   halfvec not null
);
create index embeddings_filter on embeddings (index_id, space_id, doc_type_id);
create index embeddings_version on embeddings (version_id);
alter table embeddings alter column embedding set storage plain;

-- The lexical index: for each term of a live version, in which units of a set
-- it stands and how often. One row holds all units of the version, so document
-- frequencies are sums of cardinalities and BM25 is exact. A term over 200 bytes
-- stands as its hash, since a B-tree entry has a limit.
create table postings (
    term        text not null,
    unit_set    text not null,
    space_id    bigint not null references spaces (id) on delete cascade,
    doc_type_id bigint not null references doc_types (id),
    version_id  bigint not null references versions (id) on delete cascade,
    ordinals    int[] not null,                 -- of the units
    counts      int[] not null,                 -- of the term in each
    lengths     int[] not null,                 -- of each unit, in terms
    primary key (term, unit_set, space_id, version_id),
    check (cardinality(ordinals) = cardinality(counts) and cardinality(ordinals) = cardinality(lengths))
);
create index postings_version on postings (version_id);

-- Number and total length of the units of a live version, for BM25.
create table lexical_totals (
    version_id  bigint not null references versions (id) on delete cascade,
    unit_set    text not null,
    space_id    bigint not null references spaces (id) on delete cascade,
    doc_type_id bigint not null references doc_types (id),
    units       int not null,
    terms       bigint not null,
    primary key (version_id, unit_set)
);
create index lexical_totals_filter on lexical_totals (unit_set, space_id, doc_type_id);

-- +goose Down
drop table lexical_totals, postings, embeddings, vector_indexes;
