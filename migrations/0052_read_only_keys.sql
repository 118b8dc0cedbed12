-- phase: expand
-- A public key of a person that fetches and never pushes. Keys from before this column write, as they were told.
alter table public_key add column is_read_only boolean not null default false;
