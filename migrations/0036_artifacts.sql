-- phase: expand
-- Artifacts: what jobs leave behind for people and for later jobs. And what lists of runs are found by.

-- Whether its runner can be told to cancel it, and ends it itself.
alter table action_task add column can_cancel boolean not null default false;

create table action_artifact (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  run_id bigint not null references action_run (id) on delete cascade,
  -- One of a name in each run; files of the older protocol are kept one by one, a newer artifact is one archive.
  name text not null,
  protocol text not null check (protocol in ('v3', 'v4')),
  -- All of it has come. Until then nobody is shown it.
  is_complete boolean not null default false,
  bytes bigint not null default 0,
  -- SHA-256 of an archive, in hexadecimal digits.
  digest text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  unique (run_id, name)
);
create index action_artifact_repository on action_artifact (repository_id, id);
create index action_artifact_expires on action_artifact (expires_at);

-- A piece of an artifact: an object of the store. The row comes before the object; what belongs to no artifact is swept.
create table action_artifact_part (
  object_key text primary key,
  artifact_id bigint references action_artifact (id) on delete set null,
  -- The file it is of; empty for an archive.
  path text not null default '',
  -- What its sender calls it, and where it belongs: none until that is said.
  block text not null default '',
  position bigint,
  bytes bigint not null default 0,
  is_gzipped boolean not null default false,
  created_at timestamptz not null
);
create unique index action_artifact_part_block on action_artifact_part (artifact_id, path, block)
  where artifact_id is not null;
create index action_artifact_part_orphan on action_artifact_part (created_at) where artifact_id is null;

create index action_run_ref on action_run (ref, id);
create index action_run_event on action_run (event, id);
create index action_run_repository_event on action_run (repository_id, event, number);
create index action_run_finished on action_run (stopped_at) where stopped_at is not null;
create index action_job_repository_status on action_job (repository_id, status, id);
create index action_log_piece_kept on action_log_piece (created_at) where task_id is not null;
