-- phase: expand
-- Packages of registries. Bytes lie in the object store, each under a key that is never used twice.

create table package (
  id bigint generated always as identity primary key,
  -- Packages that anybody can see keep their owner from being deleted; the rest goes with them.
  owner_id bigint not null references account (id) on delete cascade,
  repository_id bigint references repository (id) on delete set null,
  type text not null,
  name text not null,
  -- How the type compares names.
  name_key text collate "C" not null,
  -- What the type keeps about all versions together.
  properties jsonb not null default '{}',
  created_at timestamptz not null,
  unique (owner_id, type, name_key)
);
create index package_repository on package (repository_id) where repository_id is not null;

create table package_version (
  id bigint generated always as identity primary key,
  package_id bigint not null references package (id) on delete cascade,
  -- That of the package, which never changes: lists of an owner come from one index.
  owner_id bigint not null,
  creator_id bigint references account (id) on delete set null,
  version text not null,
  version_key text collate "C" not null,
  -- Kept by the type for itself, and shown in no list.
  is_internal boolean not null default false,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  unique (package_id, version_key)
);
create index package_version_owner on package_version (owner_id, id) where not is_internal;
create index package_version_shown on package_version (package_id, id) where not is_internal;
create index package_version_creator on package_version (creator_id) where creator_id is not null;
-- Of images: which manifest a version is, and which one that is about.
create index package_version_digest on package_version (package_id, (metadata ->> 'digest'))
  where metadata ? 'digest';
create index package_version_subject on package_version (package_id, (metadata ->> 'subject'))
  where metadata ? 'subject';

-- Content, once for all who have it.
create table package_blob (
  id bigint generated always as identity primary key,
  key uuid not null unique,
  bytes bigint not null,
  md5 text not null,
  sha1 text not null,
  sha256 text not null unique,
  sha512 text not null,
  created_at timestamptz not null
);
create index package_blob_sha512 on package_blob (sha512);
create index package_blob_created on package_blob (created_at);

create table package_file (
  id bigint generated always as identity primary key,
  version_id bigint not null references package_version (id) on delete cascade,
  -- Content that somebody names is not deleted.
  blob_id bigint not null references package_blob (id),
  name text not null,
  name_key text collate "C" not null,
  created_at timestamptz not null,
  unique (version_id, name_key)
);
create index package_file_blob on package_file (blob_id);

-- Uploads that come in pieces, perhaps to several nodes.
create table package_upload (
  id uuid primary key,
  owner_id bigint not null references account (id) on delete cascade,
  name_key text not null,
  bytes bigint not null default 0,
  touched_at timestamptz not null
);
create index package_upload_owner on package_upload (owner_id);
create index package_upload_touched on package_upload (touched_at);

-- Objects that are stored, or about to be, and are no content of a package yet: what becomes none is swept.
create table package_object (
  key uuid primary key,
  upload_id uuid references package_upload (id) on delete set null,
  -- Where it begins in its upload.
  start bigint not null default 0,
  bytes bigint not null,
  md5 text not null,
  sha1 text not null,
  sha256 text not null,
  sha512 text not null,
  created_at timestamptz not null,
  unique (upload_id, start)
);
create index package_object_created on package_object (created_at) where upload_id is null;
