-- phase: expand
-- Releases: what is said about a tag, and the files that come with it.
create table release (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  tag text not null,
  target text not null,
  title text not null,
  note text not null,
  is_draft boolean not null,
  is_prerelease boolean not null,
  author_id bigint references account (id) on delete set null,
  created_at timestamptz not null,
  -- Not yet, for a draft.
  published_at timestamptz,
  unique (repository_id, tag)
);
create index release_repository on release (repository_id, id);
create index release_latest on release (repository_id, published_at) where not is_draft and not is_prerelease;
create index release_author on release (author_id) where author_id is not null;

create table release_asset (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  -- None: still on its way, or its release is gone; either way it is swept, and its bytes before it.
  release_id bigint references release (id) on delete set null,
  name text not null,
  bytes bigint not null,
  downloads bigint not null default 0,
  uploader_id bigint references account (id) on delete set null,
  created_at timestamptz not null
);
create index release_asset_release on release_asset (release_id, id);
create index release_asset_orphan on release_asset (created_at) where release_id is null;
create index release_asset_uploader on release_asset (uploader_id) where uploader_id is not null;
