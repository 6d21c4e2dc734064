-- +goose Up
create extension if not exists pg_trgm;

-- What the postings are kept apart by: a search reads whole groups, so its
-- filter is a list of them. Numbers are without what the journal tells.
create table lexical_groups (
    id          int generated always as identity primary key,
    unit_set    text not null,
    space_id    bigint not null,
    doc_type_id bigint not null,
    units       bigint not null default 0,
    terms       bigint not null default 0,
    unique (unit_set, space_id, doc_type_id)
);
insert into lexical_groups (unit_set, space_id, doc_type_id)
select distinct unit_set, space_id, doc_type_id from lexical_totals order by unit_set, space_id, doc_type_id;

-- Versions that came into a group or left it (negative numbers) since its
-- postings were last merged. Writers only add rows, so none waits for another.
create table lexical_journal (
    group_id   int not null,
    version_id bigint not null,
    units      int not null,
    terms      bigint not null,
    entries    int not null                     -- rows of postings
);
create index lexical_journal_group on lexical_journal (group_id);
insert into lexical_journal (group_id, version_id, units, terms, entries)
select g.id, t.version_id, t.units, t.terms,
       (select count(*) from postings p where p.version_id = t.version_id and p.unit_set = t.unit_set)
from lexical_totals t
join lexical_groups g using (unit_set, space_id, doc_type_id);

-- The terms of each version and how many of its units hold them, to take them
-- back when the version leaves. Kept out of the row, which is read for its numbers.
alter table lexical_totals
    add words text[] collate "C" not null default '{}',
    add held  int[] not null default '{}';
alter table lexical_totals set (toast_tuple_target = 128);
alter table lexical_totals alter words drop default, alter held drop default;
update lexical_totals t
set words = p.words, held = p.held
from (
    select version_id, unit_set, array_agg(term order by term collate "C") as words,
           array_agg(cardinality(ordinals) order by term collate "C") as held
    from postings
    group by version_id, unit_set
) p
where p.version_id = t.version_id and p.unit_set = t.unit_set;

-- The lexical index. A row holds postings of a term in a group: fresh ones of
-- one version as it is written (n > 0) or leaves again (n < 0, no body), merged
-- ones of many. The sum of n is the document frequency at any time. A term over
-- 200 bytes stands as its hash, since a B-tree entry has a limit.
--
-- body is a list of runs, one per version in rising order, of base-128 numbers
-- (least significant first, the high bit says that more follows): the step from
-- the version before (0 in the first run, whose version is first), the units of
-- the version, the bytes of its postings; then for each posting 2 × the step
-- from the unit before (from -1) + 1 if the term stands there more than once,
-- in that case how often, and the unit's length in terms.
alter table postings rename to postings_by_version;
create table postings (
    first    bigint not null,
    last     bigint not null,
    group_id int not null,
    n        int not null,
    fresh    boolean not null,
    term     text collate "C" not null,
    body     bytea not null
) with (toast_tuple_target = 8160);
-- Bodies are dense already, and are read faster where the row is.
alter table postings alter body set storage external;

-- +goose StatementBegin
create function pg_temp.base128(n int) returns bytea language sql immutable as $$
    select case
        when n < 1 << 7 then substr(int4send(n), 4)
        when n < 1 << 14 then substr(int4send(((n & 127 | 128) << 8) | (n >> 7)), 3)
        when n < 1 << 21 then substr(int4send(((n & 127 | 128) << 16) | (((n >> 7) & 127 | 128) << 8) | (n >> 14)), 2)
        else int4send(((n & 127 | 128) << 24) | (((n >> 7) & 127 | 128) << 16) | (((n >> 14) & 127 | 128) << 8) | (n >> 21))
    end
$$;
-- +goose StatementEnd
insert into postings (first, last, group_id, n, fresh, term, body)
select p.version_id, p.version_id, g.id, cardinality(p.ordinals), true, p.term,
       '\x00' || pg_temp.base128(t.units) || pg_temp.base128(length(r.run)) || r.run
from postings_by_version p
join lexical_totals t using (version_id, unit_set)
join lexical_groups g on g.unit_set = p.unit_set and g.space_id = p.space_id and g.doc_type_id = p.doc_type_id
cross join lateral (
    select string_agg(
        pg_temp.base128(2 * (ordinal - coalesce(before, -1)) + (n > 1)::int)
            || case when n > 1 then pg_temp.base128(n) else '' end || pg_temp.base128(size),
        '' order by ordinal) as run
    from (
        select ordinal, n, size, lag(ordinal) over (order by ordinal) as before
        from unnest(p.ordinals, p.counts, p.lengths) as u (ordinal, n, size)
    ) u
) r;
drop table postings_by_version;
create index postings_term on postings (term, group_id);
create index postings_fresh on postings (group_id, term) where fresh;

-- The words that may stand in for one that is not there. Without a unique
-- index no writer waits for another; a word may stand here twice.
create table lexical_words (term text collate "C" not null);
insert into lexical_words
select distinct word
from lexical_totals cross join lateral unnest(words) as word
where length(word) between 4 and 40 and word ~ '^[[:alpha:]]+$';
create index lexical_words_term on lexical_words (term);
create index lexical_words_similar on lexical_words using gin (term gin_trgm_ops);

-- Whatever takes a version out of the index, a replacement or a delete of
-- documents by anybody, takes its postings out in the same transaction.
-- +goose StatementBegin
create function lexical_retire() returns trigger language plpgsql as $$
declare
    home int;
begin
    select id into strict home from lexical_groups
    where unit_set = old.unit_set and space_id = old.space_id and doc_type_id = old.doc_type_id;
    insert into postings (first, last, group_id, n, fresh, term, body)
    select old.version_id, old.version_id, home, -n, true, word, ''
    from unnest(old.words, old.held) as w (word, n);
    insert into lexical_journal (group_id, version_id, units, terms, entries)
    values (home, old.version_id, -old.units, -old.terms, cardinality(old.words));
    return null;
end
$$;
-- +goose StatementEnd
create trigger lexical_retire after delete on lexical_totals
for each row execute function lexical_retire();

-- +goose Down
drop trigger lexical_retire on lexical_totals;
drop function lexical_retire;
alter table postings rename to postings_merged;
create table postings (
    term        text not null,
    unit_set    text not null,
    space_id    bigint not null references spaces (id) on delete cascade,
    doc_type_id bigint not null references doc_types (id),
    version_id  bigint not null references versions (id) on delete cascade,
    ordinals    int[] not null,
    counts      int[] not null,
    lengths     int[] not null,
    primary key (term, unit_set, space_id, version_id),
    check (cardinality(ordinals) = cardinality(counts) and cardinality(ordinals) = cardinality(lengths))
);
-- +goose StatementBegin
create function pg_temp.runs(first bigint, body bytea)
returns table (version_id bigint, ordinals int[], counts int[], lengths int[]) language plpgsql as $$
declare
    numbers bigint[];
    number  bigint := 0;
    shift   int := 0;
    ends    int[];    -- the byte after each number
    i       int := 1;
    stop    int;
    ordinal int;
    step    bigint;
begin
    for at in 0 .. length(body) - 1 loop
        number := number | ((get_byte(body, at) & 127)::bigint << shift);
        shift := shift + 7;
        if get_byte(body, at) < 128 then
            numbers := numbers || number;
            ends := ends || (at + 1);
            number := 0;
            shift := 0;
        end if;
    end loop;
    version_id := first;
    while i <= cardinality(numbers) loop
        version_id := version_id + numbers[i];
        stop := ends[i + 2] + numbers[i + 2];
        i := i + 3;
        ordinal := -1;
        ordinals := '{}';
        counts := '{}';
        lengths := '{}';
        while i <= cardinality(numbers) and ends[i] <= stop loop
            step := numbers[i];
            ordinal := ordinal + step / 2;
            ordinals := ordinals || ordinal;
            if step % 2 = 1 then
                i := i + 1;
                counts := counts || numbers[i]::int;
            else
                counts := counts || 1;
            end if;
            lengths := lengths || numbers[i + 1]::int;
            i := i + 2;
        end loop;
        return next;
    end loop;
end
$$;
-- +goose StatementEnd
insert into postings (term, unit_set, space_id, doc_type_id, version_id, ordinals, counts, lengths)
select m.term, g.unit_set, g.space_id, g.doc_type_id, r.version_id, r.ordinals, r.counts, r.lengths
from postings_merged m
join lexical_groups g on g.id = m.group_id
cross join lateral pg_temp.runs(m.first, m.body) r
where m.n > 0
  and exists (select from lexical_totals t where t.version_id = r.version_id and t.unit_set = g.unit_set);
create index postings_version on postings (version_id);
drop table postings_merged, lexical_words, lexical_journal, lexical_groups;
alter table lexical_totals drop words, drop held;
alter table lexical_totals reset (toast_tuple_target);
