-- phase: expand
-- Repositories: the thin record that access, teams and storage stand on.
create table repository (
  id bigint generated always as identity primary key,
  owner_id bigint not null references account (id),
  storage_id bigint not null unique references git_repository (id),
  name text not null,
  name_key text not null,
  description text not null default '',
  is_private boolean not null default false,
  is_template boolean not null default false,
  archived_at timestamptz,
  default_branch text not null default 'main',
  object_format text not null default 'sha1' check (object_format in ('sha1', 'sha256')),
  units text[] not null default '{code,issues,pulls,releases,wiki,projects,packages,actions}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (owner_id, name_key)
);

create table repository_count (
  repository_id bigint primary key references repository (id) on delete cascade,
  stars bigint not null default 0,
  forks bigint not null default 0,
  watchers bigint not null default 0,
  branches bigint not null default 0,
  open_issues bigint not null default 0,
  open_pulls bigint not null default 0,
  releases bigint not null default 0,
  bytes bigint not null default 0
);

create table collaboration (
  repository_id bigint not null references repository (id) on delete cascade,
  user_id bigint not null references account (id) on delete cascade,
  level text not null check (level in ('read', 'write', 'admin')),
  created_at timestamptz not null,
  primary key (repository_id, user_id)
);
create index collaboration_user on collaboration (user_id, repository_id);

-- Which teams have a repository; teams that include all repositories have a row for each of them, too.
create table team_repository (
  team_id bigint not null references team (id) on delete cascade,
  repository_id bigint not null references repository (id) on delete cascade,
  organization_id bigint not null references account (id) on delete cascade,
  primary key (team_id, repository_id)
);
create index team_repository_repository on team_repository (repository_id, team_id);
create index team_repository_organization on team_repository (organization_id);

create table watch (
  user_id bigint not null references account (id) on delete cascade,
  repository_id bigint not null references repository (id) on delete cascade,
  created_at timestamptz not null,
  primary key (user_id, repository_id)
);
create index watch_repository on watch (repository_id, user_id);
