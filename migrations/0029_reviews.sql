-- phase: expand
-- Reviews: what was said of a pull request as a whole and of its lines, by whom, whether it counts, and who was asked.

-- A review of theirs was given and is not dismissed.
alter table issue_reviewer add column has_standing boolean not null default false;

-- Who is asked is one of them, too: a person or a team, never both.
create table review (
  id bigint generated always as identity primary key,
  issue_id bigint not null references pull_request (issue_id) on delete cascade,
  reviewer_id bigint references account (id) on delete set null,
  team_id bigint references team (id) on delete cascade,
  kind text not null check (kind in ('pending', 'approve', 'comment', 'reject', 'request')),
  body text not null,
  -- What was looked at: a commit, and the version that had it. Empty of a request.
  head_oid text not null,
  version bigint not null,
  -- It counts for the rule of the base branch.
  is_official boolean not null,
  -- The head has moved since.
  is_stale boolean not null default false,
  is_dismissed boolean not null default false,
  -- By the name and number they have where it was brought in from.
  original_author text not null default '',
  original_author_id bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (team_id is null or (reviewer_id is null and kind = 'request'))
);
create index review_issue on review (issue_id, created_at, id);
create unique index review_pending on review (issue_id, reviewer_id) where kind = 'pending' and reviewer_id is not null;
create unique index review_request_user on review (issue_id, reviewer_id) where kind = 'request' and reviewer_id is not null;
create unique index review_request_team on review (issue_id, team_id) where team_id is not null;
create index review_reviewer on review (reviewer_id) where reviewer_id is not null;
create index review_team on review (team_id) where team_id is not null;

-- A remark on a line: its text is an entry of the timeline.
create table review_comment (
  comment_id bigint primary key references issue_comment (id) on delete cascade,
  review_id bigint not null references review (id) on delete cascade,
  issue_id bigint not null references pull_request (issue_id) on delete cascade,
  -- What it was written on: a line of the head, or one that the head lacks; line 0 is the whole file. `line_oid` has the
  -- line: the head, or what it parted from.
  head_oid text not null,
  version bigint not null,
  line_oid text not null,
  path text not null,
  side text not null check (side in ('new', 'old')),
  line bigint not null,
  -- The lines that end with it, as the diff shows them; empty where the diff has no such line.
  diff_hunk text not null,
  resolver_id bigint references account (id) on delete set null,
  -- Where it is now: for this head, in this commit. No line: it is outdated.
  current_head_oid text not null,
  current_oid text not null,
  current_path text not null,
  current_line bigint
);
create index review_comment_review on review_comment (review_id);
create index review_comment_issue on review_comment (issue_id, current_head_oid);
create index review_comment_resolver on review_comment (resolver_id) where resolver_id is not null;

-- Whose code a pull request changes, as its base said when this head was looked at.
create table code_owner_check (
  issue_id bigint primary key references pull_request (issue_id) on delete cascade,
  head_oid text not null,
  base_branch text not null,
  -- All of it was looked at: else nobody can say who has to approve.
  is_complete boolean not null,
  -- The owners were asked for a review: once, when it was ready for that.
  is_asked boolean not null
);
-- Of each rule one owner has to approve: a person, or somebody of a team.
create table code_owner (
  issue_id bigint not null references code_owner_check (issue_id) on delete cascade,
  rule bigint not null,
  user_id bigint references account (id) on delete cascade,
  team_id bigint references team (id) on delete cascade,
  check (num_nonnulls(user_id, team_id) = 1),
  unique nulls not distinct (issue_id, rule, user_id, team_id)
);
create index code_owner_user on code_owner (user_id) where user_id is not null;
create index code_owner_team on code_owner (team_id) where team_id is not null;
