-- phase: expand
-- Repositories: the record that access, teams, storage and everything inside a repository stand on.
create extension if not exists pg_trgm;

-- All names a keyword may be a part of, in one text. Neither names nor topics nor keywords have a comma in them.
create function repository_search_key(name text, topics text[]) returns text
  language sql immutable strict parallel safe
  return name || ',' || array_to_string(topics, ',');

create table repository (
  id bigint generated always as identity primary key,
  owner_id bigint not null references account (id),
  storage_id bigint not null unique references git_storage (id),
  -- Where its wiki is, from the first time somebody writes to it.
  wiki_storage_id bigint unique references git_storage (id),
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
  -- Who sees it without having been granted anything: everybody, everybody who is signed in, or nobody.
  -- Invariant: 'private' if it is private itself, else the visibility of its owner. Triggers below keep it, and make a
  -- fork private where it would be seen by more people than its parent.
  audience text not null default 'private' check (audience in ('public', 'limited', 'private')),
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
  search_key text not null generated always as (repository_search_key(name_key, topics)) stored,
  -- Found in its files after each push to the default branch.
  language text not null default '',
  licenses text[] not null default '{}',
  -- Key of the picture in the object store.
  avatar text not null default '',
  is_mirror boolean not null default false,
  -- Of a mirror: how often it follows its source, when it last did, and when that brought something.
  mirror_interval_s bigint,
  mirror_synced_at timestamptz,
  mirror_updated_at timestamptz,
  mirror_next_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (owner_id, name_key)
);
create index repository_parent on repository (parent_id) where parent_id is not null;
create index repository_origin on repository (coalesce(parent_id, family_id))
  where coalesce(parent_id, family_id) is not null;
create index repository_mirror_next on repository (mirror_next_at) where mirror_next_at is not null;
create index repository_family on repository (family_id) where family_id is not null;
create index repository_created on repository (created_at, id);
create index repository_updated on repository (updated_at, id);
create index repository_name on repository (name_key, id) include (audience);
-- What only the members of a private organization see without a grant.
create index repository_inside on repository (owner_id) where audience = 'private' and not is_private;
create index repository_topics on repository using gin (topics);
create index repository_search_trigram on repository using gin (search_key gin_trgm_ops);
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
  id bigint generated always as identity primary key,
  name text not null unique,
  repositories bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index topic_repositories on topic (repositories desc, id);
create index topic_name_trigram on topic using gin (name gin_trgm_ops);

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
create index repository_count_stars on repository_count (stars, repository_id);
create index repository_count_forks on repository_count (forks, repository_id);

-- How many repositories there are for each audience, so that nobody has to count them. Split by owners, so that
-- those who create at once seldom wait for one another.
create table repository_tally (
  audience text not null,
  part bigint not null,
  repositories bigint not null,
  primary key (audience, part)
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

-- The audience of a repository follows from two tables, and from the audience the tally; whoever changes one of them
-- changes all, and cannot forget it.
-- Whether a fork that is not private would be seen by somebody who does not see what it was forked from. Whoever is
-- let see all of a private owner is known to that owner and to no other.
create function is_beyond(origin repository, owner_id bigint, visibility text) returns boolean
  language sql immutable parallel safe
  return case origin.audience
    when 'public' then false
    when 'limited' then visibility = 'public'
    else origin.is_private or origin.owner_id <> owner_id
  end;

create function decide_repository_audience() returns trigger language plpgsql as $$
declare
  origin repository;
begin
  if not new.is_private then
    -- The lock a foreign key takes, too: it waits for an owner whose visibility is being changed, and for nothing else.
    select visibility into new.audience from account where id = new.owner_id for key share;
    -- There is no such owner; the foreign key will say so.
    new.audience := coalesce(new.audience, 'private');
    -- Invariant: a fork is never more visible than what it was forked from, with which it shares its packs. When that
    -- is gone, the root of the family stands for it.
    select * into origin from repository where id = coalesce(new.parent_id, new.family_id) for share;
    new.is_private := found and is_beyond(origin, new.owner_id, new.audience);
  end if;
  if new.is_private then
    new.audience := 'private';
  end if;
  return new;
end $$;
create trigger repository_audience before insert or update of owner_id, is_private on repository
  for each row execute function decide_repository_audience();

create function tally_repositories_added() returns trigger language plpgsql as $$
begin
  insert into repository_tally as tally (audience, part, repositories)
    select audience, owner_id % 16, count(*) from added group by 1, 2 order by 1, 2
    on conflict (audience, part) do update set repositories = tally.repositories + excluded.repositories;
  return null;
end $$;
create trigger repository_added after insert on repository referencing new table as added
  for each statement execute function tally_repositories_added();

create function tally_repositories_removed() returns trigger language plpgsql as $$
begin
  insert into repository_tally as tally (audience, part, repositories)
    select audience, owner_id % 16, -count(*) from removed group by 1, 2 order by 1, 2
    on conflict (audience, part) do update set repositories = tally.repositories + excluded.repositories;
  return null;
end $$;
create trigger repository_removed after delete on repository referencing old table as removed
  for each statement execute function tally_repositories_removed();

create function tally_repository_moved() returns trigger language plpgsql as $$
begin
  insert into repository_tally as tally (audience, part, repositories)
    select audience, part, sum(change) from (values
      (old.audience, old.owner_id % 16, -1), (new.audience, new.owner_id % 16, 1)) as moved (audience, part, change)
    group by 1, 2 order by 1, 2
    on conflict (audience, part) do update set repositories = tally.repositories + excluded.repositories;
  return null;
end $$;
create trigger repository_moved after update of owner_id, is_private on repository for each row
  when (old.audience <> new.audience or old.owner_id <> new.owner_id) execute function tally_repository_moved();

-- What is hidden hides its forks, and they hide theirs; whatever hid it: itself, its owner, or another owner.
create function hide_forks() returns trigger language plpgsql as $$
begin
  update repository as fork set is_private = true from account as owner
    where coalesce(fork.parent_id, fork.family_id) = new.id and not fork.is_private and owner.id = fork.owner_id
      and is_beyond(new, fork.owner_id, owner.visibility);
  return null;
end $$;
create trigger repository_hidden after update of owner_id, is_private, audience on repository for each row
  when (new.audience <> 'public' and (old.audience <> new.audience or old.owner_id <> new.owner_id))
  execute function hide_forks();

create function lock_owner() returns trigger language plpgsql as $$
begin
  -- Waits for repositories that are being given to the owner right now, and lets no more be given until this is done.
  perform from account where id = new.id for update;
  return new;
end $$;
create trigger account_owner_lock before update of visibility on account for each row
  when (old.visibility <> new.visibility) execute function lock_owner();

create function follow_owner_visibility() returns trigger language plpgsql as $$
declare
  followers bigint;
begin
  update repository set audience = new.visibility where owner_id = new.id and not is_private;
  get diagnostics followers = row_count;
  insert into repository_tally as tally (audience, part, repositories)
    select audience, new.id % 16, change from (values
      (old.visibility, -followers), (new.visibility, followers)) as moved (audience, change)
    order by 1
    on conflict (audience, part) do update set repositories = tally.repositories + excluded.repositories;
  -- Forks of theirs that would now be seen by more people than what they were forked from.
  update repository as fork set is_private = true from repository as origin
    where fork.owner_id = new.id and not fork.is_private and origin.id = coalesce(fork.parent_id, fork.family_id)
      and is_beyond(origin, fork.owner_id, new.visibility);
  return null;
end $$;
create trigger account_owner_visibility after update of visibility on account for each row
  when (old.visibility <> new.visibility) execute function follow_owner_visibility();

-- A topic knows how many repositories are about it that everybody sees, however they came by it and however they went.
-- What is told of topics is told to everybody, so the others leave no trace in it.
create function count_topics() returns trigger language plpgsql as $$
declare
  lost text[] := '{}';
  gained text[] := '{}';
  changed_at timestamptz;
begin
  if tg_op <> 'INSERT' then
    lost := case old.audience when 'public' then old.topics else '{}' end;
    changed_at := old.updated_at;
  end if;
  if tg_op <> 'DELETE' then
    gained := case new.audience when 'public' then new.topics else '{}' end;
    changed_at := new.updated_at;
  end if;
  insert into topic (name, repositories, created_at, updated_at)
    select name, sum(change), changed_at, changed_at from (
      select unnest(gained) as name, 1 as change union all select unnest(lost), -1) as changed
    group by name having sum(change) <> 0 order by name
    on conflict (name) do update
      set repositories = topic.repositories + excluded.repositories, updated_at = excluded.updated_at;
  return null;
end $$;
create trigger repository_topics_added after insert on repository for each row
  when (new.topics <> '{}') execute function count_topics();
create trigger repository_topics_changed after update of topics, owner_id, is_private, audience on repository
  for each row when (old.topics <> new.topics or old.audience <> new.audience) execute function count_topics();
create trigger repository_topics_removed after delete on repository for each row
  when (old.topics <> '{}') execute function count_topics();
