-- phase: expand
-- What happened, who heard it, what runs when.
create table event (
  id bigint generated always as identity primary key,
  subject text not null,
  payload jsonb not null,
  created_at timestamptz not null
);
create index event_created on event (created_at);

-- Marked by a consumer in the transaction of its own effect: a second delivery finds it and does nothing.
create table event_consumed (
  event_id bigint not null references event (id) on delete cascade,
  consumer text not null,
  primary key (event_id, consumer)
);

create table cron_task (
  name text primary key,
  position bigint not null,
  -- Empty: runs only when asked to.
  schedule text not null default '',
  next_at timestamptz,
  prev_at timestamptz,
  runs bigint not null default 0
);
create index cron_task_next on cron_task (next_at);

-- Workers that are alive say so here; the jobs of one that fell silent are given to the others.
create table job_worker (
  id text primary key,
  seen_at timestamptz not null
);
