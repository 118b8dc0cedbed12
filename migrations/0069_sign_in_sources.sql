-- phase: expand
-- Where else people sign in: identity providers and directories that administrators add.
create table authentication_source (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('oidc', 'ldap', 'saml')),
  name text not null,
  name_key text not null unique,
  settings jsonb not null,
  -- Client secret or bind password; empty means there is none.
  sealed_secret text not null default '',
  is_enabled boolean not null,
  -- Accounts with an identity there sign in by it alone.
  is_only_way boolean not null,
  -- A first sign-in creates an account.
  may_register boolean not null,
  -- What the provider said of itself when it was last asked.
  discovered jsonb,
  discovered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- A person at a source. Only source and subject identify; names and addresses are for people to read.
create table external_identity (
  id bigint generated always as identity primary key,
  source_id bigint not null references authentication_source (id),
  subject text not null,
  account_id bigint not null references account (id) on delete cascade,
  login text not null,
  email text not null,
  -- A mapping of the source made the account an administrator, so the source may end that.
  made_admin boolean not null default false,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- When the directory was last asked about the person.
  checked_at timestamptz,
  -- The directory lost the person, and sign-in was prohibited for that.
  removed_at timestamptz,
  unique (source_id, subject),
  unique (account_id, source_id)
);
create index external_identity_checked on external_identity (source_id, checked_at nulls first, id);

-- A sign-in that has begun: a request that waits for its answer, or an identity that has no account yet.
create table source_step (
  digest bytea primary key,
  kind text not null check (kind in ('request', 'identity')),
  source_id bigint not null references authentication_source (id) on delete cascade,
  facts jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index source_step_source on source_step (source_id);
create index source_step_expires on source_step (expires_at);

-- The source that is the account's only way in: no password, no passkey and no other source signs it in.
alter table account add column only_source_id bigint;
alter table account add constraint account_only_source_fkey
  foreign key (only_source_id) references authentication_source (id) not valid;
-- squawk-ignore require-concurrent-index-creation
create index account_only_source on account (only_source_id) where only_source_id is not null;
