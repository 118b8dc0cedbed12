-- phase: expand
-- Time that people spent on issues, in seconds, and the stopwatches that run.

create table tracked_time (
  id bigint generated always as identity primary key,
  issue_id bigint not null references issue (id) on delete cascade,
  -- That of the issue, which takes the row along when it goes: so that the times of a repository have an index.
  repository_id bigint not null,
  user_id bigint not null references account (id) on delete cascade,
  -- Below zero to take back what was too much.
  seconds bigint not null,
  created_at timestamptz not null,
  -- The timeline goes on to show what was deleted.
  deleted_at timestamptz
);
create index tracked_time_issue on tracked_time (issue_id, id) where deleted_at is null;
create index tracked_time_issue_user on tracked_time (issue_id, user_id, id) where deleted_at is null;
create index tracked_time_repository on tracked_time (repository_id, id) where deleted_at is null;
create index tracked_time_repository_user on tracked_time (repository_id, user_id, id) where deleted_at is null;
create index tracked_time_user on tracked_time (user_id, id) where deleted_at is null;
-- For whoever deletes an issue or an account, and what was deleted before with it.
create index tracked_time_deleted_issue on tracked_time (issue_id) where deleted_at is not null;
create index tracked_time_deleted_user on tracked_time (user_id) where deleted_at is not null;

-- One for each person: whoever starts another stops it.
create table stopwatch (
  user_id bigint primary key references account (id) on delete cascade,
  issue_id bigint not null references issue (id) on delete cascade,
  created_at timestamptz not null
);
create index stopwatch_issue on stopwatch (issue_id);
