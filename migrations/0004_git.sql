-- phase: expand
-- Git storage: refs are rows, packs are immutable objects named by their digest, the list of packs is rows.
create table git_repository (
  id bigint generated always as identity primary key,
  object_format text not null check (object_format in ('sha1', 'sha256')),
  -- The ref that HEAD stands for.
  head text not null,
  -- Grows with every change of refs or packs: equal means that a cache is as good as the truth.
  generation bigint not null default 0,
  -- Not yet: something is being made (an import, a first commit) and is to be swept if its maker died.
  is_adopted boolean not null default true,
  -- Set: deleted, to be swept when the time to undo it is over.
  deleted_at timestamptz,
  created_at timestamptz not null
);
create index git_repository_deleted on git_repository (deleted_at) where deleted_at is not null;

create index git_repository_orphan on git_repository (created_at) where not is_adopted;

create table git_ref (
  -- No foreign key: checking it was most of what a fork of ten thousand refs cost. Refs are written under the lock of
  -- their storage, and only the sweeper deletes storages, after their refs.
  repository_id bigint not null,
  name text collate "C" not null,
  oid text not null,
  -- What an annotated tag finally points to, so that refs can be told without asking git.
  peeled_oid text,
  generation bigint not null,
  primary key (repository_id, name)
);

create table git_pack (
  digest text primary key,
  bytes bigint not null,
  index_bytes bigint not null,
  object_count bigint not null,
  kind text not null check (kind in ('receive', 'write', 'compact', 'gc', 'garbage')),
  created_at timestamptz not null
);

-- Many repositories may share a pack: that is what a fork costs.
create table git_repository_pack (
  repository_id bigint not null references git_repository (id) on delete cascade,
  digest text not null references git_pack (digest),
  added_generation bigint not null,
  -- Set: replaced by another pack, kept for those who still read it.
  retired_at timestamptz,
  primary key (repository_id, digest)
);
create index git_repository_pack_digest on git_repository_pack (digest);
create index git_repository_pack_live on git_repository_pack (repository_id) where retired_at is null;
create index git_repository_pack_retired on git_repository_pack (retired_at) where retired_at is not null;

-- Written before an upload begins, so that what was left behind can be found without listing the store.
create table git_pack_upload (
  digest text not null,
  -- No foreign key: an intent need not wait for the push that is being committed, and outlives its storage until it
  -- is swept.
  repository_id bigint not null,
  started_at timestamptz not null,
  primary key (digest, repository_id)
);
create index git_pack_upload_started on git_pack_upload (started_at);

-- A push that was committed: whoever lost the connection at that moment looks here instead of guessing.
create table git_push (
  id uuid primary key,
  repository_id bigint not null references git_repository (id) on delete cascade,
  generation bigint not null,
  -- What each ref was answered.
  results jsonb not null,
  created_at timestamptz not null
);
create index git_push_created on git_push (created_at);
create index git_push_repository on git_push (repository_id);
