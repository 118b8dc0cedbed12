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
  /** Runs so long from now on, by the clock of the database, which the queue goes by. */
  readonly waitMs?: number
  /** With the key of one that waits: its time stays as it is, and this one comes no later. */
  readonly keepsTime?: boolean
}

export async function addJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  for (const [keepsTime, alike] of Map.groupBy(jobs, (job) => job.keepsTime === true))
    await add(tx, alike, keepsTime)
}

async function add(tx: Tx, jobs: readonly NewJob[], keepsTime: boolean): Promise<void> {
  const specs = jobs.map((job) => ({
    identifier: job.task,
    payload: job.payload,
    job_key: job.key,
    flags: job.key === undefined ? undefined : [KEYED],
    max_attempts: job.attemptsMax,
    priority: job.priority,
    queue_name: job.queue,
    run_at: job.runAt,
    wait_ms: job.waitMs,
  }))
  await sql`select graphile_worker.add_jobs(array(
    select row(identifier, payload, queue_name, coalesce(run_at, now() + wait_ms * interval '1 millisecond'),
      max_attempts, job_key, priority, flags)::graphile_worker.job_spec
    from json_to_recordset(${JSON.stringify(specs)}::json) as spec (identifier text, payload json, queue_name text,
      run_at timestamptz, wait_ms bigint, max_attempts smallint, job_key text, priority smallint, flags text[])),
    ${keepsTime})`.execute(tx)
}
