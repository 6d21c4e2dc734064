-- +goose Up
-- What compression left out inside the passage, in the order of the text:
-- [{"start", "end"}], in bytes.
alter table citations add column gaps jsonb not null default '[]';

-- +goose Down
alter table citations drop column gaps;
