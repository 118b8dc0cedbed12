-- phase: expand
-- Sessions of browsers. Of a token only the digest is kept; a row that is gone signs out on the next request, everywhere.
create table web_session (
  id bigint generated always as identity primary key,
  digest bytea not null unique,
  account_id bigint not null references account (id) on delete cascade,
  -- What it was proven with: password, totp, recovery, passkey.
  factors text[] not null,
  -- When the password that it began with was set: another password ends it.
  password_changed_at timestamptz,
  agent text not null,
  address text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- Moved on while somebody comes back, never beyond expires_at.
  idle_until timestamptz not null,
  expires_at timestamptz not null,
  -- Until then the password need not be given again.
  elevated_until timestamptz
);
create index web_session_account on web_session (account_id, id);
create index web_session_expired on web_session (expires_at);

-- What somebody is in the middle of: a password was right and a code is due, a passkey is asked for, an address is proven.
create table sign_in_step (
  id bigint generated always as identity primary key,
  digest bytea not null unique,
  kind text not null check (kind in ('second_factor', 'change_password', 'passkey', 'recover', 'activate')),
  account_id bigint references account (id) on delete cascade,
  factors text[] not null,
  -- Of a passkey: what the browser has to sign.
  challenge text,
  -- The session that follows stays when the browser is closed.
  keeps boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_step_account on sign_in_step (account_id);
create index sign_in_step_expired on sign_in_step (expires_at);

create table recovery_code (
  account_id bigint not null references account (id) on delete cascade,
  digest bytea not null,
  used_at timestamptz,
  primary key (account_id, digest)
);

create table passkey (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_account on passkey (account_id, id);

-- Somebody may become a user, and perhaps a member of a team, by a link that works once.
create table invitation (
  id bigint generated always as identity primary key,
  digest bytea not null unique,
  inviter_id bigint not null references account (id) on delete cascade,
  email text not null,
  team_id bigint references team (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_by bigint references account (id) on delete set null,
  accepted_at timestamptz
);
create index invitation_inviter on invitation (inviter_id, id);
create index invitation_team on invitation (team_id) where team_id is not null;
create index invitation_accepted on invitation (accepted_by) where accepted_by is not null;
