-- +goose Up
-- Where each page of a paged source (a PDF) begins in body, in bytes, from page 1;
-- empty for other sources.
alter table versions add column pages int[] not null default '{}';

-- +goose Down
alter table versions drop column pages;
