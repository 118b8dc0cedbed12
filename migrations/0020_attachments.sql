-- phase: expand
-- Files that people add to releases, issues and comments. Their bytes lie in the object store under their uuid.

create table attachment (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  -- One of the three, or none: still on its way, or what it was attached to is gone. Either way it is swept, and its
  -- bytes with it.
  release_id bigint references release (id) on delete set null,
  issue_id bigint references issue (id) on delete set null,
  comment_id bigint references issue_comment (id) on delete set null,
  name text not null,
  bytes bigint not null,
  -- Of pictures that browsers draw, by their first bytes; empty for everything else.
  picture_type text not null,
  downloads bigint not null default 0,
  uploader_id bigint references account (id) on delete set null,
  created_at timestamptz not null,
  check (num_nonnulls(release_id, issue_id, comment_id) <= 1)
);
create index attachment_release on attachment (release_id, id) where release_id is not null;
create index attachment_issue on attachment (issue_id, id) where issue_id is not null;
create index attachment_comment on attachment (comment_id, id) where comment_id is not null;
create index attachment_orphan on attachment (created_at)
  where release_id is null and issue_id is null and comment_id is null;
create index attachment_uploader on attachment (uploader_id) where uploader_id is not null;
