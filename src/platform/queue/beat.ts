/** How a worker says that it lives, by PostgreSQL's clock. Alone in this file: the thread that says so loads no more. */
export const BEAT = `insert into job_worker (id, seen_at) select unnest($1::text[]), now()
  on conflict (id) do update set seen_at = now()`
