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

-- E-mail that is still to be sent, one for each receiver, with a job of its own. A row goes with its sending; one that has
-- begun and is still there may or may not have arrived, and is not sent again.
create table notification_mail (
  id bigint generated always as identity primary key,
  user_id bigint not null references account (id) on delete cascade,
  repository_id bigint not null references repository (id) on delete cascade,
  issue_id bigint references issue (id) on delete cascade,
  comment_id bigint references issue_comment (id) on delete cascade,
  kind text not null check (kind in ('created', 'commented', 'closed', 'reopened', 'assigned', 'offered')),
  actor_id bigint references account (id) on delete set null,
  -- It names the receiver: a mention, or that they are assigned.
  is_personal boolean not null,
  created_at timestamptz not null,
  begun_at timestamptz
);
-- What goes with a person, a repository, an issue or a comment is found.
create index notification_mail_user on notification_mail (user_id);
create index notification_mail_actor on notification_mail (actor_id);
create index notification_mail_repository on notification_mail (repository_id);
create index notification_mail_issue on notification_mail (issue_id);
create index notification_mail_comment on notification_mail (comment_id);
