-- phase: expand
-- The storage of the attempt that runs: a later attempt takes over the Git LFS objects that are linked to it.
alter table import add column storage_id bigint;

-- A mirror of the release before has no Git LFS objects.
alter table mirror add column has_lfs boolean not null default false;
-- Null: derived from the address of the remote.
alter table mirror add column lfs_endpoint text;
