-- phase: expand
-- Secrets and variables of workflows: of a repository, or of an account for all its repositories.

create table action_secret (
  id bigint generated always as identity primary key,
  owner_id bigint references account (id) on delete cascade,
  repository_id bigint references repository (id) on delete cascade,
  -- In upper case, as jobs know it.
  name text not null,
  sealed text not null,
  description text not null default '',
  created_at timestamptz not null,
  check (num_nonnulls(owner_id, repository_id) = 1)
);
create unique index action_secret_owner on action_secret (owner_id, name) where owner_id is not null;
create unique index action_secret_repository on action_secret (repository_id, name) where repository_id is not null;

create table action_variable (
  id bigint generated always as identity primary key,
  owner_id bigint references account (id) on delete cascade,
  repository_id bigint references repository (id) on delete cascade,
  name text not null,
  data text not null,
  description text not null default '',
  created_at timestamptz not null,
  check (num_nonnulls(owner_id, repository_id) = 1)
);
create unique index action_variable_owner on action_variable (owner_id, name) where owner_id is not null;
create unique index action_variable_repository on action_variable (repository_id, name)
  where repository_id is not null;
