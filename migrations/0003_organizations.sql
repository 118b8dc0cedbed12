-- phase: expand
-- Organizations and their teams.
create table organization (
  account_id bigint primary key references account (id) on delete cascade,
  repo_admin_change_team_access boolean not null default false
);

create table team (
  id bigint generated always as identity primary key,
  organization_id bigint not null references account (id) on delete cascade,
  name text not null,
  name_key text not null,
  description text not null default '',
  level text not null check (level in ('none', 'read', 'write', 'admin', 'owner')),
  visibility text not null check (visibility in ('public', 'limited', 'private')),
  includes_all_repositories boolean not null default false,
  can_create_repository boolean not null default false,
  created_at timestamptz not null,
  unique (organization_id, name_key)
);

-- The level a team has on a unit; only the units it was given are here.
create table team_unit (
  team_id bigint not null references team (id) on delete cascade,
  unit text not null,
  level text not null check (level in ('none', 'read', 'write', 'admin', 'owner')),
  primary key (team_id, unit)
);

create table team_member (
  organization_id bigint not null references account (id) on delete cascade,
  team_id bigint not null references team (id) on delete cascade,
  user_id bigint not null references account (id) on delete cascade,
  primary key (team_id, user_id)
);
create index team_member_user on team_member (user_id, organization_id, team_id);
create index team_member_organization on team_member (organization_id, user_id);
