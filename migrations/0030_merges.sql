-- phase: expand
-- Merges: what was computed from what when a pull request landed, and which are to land when their checks succeed.

create table pull_merge (
  issue_id bigint primary key references pull_request (issue_id) on delete cascade,
  style text not null check (style in ('merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only', 'manually-merged')),
  -- The tip of the base that it was built upon, and the head that was merged: neither was anything else when the base moved.
  base_oid text not null,
  head_oid text not null,
  -- The tree of the merge commit: what git merges these two to.
  tree text not null,
  merge_commit text not null,
  actor_id bigint references account (id) on delete set null,
  -- It landed when its checks succeeded, for somebody who had asked for that.
  is_auto boolean not null,
  created_at timestamptz not null
);
create index pull_merge_actor on pull_merge (actor_id) where actor_id is not null;

-- Those that somebody has asked to be merged as soon as they may be. Gone when they landed, or when it was taken back.
create table pull_auto_merge (
  issue_id bigint primary key references pull_request (issue_id) on delete cascade,
  -- Who asked, and merges when the time has come, as far as they may then.
  actor_id bigint not null references account (id) on delete cascade,
  style text not null check (style in ('merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only')),
  title text not null,
  message text not null,
  deletes_branch boolean,
  created_at timestamptz not null
);
create index pull_auto_merge_actor on pull_auto_merge (actor_id);

-- Which one a commit landed with.
create index pull_request_merge_commit on pull_request (repository_id, merge_commit) where merge_commit is not null;
