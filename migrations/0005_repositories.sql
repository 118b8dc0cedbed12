-- phase: expand
-- Repositories: the record that access, teams, storage and everything inside a repository stand on.
create extension if not exists pg_trgm;

create table repository (
  id bigint generated always as identity primary key,
  owner_id bigint not null references account (id),
  storage_id bigint not null unique references git_repository (id),
  name text not null,
  name_key text not null,
  description text not null default '',
  website text not null default '',
  -- Where it was imported from.
  original_url text not null default '',
  -- What it was forked from; the root of its whole family of forks.
  parent_id bigint references repository (id) on delete set null,
  family_id bigint,
  is_private boolean not null default false,
  is_template boolean not null default false,
  archived_at timestamptz,
  default_branch text not null default 'main',
  object_format text not null default 'sha1' check (object_format in ('sha1', 'sha256')),
  units text[] not null default '{code,issues,pulls,releases,wiki,projects,packages,actions}',
  -- How its units behave (merging, trackers, wikis elsewhere): only what differs from the defaults.
  settings jsonb not null default '{}',
  trust_model text not null default 'default'
    check (trust_model in ('default', 'collaborator', 'committer', 'collaboratorcommitter')),
  topics text[] not null default '{}',
  -- Found in its files after each push to the default branch.
  language text not null default '',
  licenses text[] not null default '{}',
  -- Key of the picture in the object store.
  avatar text not null default '',
  is_mirror boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (owner_id, name_key)
);
create index repository_parent on repository (parent_id) where parent_id is not null;
create index repository_family on repository (family_id) where family_id is not null;
create index repository_created on repository (created_at, id);
create index repository_updated on repository (updated_at, id);
create index repository_name on repository (name_key, id);
create index repository_topics on repository using gin (topics);
create index repository_name_trigram on repository using gin (name_key gin_trgm_ops);
create index repository_description_trigram on repository using gin (lower(description) gin_trgm_ops);

-- The names a repository had; a new repository takes such a name over.
create table repository_redirect (
  owner_id bigint not null references account (id) on delete cascade,
  name_key text not null,
  repository_id bigint not null references repository (id) on delete cascade,
  primary key (owner_id, name_key)
);
create index repository_redirect_repository on repository_redirect (repository_id);

-- A transfer that waits for the other side to accept it.
create table repository_transfer (
  repository_id bigint primary key references repository (id) on delete cascade,
  actor_id bigint not null references account (id) on delete cascade,
  recipient_id bigint not null references account (id) on delete cascade,
  team_ids bigint[] not null default '{}',
  created_at timestamptz not null
);
create index repository_transfer_recipient on repository_transfer (recipient_id);
create index repository_transfer_actor on repository_transfer (actor_id);

-- Bytes of the default branch in each language.
create table repository_language (
  repository_id bigint not null references repository (id) on delete cascade,
  language text not null,
  bytes bigint not null,
  primary key (repository_id, language)
);

create table topic (
  name text primary key,
  repositories bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table repository_count (
  repository_id bigint primary key references repository (id) on delete cascade,
  stars bigint not null default 0,
  forks bigint not null default 0,
  watchers bigint not null default 0,
  branches bigint not null default 0,
  tags bigint not null default 0,
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

create table star (
  user_id bigint not null references account (id) on delete cascade,
  repository_id bigint not null references repository (id) on delete cascade,
  created_at timestamptz not null,
  primary key (user_id, repository_id)
);
create index star_repository on star (repository_id, user_id);
