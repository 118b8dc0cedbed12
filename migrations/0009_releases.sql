-- phase: expand
-- Releases: what is said about a tag.
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
