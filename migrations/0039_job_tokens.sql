-- phase: expand
-- Tokens of jobs: what a job that runs may do in its repository. The row goes with the task.
create table job_token (
  task_id bigint primary key references action_task (id) on delete cascade,
  digest bytea not null unique,
  repository_id bigint not null references repository (id) on delete cascade,
  -- Unit by unit; what is not named is not granted.
  permissions jsonb not null,
  created_at timestamptz not null
);
create index job_token_repository on job_token (repository_id);

-- As whom jobs act. It has no password, owns nothing, and is granted nothing but by such a token.
insert into account (id, kind, login, login_key, full_name, is_restricted, may_create_organization, repositories_max,
  hides_email, email_notifications, created_at, updated_at)
overriding system value
values (-2, 'bot', 'gitea-actions', 'gitea-actions', 'Gitea Actions', true, false, 0, true, 'disabled', now(), now())
on conflict do nothing;
insert into account_count (account_id) select id from account where id = -2 on conflict do nothing;
