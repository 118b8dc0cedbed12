-- phase: expand
-- Credentials of the SCIM clients of an authentication source. Only digests are kept.
create table scim_token (
  id bigint generated always as identity primary key,
  source_id bigint not null references authentication_source (id) on delete cascade,
  name text not null,
  digest bytea not null unique,
  last_eight text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  last_used_from text,
  unique (source_id, name)
);

-- A person as the SCIM clients of a source see them, with the attributes that they sent.
create table scim_user (
  id uuid primary key,
  source_id bigint not null references authentication_source (id) on delete cascade,
  account_id bigint not null references account (id) on delete cascade,
  external_id text,
  user_name text not null,
  user_name_key text not null,
  attributes jsonb not null,
  is_active boolean not null,
  -- A client deleted it: the account is suspended, and the row waits for the person to come back.
  is_deleted boolean not null default false,
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (source_id, account_id)
);
create unique index scim_user_name on scim_user (source_id, user_name_key) where not is_deleted;
create unique index scim_user_external on scim_user (source_id, external_id)
  where external_id is not null and not is_deleted;
create index scim_user_account on scim_user (account_id);

create table scim_group (
  id uuid primary key,
  source_id bigint not null references authentication_source (id) on delete cascade,
  external_id text,
  display_name text not null,
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (source_id, display_name)
);
create unique index scim_group_external on scim_group (source_id, external_id) where external_id is not null;

-- The groups into which SCIM clients have put people: the mappings of the source follow them.
create table provisioned_member (
  group_id uuid not null references scim_group (id) on delete cascade,
  account_id bigint not null references account (id) on delete cascade,
  source_id bigint not null references authentication_source (id) on delete cascade,
  group_name text not null,
  primary key (group_id, account_id)
);
create index provisioned_member_account on provisioned_member (account_id, source_id);
create index provisioned_member_source on provisioned_member (source_id);

-- The source whose SCIM client suspended the account: only that one, or an administrator, lifts such a suspension. It
-- prohibits the sign-in, and hides nothing.
alter table account_suspension add column source_id bigint;
alter table account_suspension add constraint account_suspension_source_fkey
  foreign key (source_id) references authentication_source (id) on delete set null not valid;
-- squawk-ignore require-concurrent-index-creation
create index account_suspension_source on account_suspension (source_id) where source_id is not null;
