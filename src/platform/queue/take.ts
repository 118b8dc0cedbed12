/** SQL on `job`: how a worker takes jobs, ends them, and returns them. Times are PostgreSQL's, which all workers share. */
import { type RawBuilder, sql } from 'kysely'
import { CUSTOM_PLAN, type Db, isUniqueViolation } from '#platform/db'
import type { HeldJob } from './add.ts'

/** The pause between two attempts grows with the number of failures, up to six hours. */
const PAUSE: RawBuilder<string> = sql`exp(least(attempts, 10)) * interval '1 second'`
const ERROR_MAX = 8_000
/** Then the jobs wait until a worker polls. */
const TRIES = 3

/** As in the predicates of the indexes on `job`: the planner uses them only for this exact text. */
const WAITS: RawBuilder<boolean> = sql`worker is null and attempts < attempts_max`

export interface Wish {
  readonly kind: string
  readonly worker: string
  readonly count: number
  /** The group that had its turn last; null to begin with the first one. */
  readonly after: string | null
}

/**
 * Takes due jobs of one kind, in turns by group. Each group costs one probe of the index `job_turn`, so a group with very
 * many jobs costs no more than others. From a serial group the first job is taken, unless one of it is held. A kind may
 * have more due jobs if there are as many groups as wanted jobs, or one of the groups gave its whole share.
 */
export async function takeJobs(db: Db, wish: Wish): Promise<HeldJob[]> {
  for (let tries = 0; tries < TRIES; tries++)
    try {
      const { rows } = await takingStatement(wish).execute(db)
      return rows.toSorted((one, other) => one.id - other.id)
    } catch (error) {
      // Another worker took from the same serial group at once: the unique index `job_serial` refused this one.
      if (!isUniqueViolation(error)) throw error
    }
  return []
}

export function takingStatement({ kind, worker, count, after }: Wish): RawBuilder<HeldJob> {
  const isDue = sql`kind = ${kind} and ${WAITS} and run_at <= now()`
  return sql<HeldJob>`with recursive turns (group_key, place) as (
      (select group_key, 1 from job where ${isDue} and (${after}::text is null or group_key > ${after})
        order by group_key limit 1)
      union all
      select next.group_key, place + 1 from turns cross join lateral (
        select group_key from job where ${isDue} and group_key > turns.group_key order by group_key limit 1) as next
      where place < ${count}),
    found as (
      select mine.* from turns cross join lateral (
        select id, group_key, is_serial from job where ${isDue} and group_key = turns.group_key
          and not (is_serial and exists (select 1 from job as held where held.kind = job.kind
            and held.group_key = job.group_key and held.is_serial and held.worker is not null))
        order by run_at, id limit greatest(1, ${count} / (select count(*) from turns)) for update skip locked) as mine),
    first as (
      select distinct on (case when is_serial then group_key end, case when is_serial then 0 else id end) id
      from found order by case when is_serial then group_key end, case when is_serial then 0 else id end, id
      limit ${count}),
    rest as (
      select (select count(*) from turns) = ${count} or exists (
        select 1 from found group by group_key having count(*) >= ${count} / (select count(*) from turns)) as may_be)
    update job set worker = ${worker}, held_at = now(), attempts = attempts + 1 from first, rest where job.id = first.id
    returning job.id, worker, kind, payload, is_serial, group_key, traceparent, rest.may_be as may_have_more ${CUSTOM_PLAN}`
}

/** Ignores jobs that another worker holds by now. */
export async function endJobs(db: Db, jobs: readonly HeldJob[]): Promise<void> {
  await sql`delete from job using unnest(${jobs.map(({ id }) => id)}::bigint[], ${jobs.map(({ worker }) => worker)}::text[])
    as held (job_id, holder) where id = job_id and worker = holder`.execute(db)
}

/** The next attempt is later; after the last one the job stays as a dead letter. */
export async function failJob(db: Db, { id, worker }: HeldJob, error: string): Promise<void> {
  const isIt = sql<boolean>`id = ${id} and worker = ${worker}`
  await putBack(
    db,
    isIt,
    sql`error = ${error.slice(0, ERROR_MAX)}, failed_at = now(), run_at = now() + ${PAUSE}`,
  )
}

/** Thrown by a job that names a consumer or task which this version lacks: during an upgrade, nodes of two versions run. */
export class UnknownToThisVersion extends Error {
  override name = 'UnknownToThisVersion'
}

/** The pause grows with the age of the job: soon for an upgrade, rarely for a consumer that no version has any more. */
const LEFT_PAUSE: RawBuilder<string> = sql`least(greatest(interval '2 seconds', (now() - created_at) / 10), interval '1 hour')`

/** Leaves a job to workers of another version: this attempt does not count. */
export async function leaveJob(db: Db, { id, worker }: HeldJob, error: string): Promise<void> {
  const isIt = sql<boolean>`id = ${id} and worker = ${worker}`
  await putBack(
    db,
    isIt,
    sql`error = ${error.slice(0, ERROR_MAX)}, attempts = attempts - 1, run_at = now() + ${LEFT_PAUSE}`,
  )
}

/**
 * Frees jobs of dead workers, and jobs that PostgreSQL assigned to this worker while the answer was lost. A job that runs
 * twice does no harm: only the worker that deletes the row of a delivery has an effect, and other jobs are repeatable.
 */
export async function freeLostJobs(
  db: Db,
  { ids, heldIds, silenceMs }: { ids: readonly string[]; heldIds: readonly number[]; silenceMs: number },
): Promise<number> {
  const silence = sql`${silenceMs} * interval '1 millisecond'`
  const isLost = sql<boolean>`worker is not null and held_at < now() - ${silence} and case
    when worker = any(${[...ids]}::text[]) then id <> all(${[...heldIds]}::bigint[])
    else not exists (select 1 from job_worker where job_worker.id = worker and seen_at > now() - ${silence}) end`
  return putBack(
    db,
    isLost,
    sql`error = coalesce(error, 'the worker stopped'), failed_at = case when attempts >= attempts_max then now() else failed_at end`,
  )
}

/**
 * At most one job waits under a key: a job is deleted when another one already waits under its key, or when a later one
 * is put back with it.
 */
async function putBack(db: Db, which: RawBuilder<boolean>, change: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`with
    chosen as (select id, key is not null and (row_number() over (partition by key order by id desc) > 1
      or exists (select 1 from job as other where other.key = job.key and other.worker is null)) as is_replaced
      from job where ${which}),
    replaced as (delete from job where id in (select chosen.id from chosen where is_replaced) and ${which} returning id),
    back as (update job set worker = null, held_at = null, ${change}
      where id in (select chosen.id from chosen where not is_replaced) and ${which} returning id)
    select (select count(*) from replaced) + (select count(*) from back) as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** In how many milliseconds each of these kinds has work; negative when overdue. Kinds without waiting jobs are left out. */
export async function lookAhead(
  db: Db,
  kinds: readonly string[],
): Promise<{ kind: string; in_ms: number }[]> {
  const { rows } = await sql<{ kind: string; in_ms: number }>`
    select wanted.kind, (extract(epoch from run_at - now()) * 1000)::bigint as in_ms
    from unnest(${[...kinds]}::text[]) as wanted (kind) cross join lateral (
      select run_at from job where job.kind = wanted.kind and ${WAITS} order by run_at limit 1) as next`.execute(
    db,
  )
  return rows
}

export async function retireWorkers(db: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from job_worker where id = any(${[...ids]}::text[])
    or seen_at < now() - interval '1 hour'`.execute(db)
}
