-- +goose Up
-- The terms of the units of a live version, as hashes, by which the units found
-- are rescored: see db/profiles.go for the format of data.
create table profiles (
    version_id  bigint not null references versions (id) on delete cascade,
    unit_set    text not null,
    space_id    bigint not null references spaces (id) on delete cascade,
    doc_type_id bigint not null references doc_types (id),
    data        bytea not null,
    primary key (version_id, unit_set)
);
alter table profiles alter column data set storage external; -- hashes do not compress

-- +goose Down
drop table profiles;
