-- phase: expand
-- Groups of a source, and the team or the role that their members get at every sign-in.
create table source_mapping (
  id bigint generated always as identity primary key,
  source_id bigint not null references authentication_source (id) on delete cascade,
  group_name text not null,
  -- Null for a group of site administrators.
  team_id bigint references team (id) on delete cascade,
  unique nulls not distinct (source_id, group_name, team_id)
);
create index source_mapping_team on source_mapping (team_id) where team_id is not null;
