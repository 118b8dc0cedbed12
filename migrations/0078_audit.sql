-- phase: expand
-- What was changed, by whom and from where. Records outlive the accounts and repositories they name: no foreign keys.
create table audit_record (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  operation text not null,
  outcome text not null check (outcome in ('done', 'unchanged', 'refused', 'failed')),
  -- Why it was refused.
  problem text,
  -- Whose credential it was, and as whom an administrator acted by sudo.
  account_id bigint,
  account text,
  as_id bigint,
  as_account text,
  via text not null,
  credential text,
  address text,
  request_id text,
  node text not null,
  -- The repository and the owner it was about, and the parameters of the path as JSON.
  repository_id bigint,
  owner_id bigint,
  target text not null,
  -- More than one: refused sign-ins of an address in one minute that have no record each.
  times bigint not null
);
create index audit_record_at on audit_record (at, id);
create index audit_record_operation on audit_record (operation, at, id);
create index audit_record_account on audit_record (account_id, at, id) where account_id is not null;
create index audit_record_repository on audit_record (repository_id, at, id) where repository_id is not null;
create index audit_record_owner on audit_record (owner_id, at, id) where owner_id is not null;
create index audit_record_outcome on audit_record (outcome, at, id) where outcome <> 'done';

-- Refused sign-ins, so that those beyond a bound share one record.
create table audit_refusal (
  network text not null,
  minute timestamptz not null,
  refused bigint not null,
  primary key (network, minute)
);
create index audit_refusal_minute on audit_refusal (minute);
