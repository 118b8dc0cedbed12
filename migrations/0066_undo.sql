-- phase: expand
-- Commits that no ref points to and that garbage collection keeps until then: tips of deleted branches.
create table git_kept_tip (
  storage_id bigint not null references git_storage (id) on delete cascade,
  oid text not null,
  kept_until timestamptz not null,
  primary key (storage_id, oid)
);

-- The last deletion of each branch name, for a week.
create table deleted_branch (
  repository_id bigint not null references repository (id) on delete cascade,
  name text not null,
  oid text not null,
  deleted_by_id bigint references account (id) on delete set null,
  deleted_at timestamptz not null,
  primary key (repository_id, name)
);
create index deleted_branch_deleted_at on deleted_branch (deleted_at);
create index deleted_branch_deleted_by on deleted_branch (deleted_by_id) where deleted_by_id is not null;

-- What an account did and may take back: pages show it once, with a button.
create table undo (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  act jsonb not null,
  created_at timestamptz not null
);
create index undo_account on undo (account_id, id);
create index undo_created on undo (created_at);
