/** Jobs that were tried as often as they may be: visible, and tried again when somebody says so. */
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { KEYED } from '#platform/queue'

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
    where job.attempts >= job.max_attempts and job.locked_at is null and not ${isReplaced('job')}
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
      count(*) filter (where attempts >= max_attempts and locked_at is null and not ${isReplaced('job')}) as dead
    from graphile_worker.jobs job`.execute(db)
  return rows[0] ?? { waiting: 0, dead: 0 }
}

/** What was replaced while it was in hand, and did not end well: another has its order, and nobody will run it again. */
export async function forgetReplaced(ctx: Context): Promise<void> {
  await sql`delete from graphile_worker._private_jobs job
    where attempts >= max_attempts and locked_at is null and ${isReplaced('job')}`.execute(ctx.db)
}

function isReplaced(job: string): RawBuilder<boolean> {
  return sql`(${sql.ref(`${job}.key`)} is null and coalesce(${sql.ref(`${job}.flags`)} ? ${sql.lit(KEYED)}, false))`
}
