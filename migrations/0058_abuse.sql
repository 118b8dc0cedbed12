-- phase: expand
-- What clients asked for in the ten minutes that begin at `since`. Every process adds to it; rows are kept for an hour.
create table client_use (
  since timestamptz not null,
  lane text not null,
  client text not null,
  route text not null,
  requests bigint not null,
  refused bigint not null,
  git_ms bigint not null,
  primary key (since, lane, client, route)
);

-- Administrators hide a repository or an account for abuse. The reason is shown to the owners; null: not quarantined.
alter table repository add column quarantine_reason text check (length(quarantine_reason) <= 5000);
-- It has a reason, or its owner is suspended. By triggers.
alter table repository add column is_quarantined boolean not null default false;
alter table account add column is_suspended boolean not null default false;
create table account_suspension (
  account_id bigint primary key references account (id) on delete cascade,
  actor_id bigint references account (id) on delete set null,
  reason text not null check (length(reason) <= 5000),
  created_at timestamptz not null,
  -- What the suspended person answers, once.
  appeal text check (length(appeal) <= 5000),
  appealed_at timestamptz
);
create index account_suspension_actor on account_suspension (actor_id);
create index account_suspension_appeal on account_suspension (appealed_at) where appealed_at is not null;

-- Its author is suspended. By triggers.
alter table issue add column is_hidden boolean not null default false;
alter table issue_comment add column is_hidden boolean not null default false;
alter table review add column is_hidden boolean not null default false;

-- A quarantined repository is judged again when its quarantine ends, so that its forks are not hidden for good.
create or replace function is_beyond(origin repository, owner_id bigint, visibility text) returns boolean
  language sql immutable parallel safe
  return case
    when origin.is_quarantined then origin.is_private
    when origin.audience = 'public' then false
    when origin.audience = 'limited' then visibility = 'public'
    else origin.is_private or origin.owner_id <> owner_id
  end;

create or replace function decide_repository_audience() returns trigger language plpgsql as $$
declare
  origin repository;
  owner record;
begin
  -- The lock a foreign key takes, too: it waits for an owner whose visibility is being changed, and for nothing else.
  select visibility, is_suspended into owner from account where id = new.owner_id for key share;
  new.is_quarantined := new.quarantine_reason is not null or coalesce(owner.is_suspended, false);
  if new.is_quarantined then
    new.audience := 'private';
    return new;
  end if;
  if not new.is_private then
    -- There is no such owner; the foreign key will say so.
    new.audience := coalesce(owner.visibility, 'private');
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

drop trigger repository_audience on repository;
create trigger repository_audience before insert or update of owner_id, is_private, quarantine_reason on repository
  for each row execute function decide_repository_audience();
drop trigger repository_moved on repository;
create trigger repository_moved after update of owner_id, is_private, quarantine_reason on repository for each row
  when (old.audience <> new.audience or old.owner_id <> new.owner_id) execute function tally_repository_moved();
drop trigger repository_hidden on repository;
create trigger repository_hidden after update of owner_id, is_private, audience, quarantine_reason on repository
  for each row when (new.audience <> 'public' and not new.is_quarantined
    and (old.audience <> new.audience or old.owner_id <> new.owner_id or old.is_quarantined))
  execute function hide_forks();
drop trigger repository_topics_changed on repository;
create trigger repository_topics_changed
  after update of topics, owner_id, is_private, audience, quarantine_reason on repository
  for each row when (old.topics <> new.topics or old.audience <> new.audience) execute function count_topics();
drop trigger issue_audience_follows on repository;
create trigger issue_audience_follows
  after update of owner_id, is_private, audience, units, quarantine_reason on repository
  for each row when (old.audience <> new.audience or old.units <> new.units)
  execute function follow_repository_audience();

create or replace function follow_owner_visibility() returns trigger language plpgsql as $$
declare
  followers bigint;
begin
  update repository set audience = new.visibility
    where owner_id = new.id and not is_private and not is_quarantined;
  get diagnostics followers = row_count;
  insert into repository_tally as tally (audience, part, repositories)
    select audience, new.id % 16, change from (values
      (old.visibility, -followers), (new.visibility, followers)) as moved (audience, change)
    order by 1
    on conflict (audience, part) do update set repositories = tally.repositories + excluded.repositories;
  -- Forks of theirs that would now be seen by more people than what they were forked from.
  update repository as fork set is_private = true from repository as origin
    where fork.owner_id = new.id and not fork.is_private and not fork.is_quarantined
      and origin.id = coalesce(fork.parent_id, fork.family_id)
      and is_beyond(origin, fork.owner_id, new.visibility);
  return null;
end $$;

create function follow_suspension() returns trigger language plpgsql as $$
begin
  -- Decides again who sees each of them.
  update repository set quarantine_reason = quarantine_reason where owner_id = new.id;
  update issue set is_hidden = new.is_suspended where author_id = new.id;
  update issue_comment set is_hidden = new.is_suspended where author_id = new.id;
  update review set is_hidden = new.is_suspended where reviewer_id = new.id;
  return null;
end $$;
create trigger account_suspension_lock before update of is_suspended on account for each row
  when (old.is_suspended <> new.is_suspended) execute function lock_owner();
create trigger account_suspension_follows after update of is_suspended on account for each row
  when (old.is_suspended <> new.is_suspended) execute function follow_suspension();

-- squawk-ignore require-concurrent-index-creation
create index repository_quarantine on repository (id) where quarantine_reason is not null;

-- What people report to the site administrators.
create table abuse_report (
  id bigint generated always as identity primary key,
  reporter_id bigint not null references account (id) on delete cascade,
  kind text not null check (kind in ('account', 'repository', 'issue', 'comment')),
  target_id bigint not null,
  -- Who made it, and where it is.
  account_id bigint references account (id) on delete set null,
  repository_id bigint references repository (id) on delete set null,
  path text not null,
  category text not null check (category in ('spam', 'malware', 'harassment', 'illegal', 'other')),
  body text not null check (length(body) <= 5000),
  created_at timestamptz not null,
  -- Null while it is open.
  outcome text check (outcome in ('dismissed', 'acted')),
  closer_id bigint references account (id) on delete set null,
  closed_at timestamptz
);
create unique index abuse_report_once on abuse_report (kind, target_id, reporter_id) where outcome is null;
create index abuse_report_open on abuse_report (id) where outcome is null;
create index abuse_report_closed on abuse_report (id) where outcome is not null;
create index abuse_report_reporter on abuse_report (reporter_id);
create index abuse_report_account on abuse_report (account_id);
create index abuse_report_repository on abuse_report (repository_id);
create index abuse_report_closer on abuse_report (closer_id);
