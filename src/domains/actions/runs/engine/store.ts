/** SQL of the engine. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { Status } from '../record/status.ts'
import type { AttemptRow, JobRow, RunRow } from '../record/tables.ts'

/** Unfinished statuses: the attempt or job holds its group or waits for it. */
const OPEN = ['blocked', 'waiting', 'running', 'cancelling'] as const
/** Statuses that occupy a group. */
const ACTIVE = ['waiting', 'running', 'cancelling'] as const
const OTHERS_MAX = 100

export async function findRun(db: Db, id: number): Promise<RunRow | undefined> {
  return db.selectFrom('action_run').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function getAttempt(db: Db, run: Pick<RunRow, 'id' | 'attempt'>): Promise<AttemptRow> {
  return db
    .selectFrom('action_attempt')
    .selectAll()
    .where('run_id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .executeTakeFirstOrThrow()
}

/** Jobs of the newest attempt, in the order of the workflow. */
export async function listJobs(db: Db, run: Pick<RunRow, 'id' | 'attempt'>): Promise<JobRow[]> {
  return db
    .selectFrom('action_job')
    .selectAll()
    .where('run_id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .orderBy('id')
    .execute()
}

/** Other unfinished attempts of a group, oldest first. */
export async function listInGroup(
  db: Db,
  of: { readonly repository_id: number; readonly group: string; readonly except: number },
): Promise<AttemptRow[]> {
  return db
    .selectFrom('action_attempt')
    .selectAll()
    .where('repository_id', '=', of.repository_id)
    .where('concurrency_group', '=', of.group)
    .where('status', 'in', OPEN)
    .where('run_id', '<>', of.except)
    .orderBy('run_id')
    .limit(OTHERS_MAX)
    .execute()
}

/** Jobs that hold a group or wait for it, including those of this run. */
export async function listJobsInGroup(db: Db, repositoryId: number, group: string): Promise<JobRow[]> {
  return db
    .selectFrom('action_job')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('concurrency_group', '=', group)
    .where('status', 'in', OPEN)
    .orderBy('id')
    .limit(OTHERS_MAX)
    .execute()
}

/** Number of unfinished jobs of a repository, counted up to `most`. */
export async function countOpenJobs(db: Db, repositoryId: number, most: number): Promise<number> {
  const { count } = await db
    .selectFrom(selectOpenJobs(db, repositoryId).limit(most).as('open'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The statuses are spelled out so that the planner can use the partial index `action_job_repository_open`. */
export function selectOpenJobs(db: Db, repositoryId: number) {
  return db
    .selectFrom('action_job')
    .select('action_job.repository_id')
    .where('repository_id', '=', repositoryId)
    .where('status', 'in', sql<Status>`('blocked', 'waiting', 'running', 'cancelling')`)
}

/** Runs that have not changed for a while, have unfinished jobs, and no running one. */
export async function listLeftBehind(db: Db, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('action_run')
    .select('id')
    .where('status', '=', 'blocked')
    .where('updated_at', '<', before)
    .where((eb) => eb.or([eb('needs_approval', '=', false), eb('approver_id', 'is not', null)]))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export function isActive({ status, started_at }: Pick<AttemptRow, 'status' | 'started_at'>): boolean {
  return status !== 'blocked' || started_at !== null
}

export function isActiveJob({ status }: Pick<JobRow, 'status'>): boolean {
  return (ACTIVE as readonly string[]).includes(status)
}

/** Planned, and waits for its turn. For a job with `needs` the plan of a former attempt is outdated. */
export function isReady({ status, payload, needs, plan, attempt }: JobRow): boolean {
  return status === 'blocked' && payload !== null && (needs.length === 0 || plan.ready_in === attempt)
}

/** Serializes decisions about one group. */
export async function lockGroup(tx: Tx, repositoryId: number, group: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${group}, ${repositoryId}))`.execute(tx)
}
