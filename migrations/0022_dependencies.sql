-- phase: expand
-- Which issue stands in the way of which, over any repositories. Invariant: nobody comes back to an issue by going from
-- each to what it blocks.

create table issue_dependency (
  blocker_id bigint not null references issue (id) on delete cascade,
  blocked_id bigint not null references issue (id) on delete cascade,
  created_at timestamptz not null,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index issue_dependency_blocked on issue_dependency (blocked_id, blocker_id);
