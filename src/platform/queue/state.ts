/** Length and age of the queue. */
import { sql } from 'kysely'
import type { Db } from '#platform/db'

/** The jobs of one kind, for metrics, `bloomery doctor` and the admin page. */
export interface QueueState {
  readonly kind: string
  /** Due, and not held. */
  readonly waiting: number
  /** Held by a worker. */
  readonly running: number
  /** Scheduled: delayed, or waiting for another attempt. */
  readonly later: number
  readonly dead: number
  /** How long the oldest waiting job has been due. */
  readonly oldest_ms: number
}

export async function readQueue(db: Db): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    select kind, count(*) filter (where is_waiting and run_at <= now()) as waiting,
      count(*) filter (where worker is not null) as running,
      count(*) filter (where is_waiting and run_at > now()) as later,
      count(*) filter (where worker is null and attempts >= attempts_max) as dead,
      coalesce(extract(epoch from now() - min(run_at) filter (where is_waiting and run_at <= now())) * 1000, 0)::bigint
        as oldest_ms
    from (select *, worker is null and attempts < attempts_max as is_waiting from job) as job
    group by kind order by kind`.execute(db)
  return rows
}

/** Number of jobs whose payload has a text that this key encrypted; dead jobs too, because they can be requeued. */
export async function countSealedJobs(db: Db, keyId: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from job where payload::text like ${`%"v1.${keyId}.%`}`.execute(db)
  return Number(rows[0]?.count)
}
