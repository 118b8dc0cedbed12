-- phase: expand
-- How many commits the tip of a branch reached when it was counted last: a walk through all of history is made once, for
-- all nodes, and never again from its beginning.

create table git_branch_count (
  storage_id bigint not null references git_storage (id) on delete cascade,
  name text not null,
  oid text not null,
  commits bigint not null,
  primary key (storage_id, name)
);
create index git_branch_count_oid on git_branch_count (storage_id, oid);
