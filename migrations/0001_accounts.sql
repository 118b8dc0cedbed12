-- phase: expand
-- Accounts: people, bots and organizations share one namespace and one id space.
create extension if not exists pg_trgm;

create table account (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('user', 'organization', 'bot')),
  login text not null,
  -- The name in lower case: names differ only in more than case.
  login_key text not null unique,
  full_name text not null default '',
  -- Of a person: the primary address, also kept in account_email. Of an organization: where it can be written to.
  email text not null default '',
  description text not null default '',
  website text not null default '',
  location text not null default '',
  visibility text not null default 'public' check (visibility in ('public', 'limited', 'private')),
  language text not null default '',
  theme text not null default '',
  diff_view_style text not null default '',
  hides_email boolean not null default false,
  hides_activity boolean not null default false,
  -- Which notifications come by e-mail as well: all, those that name the account, none, or also those of its own acts.
  email_notifications text not null default 'enabled'
    check (email_notifications in ('enabled', 'onmention', 'disabled', 'andyourown')),
  is_admin boolean not null default false,
  is_active boolean not null default true,
  is_restricted boolean not null default false,
  prohibits_login boolean not null default false,
  must_change_password boolean not null default false,
  may_create_organization boolean not null default true,
  may_use_git_hooks boolean not null default false,
  may_import_local boolean not null default false,
  -- -1 means the default of the installation.
  repositories_max bigint not null default -1,
  login_name text not null default '',
  source_id bigint not null default 0,
  -- Key of the avatar in the object store; empty means a drawn one.
  avatar_key text not null default '',
  last_login_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index account_search on account using gin ((login_key || ' ' || lower(full_name) || ' ' || lower(email)) gin_trgm_ops);
create index account_kind_login on account (kind, login_key);
create index account_kind_name on account (kind, login collate "C");
create index account_kind_created on account (kind, created_at, id);
create index account_kind_updated on account (kind, updated_at, id);
create index account_login_name on account (login_name) where login_name <> '';
-- The few that are out of the ordinary, which administrators look for.
create index account_marked on account (kind, login collate "C")
  where is_admin or is_restricted or prohibits_login or not is_active;

-- Counters of an account, kept in the transaction that changes them.
create table account_count (
  account_id bigint primary key references account (id) on delete cascade,
  followers bigint not null default 0,
  following bigint not null default 0,
  stars bigint not null default 0,
  repositories bigint not null default 0,
  members bigint not null default 0,
  teams bigint not null default 0
);

-- A name that led to an account before it was renamed.
create table account_redirect (
  login_key text primary key,
  account_id bigint not null references account (id) on delete cascade
);
create index account_redirect_account on account_redirect (account_id);

create table account_email (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  email text not null,
  email_key text not null unique,
  is_primary boolean not null default false,
  is_verified boolean not null default true
);
create index account_email_account on account_email (account_id, id);
create unique index account_email_primary on account_email (account_id) where is_primary;
create index account_email_order on account_email (email_key, is_primary desc, id);
create index account_email_search on account_email using gin (email_key gin_trgm_ops);

create table account_password (
  account_id bigint primary key references account (id) on delete cascade,
  hash text not null,
  changed_at timestamptz not null
);

-- Second factor: the shared secret is sealed; a code is good once, so the last step that was used is kept.
create table account_totp (
  account_id bigint primary key references account (id) on delete cascade,
  sealed_secret text not null,
  last_step bigint not null default 0,
  created_at timestamptz not null
);

create table follow (
  follower_id bigint not null references account (id) on delete cascade,
  followed_id bigint not null references account (id) on delete cascade,
  created_at timestamptz not null,
  primary key (follower_id, followed_id)
);
create index follow_followed on follow (followed_id, follower_id);

create table account_block (
  blocker_id bigint not null references account (id) on delete cascade,
  blocked_id bigint not null references account (id) on delete cascade,
  note text not null default '',
  created_at timestamptz not null,
  primary key (blocker_id, blocked_id)
);
create index account_block_blocked on account_block (blocked_id);

-- Who belongs to which organization. A person is a member as long as a team of the organization has them.
create table membership (
  organization_id bigint not null references account (id) on delete cascade,
  user_id bigint not null references account (id) on delete cascade,
  is_public boolean not null default false,
  primary key (organization_id, user_id)
);
create index membership_user on membership (user_id, organization_id);
create index membership_public on membership (organization_id, user_id) where is_public;

-- Failed sign-ins in a window of time, by account and by address.
create table sign_in_failure (
  key text primary key,
  window_start timestamptz not null,
  failures bigint not null
);
create index sign_in_failure_window on sign_in_failure (window_start);

-- Marks of honour that administrators give to people.
create table badge (
  id bigint generated always as identity primary key,
  slug text not null unique,
  description text not null default '',
  image_url text not null default ''
);

create table account_badge (
  account_id bigint not null references account (id) on delete cascade,
  badge_id bigint not null references badge (id) on delete cascade,
  primary key (account_id, badge_id)
);
create index account_badge_badge on account_badge (badge_id);
