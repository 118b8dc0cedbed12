-- phase: expand
-- Backups that are under way. While there is one, nothing is deleted from the object store that the rows it saved may
-- name. By the clock of PostgreSQL alone.
create table backup (
  id uuid primary key,
  started_at timestamptz not null default now(),
  -- Put off as long as the one who makes it lives.
  expires_at timestamptz not null
);
