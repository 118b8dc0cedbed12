-- phase: expand
-- Repositories brought in from elsewhere, and those that follow or are followed by others.
create table import (
  id bigint generated always as identity primary key,
  owner_id bigint not null references account (id) on delete cascade,
  actor_id bigint not null references account (id) on delete cascade,
  name_key text not null,
  -- What was asked for, without its secrets.
  options jsonb not null,
  -- User name and password for the source, sealed.
  credentials text not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  -- How often it was begun: whoever began it earlier gives up.
  attempts bigint not null default 0,
  -- What it became, or why not.
  repository_id bigint references repository (id) on delete set null,
  failure jsonb,
  created_at timestamptz not null,
  ended_at timestamptz
);
-- One at a time under a name.
create unique index import_name on import (owner_id, name_key) where state in ('waiting', 'running');
create index import_ended on import (ended_at) where ended_at is not null;
create index import_actor on import (actor_id);
create index import_repository on import (repository_id) where repository_id is not null;

-- What a source has told so far of its labels, milestones, issues and comments, so that whoever takes over goes on from
-- there. It goes when the import has ended.
create table import_page (
  import_id bigint not null references import (id) on delete cascade,
  kind text not null check (kind in ('labels', 'milestones', 'issues', 'comments')),
  -- From 0 without gaps.
  place bigint not null,
  -- How many were asked for, as which page, and how many there were up to this one.
  size bigint not null,
  number bigint not null,
  had bigint not null,
  -- JSON as the source answered. It is only ever taken as a whole, and jsonb would refuse some of it.
  content text not null,
  primary key (import_id, kind, place)
);

-- Where a repository that follows another gets it from.
create table mirror (
  repository_id bigint primary key references repository (id) on delete cascade,
  url text not null,
  credentials text not null,
  last_error text not null default ''
);

-- Where a repository is pushed to.
create table push_mirror (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  name text not null unique,
  url text not null,
  credentials text not null,
  interval_s bigint not null,
  syncs_on_push boolean not null,
  next_at timestamptz,
  last_error text not null default '',
  updated_at timestamptz,
  created_at timestamptz not null
);
create index push_mirror_repository on push_mirror (repository_id, id);
create index push_mirror_next on push_mirror (next_at) where next_at is not null;
