-- phase: expand
-- Deploy keys: credentials of a repository, which act for nobody but themselves.

-- A public key of nobody is one that deploy keys use. It stays in one table with the keys of people, so that no key
-- can ever be both. Code that does not know it finds no account behind such a key, and refuses it.
-- squawk-ignore ban-drop-not-null
alter table public_key alter column account_id drop not null;

create table deploy_key (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  title text not null,
  -- Of a key over SSH, which may open several repositories.
  public_key_id bigint references public_key (id),
  -- Of a token over HTTPS: only the digest is kept, the token has too much entropy to need more.
  digest bytea unique,
  is_read_only boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  check ((public_key_id is null) <> (digest is null)),
  unique (repository_id, title)
);
create index deploy_key_repository on deploy_key (repository_id, id);
create unique index deploy_key_public_key on deploy_key (public_key_id, repository_id);
