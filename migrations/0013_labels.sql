-- phase: expand
-- Labels: of a repository, or of an organization for all of its repositories.
create table label (
  id bigint generated always as identity primary key,
  repository_id bigint references repository (id) on delete cascade,
  organization_id bigint references account (id) on delete cascade,
  name text not null,
  -- Six hexadecimal digits.
  color text not null,
  description text not null default '',
  -- Of those with the same words before the last slash, an issue has one at most.
  is_exclusive boolean not null default false,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (num_nonnulls(repository_id, organization_id) = 1)
);
-- Names are listed in the order of their bytes; several labels may have the same.
create index label_repository on label (repository_id, name collate "C", id) where repository_id is not null;
create index label_organization on label (organization_id, name collate "C", id) where organization_id is not null;
-- For the search over all repositories.
create index label_name on label (name);

-- How often a label is used, kept in the transaction that changes it.
create table label_count (
  label_id bigint primary key references label (id) on delete cascade,
  issues bigint not null default 0,
  closed_issues bigint not null default 0
);
