-- phase: expand
-- Why somebody was told. Null for what was told before it was kept.
alter table notification add column reason text;

-- What a text of an issue or of a comment said before it was changed.
create table issue_content_history (
  id bigint generated always as identity primary key,
  issue_id bigint not null references issue (id) on delete cascade,
  -- Null for the text of the issue itself.
  comment_id bigint references issue_comment (id) on delete cascade,
  -- Null where somebody took it out of the history.
  text text,
  -- Who changed it, and when; null when they are gone.
  editor_id bigint references account (id) on delete set null,
  replaced_at timestamptz not null
);
create index issue_content_history_issue on issue_content_history (issue_id, id) where comment_id is null;
create index issue_content_history_comment on issue_content_history (comment_id, id) where comment_id is not null;
create index issue_content_history_editor on issue_content_history (editor_id);

-- Lists that somebody looks at again and again, by names of their own.
create table saved_view (
  account_id bigint not null references account (id) on delete cascade,
  name text not null check (length(name) <= 100),
  -- The path of the page, and what is asked of it.
  path text not null check (length(path) <= 500),
  query text not null check (length(query) <= 2000),
  created_at timestamptz not null,
  primary key (account_id, path, name)
);
