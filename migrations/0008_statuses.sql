-- phase: expand
-- What checks said about commits: never changed, only added to; the newest of a context is what counts.
create table commit_status (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  oid text not null,
  context text not null,
  state text not null check (state in ('pending', 'success', 'error', 'failure', 'warning', 'skipped')),
  description text not null,
  target_url text not null,
  creator_id bigint references account (id) on delete set null,
  created_at timestamptz not null
);
create index commit_status_commit on commit_status (repository_id, oid, id);
create index commit_status_context on commit_status (repository_id, oid, context, id desc);
create index commit_status_creator on commit_status (creator_id) where creator_id is not null;
