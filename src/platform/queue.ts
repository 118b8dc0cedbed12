/** Adding jobs to the queue, as part of a transaction: a job exists if and only if its cause was committed. */
import { sql } from 'kysely'
import type { Config } from '#platform/config'
import type { Context } from '#platform/context'
import type { Tx } from '#platform/db'

/** A kind of job that a slice brings along; `addJobs` orders one by its name. */
export interface JobKind {
  /** Invariant: never renamed while jobs of that name may wait. */
  readonly name: string
  /** Kinds that wait for strangers have workers of their own, so many for all with this function, and keep no other waiting. */
  readonly concurrency?: (config: Config) => number
  run(ctx: Context, payload: unknown): Promise<void>
}

/**
 * Every job with a key is flagged so. When its key is given to another while it is in hand, the queue takes the key away
 * and calls all its tries used: the flag without a key tells that from a job that was given up.
 */
export const KEYED = 'keyed'

export interface NewJob {
  readonly task: string
  readonly payload: object
  /** A job with the key of one that waits takes its place, so nothing waits twice. */
  readonly key?: string
  readonly attemptsMax: number
  /** Higher numbers come later. */
  readonly priority?: number
  /** Jobs of one queue run one after the other. */
  readonly queue?: string
  readonly runAt?: Date
}

export async function addJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  const specs = jobs.map((job) => ({
    identifier: job.task,
    payload: job.payload,
    job_key: job.key,
    flags: job.key === undefined ? undefined : [KEYED],
    max_attempts: job.attemptsMax,
    priority: job.priority,
    queue_name: job.queue,
    run_at: job.runAt,
  }))
  await sql`select graphile_worker.add_jobs(array(
    select json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::json)))`.execute(
    tx,
  )
}
