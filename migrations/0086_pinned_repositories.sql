-- phase: expand
-- Repositories that an account shows first on its profile. Readers see those of them that they may see.
create table pinned_repository (
  account_id bigint not null references account (id) on delete cascade,
  repository_id bigint not null references repository (id) on delete cascade,
  place bigint not null,
  primary key (account_id, repository_id)
);
create index pinned_repository_repository on pinned_repository (repository_id);
