-- phase: expand
-- Actions: runs of workflows, the jobs they consist of, the tasks in which runners carry these out, and the runners.

-- A runner takes jobs of one repository, of all repositories of an account, or of all. Deleted ones stay for the tasks they had.
create table action_runner (
  id bigint generated always as identity primary key,
  uuid text not null unique,
  token_digest bytea not null,
  name text not null,
  version text not null default '',
  owner_id bigint references account (id) on delete cascade,
  repository_id bigint references repository (id) on delete cascade,
  labels text[] not null default '{}',
  -- What it can do besides the first protocol, such as `cancelling`.
  capabilities text[] not null default '{}',
  -- Takes one job, and is gone.
  is_ephemeral boolean not null default false,
  is_disabled boolean not null default false,
  -- When it was last heard of, and when it was last heard of with a job in hand.
  online_at timestamptz,
  active_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  check (num_nonnulls(owner_id, repository_id) <= 1)
);
create index action_runner_owner on action_runner (owner_id, id) where deleted_at is null;
create index action_runner_repository on action_runner (repository_id, id) where deleted_at is null;

-- With which runners register. The newest of a scope is the one that is shown; older ones are worth nothing.
create table action_runner_token (
  id bigint generated always as identity primary key,
  owner_id bigint references account (id) on delete cascade,
  repository_id bigint references repository (id) on delete cascade,
  digest bytea not null unique,
  -- It is shown again and again, so it is sealed and not only digested.
  sealed text not null,
  is_active boolean not null default true,
  created_at timestamptz not null,
  check (num_nonnulls(owner_id, repository_id) <= 1)
);
create unique index action_runner_token_active
  on action_runner_token (coalesce(owner_id, 0), coalesce(repository_id, 0)) where is_active;
create index action_runner_token_owner on action_runner_token (owner_id) where owner_id is not null;
create index action_runner_token_repository on action_runner_token (repository_id) where repository_id is not null;

create table action_run (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  -- The run number: of its repository, and given once.
  number bigint not null,
  title text not null,
  -- The name of the workflow's file, which is its id on the wire, and the path of it.
  workflow_file text not null,
  workflow_path text not null,
  -- The workflow as it was then: a run never changes with its file.
  workflow text not null,
  event text not null,
  -- What is told to jobs as `github.event`, and the inputs of a dispatch.
  payload jsonb not null,
  inputs jsonb not null default '{}',
  ref text not null,
  head_sha text not null,
  -- Of pull requests: where from and where to, as jobs know them.
  head_ref text not null default '',
  base_ref text not null default '',
  issue_id bigint references issue (id) on delete set null,
  -- Who made it happen first.
  actor_id bigint references account (id) on delete set null,
  -- What comes from a fork gets no secrets, and a token that only reads.
  is_from_fork boolean not null default false,
  needs_approval boolean not null default false,
  approver_id bigint references account (id) on delete set null,
  -- Of the newest attempt, kept with it in one transaction: lists ask for no other.
  attempt bigint not null default 1,
  trigger_actor_id bigint references account (id) on delete set null,
  status text not null
    check (status in ('blocked', 'waiting', 'running', 'cancelling', 'success', 'failure', 'cancelled', 'skipped')),
  started_at timestamptz,
  stopped_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (repository_id, number)
);
create index action_run_repository_status on action_run (repository_id, status, number);
create index action_run_repository_sha on action_run (repository_id, head_sha);
create index action_run_repository_ref on action_run (repository_id, ref, number);
create index action_run_repository_workflow on action_run (repository_id, workflow_file, number);
create index action_run_status on action_run (status, id);
create index action_run_sha on action_run (head_sha);
create index action_run_created on action_run (created_at);
create index action_run_actor on action_run (actor_id, id) where actor_id is not null;
create index action_run_trigger_actor on action_run (trigger_actor_id, id) where trigger_actor_id is not null;
create index action_run_approver on action_run (approver_id) where approver_id is not null;
create index action_run_issue on action_run (issue_id) where issue_id is not null;

-- The next number of a repository's runs: one row, locked by whoever takes it.
create table action_run_number (
  repository_id bigint primary key references repository (id) on delete cascade,
  last bigint not null
);

create table action_attempt (
  run_id bigint not null references action_run (id) on delete cascade,
  attempt bigint not null,
  actor_id bigint references account (id) on delete set null,
  status text not null
    check (status in ('blocked', 'waiting', 'running', 'cancelling', 'success', 'failure', 'cancelled', 'skipped')),
  -- Of a repository only one attempt of a group runs at a time; one of each waits.
  repository_id bigint not null references repository (id) on delete cascade,
  concurrency_group text,
  cancels_others boolean not null default false,
  started_at timestamptz,
  stopped_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (run_id, attempt)
);
create index action_attempt_group on action_attempt (repository_id, concurrency_group, run_id)
  where concurrency_group is not null and status in ('blocked', 'waiting', 'running', 'cancelling');
create index action_attempt_actor on action_attempt (actor_id) where actor_id is not null;

create table action_job (
  id bigint generated always as identity primary key,
  run_id bigint not null references action_run (id) on delete cascade,
  attempt bigint not null,
  repository_id bigint not null references repository (id) on delete cascade,
  -- Its name in the workflow, and as it is shown: with its values of the matrix.
  key text not null,
  name text not null,
  needs text[] not null default '{}',
  runs_on text[] not null default '{}',
  -- The labels it asks for, sorted and joined: what waits is looked for by it.
  labels_key text not null default '',
  -- The job that calls the reusable workflow which this one is of.
  parent_id bigint references action_job (id) on delete cascade,
  status text not null
    check (status in ('blocked', 'waiting', 'running', 'cancelling', 'success', 'failure', 'cancelled', 'skipped')),
  -- What the planner has to know of it until it is ready: conditions, matrix, groups.
  plan jsonb not null default '{}',
  -- The workflow with this job alone, as the runner gets it. None until it is ready.
  payload text,
  -- What its token may do, unit by unit.
  permissions jsonb not null default '{}',
  outputs jsonb not null default '{}',
  continues_on_error boolean not null default false,
  timeout_minutes bigint not null default 360,
  concurrency_group text,
  -- The task in which it is or was carried out; how often it was lost before that.
  task_id bigint,
  losses bigint not null default 0,
  -- Since when it waits for a runner: those that wait longest come first.
  queued_at timestamptz,
  started_at timestamptz,
  stopped_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index action_job_run on action_job (run_id, attempt, id);
create index action_job_waiting on action_job (labels_key, queued_at, id) where status = 'waiting';
create index action_job_repository_waiting on action_job (repository_id, queued_at, id) where status = 'waiting';
create index action_job_status on action_job (status, id);
create index action_job_repository on action_job (repository_id, id);
create index action_job_parent on action_job (parent_id) where parent_id is not null;
create index action_job_group on action_job (repository_id, concurrency_group, id)
  where concurrency_group is not null and status in ('blocked', 'waiting', 'running', 'cancelling');

-- One try of a runner at a job. Finished tasks are final, whatever their runner says later.
create table action_task (
  id bigint generated always as identity primary key,
  job_id bigint not null references action_job (id) on delete cascade,
  repository_id bigint not null references repository (id) on delete cascade,
  runner_id bigint references action_runner (id) on delete set null,
  runner_name text not null,
  status text not null check (status in ('running', 'cancelling', 'success', 'failure', 'cancelled', 'skipped')),
  -- Its runner was not heard of for too long: the job may be run again.
  is_lost boolean not null default false,
  -- Lines and bytes of the log that are stored, and whether more will come.
  log_lines bigint not null default 0,
  log_bytes bigint not null default 0,
  is_log_done boolean not null default false,
  -- What its log must not show: the secrets it was given, as they were then. None when the log is done.
  sealed_masks text,
  heard_at timestamptz not null,
  started_at timestamptz not null,
  stopped_at timestamptz
);
create index action_task_job on action_task (job_id, id);
create index action_task_runner on action_task (runner_id, id) where runner_id is not null;
create index action_task_repository on action_task (repository_id, id);
create index action_task_unfinished on action_task (heard_at) where status in ('running', 'cancelling');
create index action_task_started on action_task (started_at) where status in ('running', 'cancelling');

create table action_step (
  task_id bigint not null references action_task (id) on delete cascade,
  -- As the runner counts them, from 0.
  position bigint not null,
  name text not null,
  status text not null
    check (status in ('waiting', 'running', 'success', 'failure', 'cancelled', 'skipped')),
  log_index bigint not null default 0,
  log_length bigint not null default 0,
  started_at timestamptz,
  stopped_at timestamptz,
  primary key (task_id, position)
);

-- A piece of a log: an object of the store, and which lines are in it. The row comes before the object, and belongs to no
-- task until that is stored; what belongs to none for long is swept with its object, also when the task is deleted.
create table action_log_piece (
  object_key text primary key,
  task_id bigint references action_task (id) on delete set null,
  first_line bigint not null default 0,
  lines bigint not null default 0,
  bytes bigint not null default 0,
  created_at timestamptz not null
);
create unique index action_log_piece_task on action_log_piece (task_id, first_line) where task_id is not null;
create index action_log_piece_orphan on action_log_piece (created_at) where task_id is null;
