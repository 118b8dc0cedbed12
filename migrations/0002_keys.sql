-- phase: expand
-- Credentials of people: access tokens, SSH keys, GPG keys.
create table access_token (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  name text not null,
  -- Only the digest is kept: the token itself has too much entropy to need more.
  digest bytea not null unique,
  last_eight text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  unique (account_id, name)
);
create index access_token_account on access_token (account_id, id);

create table public_key (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  title text not null,
  fingerprint text not null unique,
  key text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index public_key_account on public_key (account_id, id);
create unique index public_key_title on public_key (account_id, title);

create table gpg_key (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  -- Set for a subkey: the key it belongs to.
  primary_id bigint references gpg_key (id) on delete cascade,
  key_id text not null,
  primary_key_id text not null default '',
  public_key text not null,
  armored text not null,
  emails jsonb not null default '[]',
  can_sign boolean not null,
  can_encrypt_comms boolean not null,
  can_encrypt_storage boolean not null,
  can_certify boolean not null,
  is_verified boolean not null default false,
  created_at timestamptz,
  expires_at timestamptz,
  added_at timestamptz not null
);
create index gpg_key_account on gpg_key (account_id, id);
create index gpg_key_primary on gpg_key (primary_id);
-- A key belongs to one account. A subkey is only as good as its primary: it keeps nobody from adding their own key.
create unique index gpg_key_key_id on gpg_key (key_id) where primary_id is null;
create index gpg_key_any_key_id on gpg_key (key_id);
