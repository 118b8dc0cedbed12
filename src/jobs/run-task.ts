/** Runs jobs of one task and records in the queue how they ended. Never rejects. */
import type { Context } from '#platform/context'
import { type Db, databaseAway } from '#platform/db'
import { endJobs, failJob, type HeldJob, leaveJob, UnknownToThisVersion } from '#platform/queue'
import type { Task } from './tasks.ts'

export async function runTask(ctx: Context, db: Db, task: Task, jobs: readonly HeldJob[]): Promise<void> {
  try {
    await task.run(ctx, jobs)
    await endJobs(db, jobs)
  } catch (error) {
    if (error instanceof UnknownToThisVersion) return leave(ctx, db, jobs, error)
    const facts = { err: error, 'job.kind': task.kind, 'job.ids': jobs.map(({ id }) => id) }
    // The job is not at fault, and runs again when the database is back.
    if (databaseAway(error) !== undefined) ctx.log.warn(facts, 'job interrupted: database unavailable')
    else ctx.log.error(facts, 'job failed')
    const message = error instanceof Error ? error.message : String(error)
    // A failure that cannot be recorded now is recorded when a worker frees the job.
    for (const job of jobs) await failJob(db, job, message).catch(warnOf(ctx, job))
  }
}

async function leave(ctx: Context, db: Db, jobs: readonly HeldJob[], { message }: Error): Promise<void> {
  for (const job of jobs) {
    ctx.log.info({ 'job.id': job.id, 'job.reason': message }, 'job left to a node of another version')
    await leaveJob(db, job, message).catch(warnOf(ctx, job))
  }
}

function warnOf(ctx: Context, { id }: HeldJob): (error: unknown) => void {
  return (error) => ctx.log.warn({ err: error, 'job.id': id }, 'job failure could not be noted')
}
