-- phase: expand
-- Threads of notifications: one for each person and issue, or for each person and repository that was offered to them.
create table notification (
  id bigint generated always as identity primary key,
  user_id bigint not null references account (id) on delete cascade,
  repository_id bigint not null references repository (id) on delete cascade,
  -- None: it is about the repository itself.
  issue_id bigint references issue (id) on delete cascade,
  status text not null check (status in ('unread', 'read', 'pinned')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index notification_issue on notification (user_id, issue_id) where issue_id is not null;
create unique index notification_repository on notification (user_id, repository_id) where issue_id is null;
create index notification_list on notification (user_id, updated_at desc, id desc);
create index notification_status on notification (user_id, status, updated_at desc, id desc);
create index notification_list_of on notification (user_id, repository_id, updated_at desc, id desc);
-- What goes with an issue or a repository is found.
create index notification_by_issue on notification (issue_id) where issue_id is not null;
create index notification_by_repository on notification (repository_id);
