/**
 * The heartbeat statement of workers, by PostgreSQL's clock. In its own file, because the heartbeat thread loads nothing
 * else.
 */
export const BEAT = `insert into job_worker (id, seen_at) select unnest($1::text[]), now()
  on conflict (id) do update set seen_at = now()`
