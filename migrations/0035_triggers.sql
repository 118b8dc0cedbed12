-- phase: expand
-- What makes workflows run: those that are switched off, and those that run by the clock.

create table action_workflow_off (
  repository_id bigint not null references repository (id) on delete cascade,
  -- The name of its file.
  workflow_file text not null,
  primary key (repository_id, workflow_file)
);

-- As the default branch says: written anew whenever it moves.
create table action_schedule (
  repository_id bigint not null references repository (id) on delete cascade,
  workflow_file text not null,
  cron text not null,
  -- Who moved the branch last: the runs are theirs.
  actor_id bigint references account (id) on delete set null,
  next_at timestamptz not null,
  primary key (repository_id, workflow_file, cron)
);
create index action_schedule_next on action_schedule (next_at);
create index action_schedule_actor on action_schedule (actor_id) where actor_id is not null;
