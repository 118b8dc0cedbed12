/** Jobs are added in the transaction that causes them, so neither exists without the other. */
import { type Generated, type JSONColumnType, type RawBuilder, sql } from 'kysely'
import type { Config } from '#platform/config'
import { afterCommit, type Context, type TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import type { Logger } from '#platform/log'
import type { Pool } from '#platform/pool'

declare module '#platform/db' {
  interface Tables {
    job: JobTable
    /** Live workers. */
    job_worker: { id: string; seen_at: Date }
  }
}
interface JobTable {
  id: Generated<number>
  kind: string
  payload: JSONColumnType<object>
  key: string | null
  group_key: Generated<string>
  is_serial: Generated<boolean>
  run_at: Generated<Date>
  attempts: Generated<number>
  attempts_max: number
  traceparent: string | null
  worker: string | null
  held_at: Date | null
  error: string | null
  failed_at: Date | null
  created_at: Generated<Date>
}

/** A kind of job; `addJobs` adds one by its name. */
export interface JobKind {
  /** Invariant: never renamed while jobs of that name may wait. */
  readonly name: string
  /** Kinds with the same function share their own pool of slots of this size, apart from all other kinds. */
  readonly concurrency?: (config: Config) => number
  /** Low priority: starts only when no other kind of its pool has work. */
  readonly isLate?: boolean
  run(ctx: Context, payload: unknown): Promise<void>
}

export interface NewJob {
  readonly kind: string
  readonly payload: object
  /** A job replaces the waiting job with its key, so nothing waits twice. */
  readonly key?: string
  readonly attemptsMax: number
  /** Groups of one kind take turns, so one repository with a thousand jobs does not delay the others. */
  readonly group?: string
  /** Jobs of this group run one after the other. */
  readonly isSerial?: boolean
  /** Delays the job by at least this long, by PostgreSQL's clock. */
  readonly waitMs?: number
  /** If a job with the same key already waits, its run time is kept. */
  readonly keepsTime?: boolean
  /**
   * If a job with the same key already waits, nothing is added or locked: for jobs that any number of requests order. Add
   * them after the commit of what they are to find, or a worker that has taken the waiting job may not find it.
   */
  readonly unlessQueued?: boolean
}

/** A job held by a worker. */
export interface HeldJob {
  readonly id: number
  readonly worker: string
  readonly kind: string
  readonly payload: unknown
  readonly is_serial: boolean
  readonly group_key: string
  /** Of the span that added it; null if that node sends no traces. */
  readonly traceparent: string | null
  /** Whether there may be more due jobs of its kind. */
  readonly may_have_more: boolean
}

/** Returns true if the worker takes the job itself. */
export type HearJob = (kind: string, waitMs: number) => boolean

/** Notifies workers of added jobs, so that they poll at once. A lost hint costs seconds, never a job. */
export interface JobHints {
  added(kind: string, waitMs: number): void
  /** Returns a function that unsubscribes. */
  heardBy(hear: HearJob): () => void
  /** From now on, jobs that no worker of this process can take at once are announced to other processes. */
  tellOthers(pool: Pool, log: Logger): void
}

declare module '#platform/context' {
  interface World {
    readonly jobHints: JobHints
  }
}

export async function addJobs(ctx: TxContext, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  const traceparent = ctx.telemetry.traceparent()
  // PostgreSQL refuses an upsert that would write one row twice.
  const latest = new Map(jobs.map((job, i) => [job.key ?? i, job]))
  const rows = [...latest.values()].map((job) => ({
    kind: job.kind,
    payload: job.payload,
    key: job.key,
    group_key: job.group ?? '',
    is_serial: job.isSerial ?? false,
    wait_ms: job.waitMs ?? 0,
    attempts_max: job.attemptsMax,
    keeps_time: job.keepsTime ?? false,
    unless_queued: job.unlessQueued ?? false,
    traceparent,
  }))
  for (const [keepsTime, alike] of Map.groupBy(rows, ({ keeps_time }) => keeps_time))
    await insertJobs(ctx.db, alike, keepsTime)
  for (const { kind, wait_ms } of rows) hintJob(ctx, kind, wait_ms)
}

/** For statements that compute their jobs inside PostgreSQL: `rows` selects kind, group_key, payload and attempts_max. */
export function insertJobsFrom(
  { telemetry }: Pick<Context, 'telemetry'>,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`insert into job (kind, group_key, payload, attempts_max, traceparent)
    select new.*, ${telemetry.traceparent() ?? null}::text from (${rows}) as new`
}

/** Needed after `insertJobsFrom`. */
export function hintJob(ctx: TxContext, kind: string, waitMs = 0): void {
  afterCommit(ctx, () => ctx.jobHints.added(kind, waitMs))
}

/** The run time of a waiting job that has failed before is its retry time, which a new job with its key does not keep. */
async function insertJobs(tx: Tx, rows: readonly object[], keepsTime: boolean): Promise<void> {
  await sql`insert into job (kind, payload, key, group_key, is_serial, run_at, attempts_max, traceparent)
    select kind, payload, key, group_key, is_serial, now() + wait_ms * interval '1 millisecond', attempts_max, traceparent
    from json_to_recordset(${JSON.stringify(rows)}::json) as new (kind text, payload json, key text, group_key text,
      is_serial boolean, wait_ms bigint, attempts_max bigint, traceparent text, unless_queued boolean)
    where not (unless_queued and exists (select 1 from job
      where job.key = new.key and job.worker is null and job.attempts < job.attempts_max))
    on conflict (key) where worker is null do update set payload = excluded.payload, attempts = 0,
      run_at = case when ${keepsTime}::boolean and job.attempts = 0 then job.run_at else excluded.run_at end,
      kind = excluded.kind, group_key = excluded.group_key, is_serial = excluded.is_serial,
      attempts_max = excluded.attempts_max, traceparent = excluded.traceparent, error = null, failed_at = null`.execute(
    tx,
  )
}

/**
 * Deletes a job in the transaction of its effect. False: this worker was taken for dead and another has the job, so the
 * effect must be rolled back. If PostgreSQL loses the commit in a crash, the job and the missing effect come back
 * together, so this transaction does not wait for the disk.
 */
export async function endWithEffect(tx: Tx, { id, worker }: HeldJob): Promise<boolean> {
  const { numAffectedRows = 0n } =
    await sql`delete from job using (select set_config('synchronous_commit', 'off', true)) as quick
    where id = ${id} and worker = ${worker}`.execute(tx)
  return numAffectedRows === 1n
}
