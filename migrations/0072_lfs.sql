-- phase: expand
-- Git LFS. The bytes of an object are stored once, whatever repositories use it: `oid` is their SHA-256.
create table lfs_object (
  id bigint generated always as identity primary key,
  oid text not null unique check (oid ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes >= 0),
  -- Of the object in the store; a key is never used twice.
  key uuid not null,
  created_at timestamptz not null
);

-- Which objects the readers of a repository may download. Rows belong to the storage and not to the repository, so that an
-- undeleted repository has its objects.
create table lfs_link (
  storage_id bigint not null references git_storage (id) on delete cascade,
  object_id bigint not null references lfs_object (id),
  created_at timestamptz not null,
  primary key (storage_id, object_id)
);
create index lfs_link_object on lfs_link (object_id);

create table lfs_lock (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  path text not null check (length(path) between 1 and 1024),
  owner_id bigint not null references account (id) on delete cascade,
  locked_at timestamptz not null,
  unique (repository_id, path)
);
create index lfs_lock_owner on lfs_lock (owner_id);

alter table repository_count add column lfs_bytes bigint not null default 0;

-- A kind more. Nodes of the release before never write it.
alter table account_usage drop constraint account_usage_kind_check;
alter table account_usage add constraint account_usage_kind_check
  check (kind in ('git', 'packages', 'artifacts', 'logs', 'attachments', 'lfs')) not valid;
