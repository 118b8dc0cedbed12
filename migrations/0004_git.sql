-- phase: expand
-- Git storage: refs are rows, packs are immutable objects named by their digest, the list of packs is rows.
create table git_storage (
  id bigint generated always as identity primary key,
  object_format text not null check (object_format in ('sha1', 'sha256')),
  -- The ref that HEAD stands for.
  head text not null,
  -- Grows with every change of refs or packs.
  generation bigint not null default 0,
  -- A new one with each generation: after a failover that lost commits a number comes again, its stamp does not. Equal
  -- means that a cache is as good as the truth.
  stamp uuid not null default gen_random_uuid(),
  -- The highest generation whose retired packs were taken from the repository for good: whoever looked before that may
  -- have seen objects that are gone.
  released_generation bigint not null default 0,
  -- Not yet: something is being made (an import, a first commit) and is to be swept if its maker died.
  is_adopted boolean not null default true,
  -- Set: deleted, to be swept when the time to undo it is over.
  deleted_at timestamptz,
  -- The sweeper is at it: from now on nobody takes the deletion back.
  is_swept boolean not null default false,
  created_at timestamptz not null
);
create index git_storage_deleted on git_storage (deleted_at) where deleted_at is not null;

create index git_storage_orphan on git_storage (created_at) where not is_adopted;

create table git_ref (
  -- No foreign key: checking it was most of what a fork of ten thousand refs cost. Refs are written under the lock of
  -- their storage, and only the sweeper deletes storages, after their refs.
  storage_id bigint not null,
  name text collate "C" not null,
  oid text not null,
  -- What an annotated tag finally points to, so that refs can be told without asking git.
  peeled_oid text,
  generation bigint not null,
  primary key (storage_id, name)
);

-- An upload has an id of its own, which is part of its key in the store: what was deleted under a key can never be what
-- somebody else was just promised.
create table git_pack (
  id uuid primary key,
  -- SHA-256 of the file.
  digest text not null,
  bytes bigint not null,
  index_bytes bigint not null,
  object_count bigint not null,
  kind text not null check (kind in ('receive', 'write', 'compact', 'gc', 'garbage')),
  created_at timestamptz not null
);

-- The names of a pack. Many repositories may share one: that is what a fork costs.
create table git_storage_pack (
  storage_id bigint not null references git_storage (id) on delete cascade,
  -- Whoever names a pack that the sweeper has given up is refused by this key.
  pack_id uuid not null references git_pack (id),
  added_generation bigint not null,
  -- Set: replaced by another pack, kept for those who still read it.
  retired_at timestamptz,
  retired_generation bigint,
  primary key (storage_id, pack_id),
  check ((retired_at is null) = (retired_generation is null))
);
create index git_storage_pack_pack on git_storage_pack (pack_id);
create index git_storage_pack_live on git_storage_pack (storage_id) where retired_at is null;
create index git_storage_pack_retired on git_storage_pack (retired_at) where retired_at is not null;

-- Packs that may have no name: from before their upload begins until the first one names them, and again from the
-- moment that a name was taken away. So what is to be deleted is found without listing the store.
create table git_pack_unnamed (
  pack_id uuid primary key references git_pack (id) on delete cascade,
  since timestamptz not null
);
create index git_pack_unnamed_since on git_pack_unnamed (since);

-- Packs that were given up: nobody can name them any more, so their bytes are deleted in peace, and once more when
-- whoever might still be uploading them has long ended.
create table git_pack_doomed (
  id uuid primary key,
  digest text not null,
  since timestamptz not null
);
create index git_pack_doomed_since on git_pack_doomed (since);

-- The generations of a repository, each under its stamp. Whoever lost the connection at COMMIT looks here instead of
-- guessing; and whoever has seen a generation that is not here has seen what a failover lost.
create table git_generation (
  stamp uuid primary key,
  storage_id bigint not null references git_storage (id) on delete cascade,
  -- Of a push: what each ref was answered.
  results jsonb,
  created_at timestamptz not null
);
create index git_generation_created on git_generation (created_at);
create index git_generation_storage on git_generation (storage_id);
