-- phase: expand
-- Who wrote what was imported, and which accounts they are here.

-- A forge whose records were imported. `export`: its records came in a folder, so nobody knows that it told them.
create table import_host (
  id bigint generated always as identity primary key,
  service text not null check (service in ('github', 'gitlab', 'gitea', 'export')),
  -- Without a slash at its end.
  url text not null,
  unique (service, url)
);

create table imported_author (
  host_id bigint not null references import_host (id),
  -- At the host.
  author_id bigint not null,
  name text not null,
  -- Whose records they are here; null: nobody's.
  account_id bigint references account (id) on delete set null,
  -- By whom `account_id` was set or taken back last. What an administrator decided, no identity changes.
  decided_by text check (decided_by in ('identity', 'administrator')),
  decided_at timestamptz,
  primary key (host_id, author_id)
);
create index imported_author_account on imported_author (account_id) where account_id is not null;
create index imported_author_name on imported_author (lower(name), host_id, author_id);

-- The host at which `original_author_id` is an id: null for records that it had imported itself.
alter table issue add column import_host_id bigint;
alter table issue_comment add column import_host_id bigint;
alter table review add column import_host_id bigint;
create index issue_imported_author on issue (import_host_id, original_author_id, id)
  where import_host_id is not null;
create index issue_comment_imported_author on issue_comment (import_host_id, original_author_id, id)
  where import_host_id is not null;
create index review_imported_author on review (import_host_id, original_author_id, id)
  where import_host_id is not null;
