/**
 * Workers that die give their jobs back. The queue itself waits four hours for a silent worker; here each worker
 * says every few seconds that it lives, and whoever notices that one does not unlocks what it held.
 */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { forgetReplaced } from './dead-letters.ts'

declare module '#platform/db' {
  interface Tables {
    job_worker: { id: string; seen_at: Date }
  }
}

const FORGET_MS = 3_600_000

export async function retire(db: Db, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length > 0)
    await db
      .deleteFrom('job_worker')
      .where('id', 'in', [...workerIds])
      .execute()
}

/**
 * Unlocks queues that are locked for no job. Whoever was taken for dead and yet ends its job deletes the row under the
 * worker that has it now, whose own end then finds nothing to unlock: without us the queue would wait four hours.
 */
export async function unlockQueues(ctx: Context): Promise<void> {
  const silence = `${ctx.config['jobs.dead_after_ms']} milliseconds`
  await sql`update graphile_worker._private_job_queues queue set locked_at = null, locked_by = null
    where locked_at < now() - ${silence}::interval and not exists (select 1 from graphile_worker._private_jobs
      where job_queue_id = queue.id and locked_by = queue.locked_by)`.execute(ctx.db)
}

/** Unlocks the jobs of workers that fell silent. A job that runs twice does no harm: consumers mark what they heard. */
export async function unlockDead(ctx: Context): Promise<number> {
  const silence = `${ctx.config['jobs.dead_after_ms']} milliseconds`
  const { rows } = await sql<{ locked_by: string }>`
    select distinct locked_by from graphile_worker.jobs
    where locked_at < now() - ${silence}::interval
      and not exists (select 1 from job_worker where id = locked_by and seen_at > now() - ${silence}::interval)`.execute(
    ctx.db,
  )
  if (rows.length === 0) return 0
  await sql`select graphile_worker.force_unlock_workers(${rows.map((row) => row.locked_by)}::text[])`.execute(
    ctx.db,
  )
  await forgetReplaced(ctx)
  await sql`delete from job_worker where seen_at < now() - ${`${FORGET_MS} milliseconds`}::interval`.execute(
    ctx.db,
  )
  ctx.log.warn({ 'job.workers': rows.length }, 'requeued jobs of dead workers')
  return rows.length
}
