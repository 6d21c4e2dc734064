-- +goose Up

-- How many vectors each index holds by what searches filter by: the sum of the
-- rows. A search chooses its plan by it, and counting a million vectors would
-- take longer than the search. Every statement that changes embeddings adds a
-- row, so that writers never wait for each other; the program adds rows up now
-- and then. No references: a space's vectors leave after the space has left.
create table vector_counts (
    index_id    int not null,
    space_id    bigint not null,
    doc_type_id bigint not null,
    vectors     bigint not null
);

-- +goose StatementBegin
create function count_vectors() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        insert into vector_counts
        select index_id, space_id, doc_type_id, -count(*) from gone group by index_id, space_id, doc_type_id;
    end if;
    if tg_op <> 'DELETE' then
        insert into vector_counts
        select index_id, space_id, doc_type_id, count(*) from come group by index_id, space_id, doc_type_id;
    end if;
    return null;
end
$$;
-- +goose StatementEnd

create trigger embeddings_come after insert on embeddings
    referencing new table as come for each statement execute function count_vectors();
create trigger embeddings_gone after delete on embeddings
    referencing old table as gone for each statement execute function count_vectors();
create trigger embeddings_moved after update on embeddings
    referencing old table as gone new table as come for each statement execute function count_vectors();

insert into vector_counts
select index_id, space_id, doc_type_id, count(*) from embeddings group by index_id, space_id, doc_type_id;

-- +goose Down
drop trigger embeddings_come on embeddings;
drop trigger embeddings_gone on embeddings;
drop trigger embeddings_moved on embeddings;
drop function count_vectors();
drop table vector_counts;
