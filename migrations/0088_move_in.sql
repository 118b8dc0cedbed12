-- phase: expand
-- The instance that is moved in, and how far each step of the present pass is.

create table move_in (
  is_only boolean primary key default true check (is_only),
  source text not null,
  pass bigint not null,
  is_pass_done boolean not null,
  started_at timestamptz not null,
  ended_at timestamptz
);

create table move_in_step (
  name text primary key,
  pass bigint not null,
  last_id bigint not null,
  read_rows bigint not null,
  written_rows bigint not null,
  left_out jsonb not null,
  is_done boolean not null
);
