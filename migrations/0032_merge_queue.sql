-- phase: expand
-- The merge queue: pull requests that wait their turn to land, tested as they would land, each upon those before it.

-- The queue of one is that of its repository and of the branch that it is to land on. Gone when it landed, or left.
create table merge_queue_entry (
  issue_id bigint primary key references pull_request (issue_id) on delete cascade,
  -- In this order they land.
  id bigint generated always as identity unique,
  repository_id bigint not null references repository (id) on delete cascade,
  -- Who asked, and merges when the time has come, as far as they may then.
  actor_id bigint not null references account (id) on delete cascade,
  style text not null check (style in ('merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only')),
  title text not null,
  message text not null,
  deletes_branch boolean,
  -- What was queued: nothing else is tested, and nothing else lands.
  head_oid text not null,
  -- The commit that it was tried upon; none until it was.
  parent_oid text,
  -- The commit that it would land with, kept behind refs/queue/{number}, and its tree. None where git could not make it.
  tested_oid text,
  tested_tree text,
  -- Why git could not make it upon this parent.
  fault text,
  tested_at timestamptz,
  created_at timestamptz not null,
  check ((tested_oid is null) = (tested_tree is null)),
  check (num_nonnulls(tested_oid, fault) = num_nonnulls(parent_oid))
);
create index merge_queue_entry_repository on merge_queue_entry (repository_id, id);
create index merge_queue_entry_tested on merge_queue_entry (repository_id, tested_oid) where tested_oid is not null;
create index merge_queue_entry_actor on merge_queue_entry (actor_id);
