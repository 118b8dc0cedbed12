-- phase: expand
-- Applications of the forge itself, such as credential helpers, belong to no account. Gitea has the same client ids.
-- The code of the release before selects rows by their account, and finds none without one.
-- squawk-ignore ban-drop-not-null
alter table oauth2_application alter column account_id drop not null;
insert into oauth2_application (account_id, name, client_id, secret_digest, is_confidential,
  skips_second_authorization, redirect_uris, created_at, updated_at)
values
  (null, 'git-credential-oauth', 'a4792ccc-144e-407e-86c9-5e7d8d9c3269', '', false, false,
    '{http://127.0.0.1/,http://[::1]/}', now(), now()),
  (null, 'Git Credential Manager', 'e90ee53c-94e2-48ac-9358-a874fb9e0662', '', false, false,
    '{http://127.0.0.1/,http://[::1]/}', now(), now()),
  (null, 'tea', 'd57cb8c4-630c-4168-8324-ec79935e18d4', '', false, false,
    '{http://127.0.0.1/,http://[::1]/}', now(), now());

-- What a person has allowed an application. Deleting it ends every code and token of the application for that person.
create table oauth2_grant (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  application_id bigint not null references oauth2_application (id) on delete cascade,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  unique (account_id, application_id)
);
create index oauth2_grant_application on oauth2_grant (application_id);

-- The tokens of one authorization: refresh tokens that replace each other, and their access tokens.
create table oauth2_token_family (
  id bigint generated always as identity primary key,
  grant_id bigint not null references oauth2_grant (id) on delete cascade,
  scopes text[] not null,
  created_at timestamptz not null,
  -- When its newest refresh token ends.
  expires_at timestamptz not null
);
create index oauth2_token_family_grant on oauth2_token_family (grant_id, id);
create index oauth2_token_family_expires on oauth2_token_family (expires_at);

create table oauth2_code (
  digest bytea primary key,
  grant_id bigint not null references oauth2_grant (id) on delete cascade,
  scopes text[] not null,
  -- As the application sent it; null where it left it out.
  redirect_uri text,
  -- S256 of PKCE.
  challenge text,
  nonce text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Set when it was exchanged: a second exchange ends these tokens.
  family_id bigint references oauth2_token_family (id) on delete set null
);
create index oauth2_code_grant on oauth2_code (grant_id);
create index oauth2_code_expires on oauth2_code (expires_at);
create index oauth2_code_family on oauth2_code (family_id) where family_id is not null;

create table oauth2_refresh_token (
  digest bytea primary key,
  family_id bigint not null references oauth2_token_family (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A used token is kept: a second use ends its family.
  used_at timestamptz
);
create index oauth2_refresh_token_family on oauth2_refresh_token (family_id, created_at);
create index oauth2_refresh_token_expires on oauth2_refresh_token (expires_at);

-- Keys that sign ID tokens. The newest one whose `signs_from` has come signs; a later one is published before it signs.
create table oauth2_signing_key (
  generation bigint primary key,
  kid text not null unique,
  public_jwk jsonb not null,
  sealed_private_key text not null,
  signs_from timestamptz not null,
  created_at timestamptz not null
);
