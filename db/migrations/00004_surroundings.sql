-- +goose Up
-- What surrounds a procedure, in the order of the text:
-- [{"kind": "lead_in", "span": {"start", "end"}}].
alter table procedures add column around jsonb not null default '[]';

-- +goose Down
alter table procedures drop column around;
