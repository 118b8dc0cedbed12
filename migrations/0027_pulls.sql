-- phase: expand
-- Pull requests: what is to become of a branch, in every version it ever had, what was said about it, and how it landed.
-- Underneath each is an issue, which has its title, text, people and timeline.

-- Of pull requests only. Kept by issues, because that is where their lists ask.
alter table issue add column merged_at timestamptz;

-- Whose review was asked for, and who has given one: a person or a team, never both. One row for each.
create table issue_reviewer (
  issue_id bigint not null references issue (id) on delete cascade,
  user_id bigint references account (id) on delete cascade,
  team_id bigint references team (id) on delete cascade,
  is_requested boolean not null,
  has_reviewed boolean not null,
  updated_at timestamptz not null,
  check (num_nonnulls(user_id, team_id) = 1),
  unique nulls not distinct (issue_id, user_id, team_id)
);
create index issue_reviewer_user on issue_reviewer (user_id, issue_id) where user_id is not null;
create index issue_reviewer_team on issue_reviewer (team_id, issue_id) where team_id is not null;

create table pull_request (
  issue_id bigint primary key references issue (id) on delete cascade,
  -- By which clients call it; the number is that of the issue.
  id bigint generated always as identity unique,
  -- Where it is to land: that of the issue, and its number.
  repository_id bigint not null references repository (id) on delete cascade,
  number bigint not null,
  -- Those that are neither merged nor closed: as the issue says, kept in the same transaction.
  is_open boolean not null,
  base_branch text not null,
  -- Where it comes from: none once that is deleted. Those that were pushed to refs/for/ come from no branch.
  head_repository_id bigint references repository (id) on delete set null,
  head_branch text not null,
  flow text not null check (flow in ('branch', 'agit')),
  -- As it is now: the last of its versions, and what it parted from.
  head_oid text not null,
  version bigint not null,
  merge_base text not null,
  allows_maintainer_edit boolean not null,
  -- What was found about this pair of commits. Of any other pair it says nothing.
  checked_base_oid text not null default '',
  checked_head_oid text not null default '',
  mergeability text not null check (mergeability in ('checking', 'mergeable', 'conflict', 'merged', 'empty', 'unrelated', 'error')),
  conflicted_paths text[] not null default '{}',
  -- Of the last version against what it parted from; none where git could not say.
  additions bigint,
  deletions bigint,
  changed_files bigint,
  -- Reviews and their comments that were submitted.
  review_comments bigint not null default 0,
  merged_at timestamptz,
  merged_by_id bigint references account (id) on delete set null,
  merge_commit text,
  created_at timestamptz not null,
  unique (repository_id, number)
);
create index pull_request_head on pull_request (head_repository_id, head_branch) where is_open;
create index pull_request_base on pull_request (repository_id, base_branch, number) where is_open;
create index pull_request_branch on pull_request (repository_id, base_branch);
-- Whose repository was deleted, until they are closed.
create index pull_request_orphan on pull_request (issue_id)
  where is_open and flow = 'branch' and head_repository_id is null;
create index pull_request_merged_by on pull_request (merged_by_id) where merged_by_id is not null;
-- Every head that a pull request ever had, each behind refs/pull/{number}/v/{version}.
create table pull_version (
  issue_id bigint not null references pull_request (issue_id) on delete cascade,
  version bigint not null,
  head_oid text not null,
  -- The tip of its base then, and where they parted; empty until somebody looked.
  base_oid text not null,
  merge_base text not null,
  -- It does not contain the version before.
  is_forced boolean not null default false,
  additions bigint,
  deletions bigint,
  changed_files bigint,
  pusher_id bigint references account (id) on delete set null,
  created_at timestamptz not null,
  primary key (issue_id, version)
);
create index pull_version_pusher on pull_version (pusher_id) where pusher_id is not null;
