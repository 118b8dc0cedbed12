/** Jobs that were tried as often as they may be: visible, and tried again when somebody says so. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'

export interface DeadJob {
  readonly id: number
  readonly task: string
  readonly payload: unknown
  readonly attempts: number
  readonly error: string | null
  readonly failed_at: Date
}

const LISTED_MAX = 1_000

export async function listDead(db: Db): Promise<DeadJob[]> {
  const { rows } = await sql<DeadJob>`
    select job.id, job.task_identifier as task, private.payload, job.attempts, job.last_error as error,
      job.updated_at as failed_at
    from graphile_worker.jobs job join graphile_worker._private_jobs private on private.id = job.id
    where job.attempts >= job.max_attempts and job.locked_at is null
    order by job.id limit ${LISTED_MAX}`.execute(db)
  return rows
}

/** Gives jobs all their tries back, to be run at once; returns how many there were. */
export async function requeue(ctx: Context, ids: readonly number[]): Promise<number> {
  const { rows } = await sql`
    select id from graphile_worker.reschedule_jobs(${ids}::bigint[], run_at => now(), attempts => 0)`.execute(
    ctx.db,
  )
  return rows.length
}

/** How the queue is doing, for metrics. */
export async function queueDepth(db: Db): Promise<{ waiting: number; dead: number }> {
  const { rows } = await sql<{ waiting: number; dead: number }>`
    select count(*) filter (where attempts < max_attempts) as waiting,
      count(*) filter (where attempts >= max_attempts and locked_at is null) as dead
    from graphile_worker.jobs`.execute(db)
  return rows[0] ?? { waiting: 0, dead: 0 }
}
