-- phase: expand
-- The queue. A job is added by the transaction that causes it and deleted when it is done, so rows are few and change often.
create table job (
  id bigint generated always as identity primary key,
  kind text not null,
  payload json not null,
  -- A job takes the place of the waiting job with its key.
  key text,
  -- Groups of one kind take turns. Jobs of a serial group run one after the other.
  group_key text collate "C" not null default '',
  is_serial boolean not null default false,
  run_at timestamptz not null default now(),
  attempts bigint not null default 0,
  attempts_max bigint not null,
  -- The worker that runs it: see job_worker. Null while the job waits, and after it was given up.
  worker text,
  held_at timestamptz,
  error text,
  failed_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index job_key on job (key) where worker is null;
create unique index job_serial on job (kind, group_key) where is_serial and worker is not null;
-- When a kind has work next.
create index job_due on job (kind, run_at) where worker is null and attempts < attempts_max;
-- Which groups have work, and what comes first in each.
create index job_turn on job (kind, group_key, run_at, id) where worker is null and attempts < attempts_max;
create index job_held on job (worker) where worker is not null;
create index job_dead on job (id) where worker is null and attempts >= attempts_max;
-- Every job leaves two dead rows: PostgreSQL cleans up by their number, not by their share of a table that is often empty.
alter table job set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
