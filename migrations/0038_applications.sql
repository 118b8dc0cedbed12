-- phase: expand
-- OAuth2 applications: programs of others that may ask people to act for them.
create table oauth2_application (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  name text not null,
  client_id text not null unique,
  -- Of the client secret, which is shown once.
  secret_digest bytea not null,
  -- A client that can keep a secret; others prove themselves by PKCE alone.
  is_confidential boolean not null,
  skips_second_authorization boolean not null,
  redirect_uris text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index oauth2_application_account on oauth2_application (account_id, id);
