-- phase: expand
-- Collection of Git LFS objects that no ref needs. Set by the first walk that did not find a pointer to the object, and
-- removed when a later walk finds one or a client names the object again. Nodes of the release before never set it.
alter table lfs_link add column unreferenced_since timestamptz;

-- The last walk over the pointers of a repository: what its refs were, so that the next walk reads new commits only.
create table lfs_walk (
  storage_id bigint primary key references git_storage (id) on delete cascade,
  stamp uuid not null,
  -- Empty if there were too many: then the next walk reads all commits.
  tips text[] not null,
  begun_at timestamptz not null
);
