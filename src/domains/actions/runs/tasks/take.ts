/**
 * Hands jobs to runners. All runners that wait on a node are served together: one statement finds jobs for all of
 * them, longest waiting first.
 */
import { type RawBuilder, sql } from 'kysely'
import { issueJobToken } from '#domains/code/keys'
import type { TxContext } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { must } from '#platform/must'
import { changeJobs, lockRun } from '../record/change.ts'
import type { JobRow } from '../record/tables.ts'

/** A runner that waits for a job of one repository, of an owner's repositories, or of any. */
export interface WaitingRunner {
  readonly id: number
  readonly name: string
  readonly labels: readonly string[]
  readonly owner_id: number | null
  readonly repository_id: number | null
  readonly is_ephemeral: boolean
  /** Declared protocol extensions. */
  readonly capabilities: readonly string[]
}

export interface TakenTask<Runner extends WaitingRunner = WaitingRunner> {
  readonly runner: Runner
  readonly task_id: number
  /** The job token, which is not stored in plain text. */
  readonly token: string
  /**
   * In terms of `performance.now()`. Without a report of its runner, the task may be given to another runner after
   * this time.
   */
  readonly held_until: number
}

/** The runner can be requested to end a job, and reports when it has. */
const CAN_CANCEL = 'cancelling'
/** More would delay the first for the last. */
export const TAKEN_AT_ONCE = 16

interface Class {
  readonly no: number
  readonly labels: readonly string[]
  readonly owner_id: number | null
  readonly repository_id: number | null
  readonly free: number
}

type Candidate = Pick<JobRow, 'id' | 'run_id' | 'repository_id' | 'attempt' | 'permissions' | 'queued_at'> & {
  readonly no: number
}

/** Whether any job waits; the only query of an idle node. */
export async function isAnyWaiting(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('action_job')
    .select('id')
    .where('status', '=', 'waiting')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Each job goes to exactly one runner: the rows of job and run are locked, and rows locked by other nodes are
 * skipped. A runner is listed once for each job it has capacity for. After the commit, the caller adds the job that looks
 * for lost tasks (`orderStopLostTasks`).
 */
export async function takeJobs<Runner extends WaitingRunner>(
  ctx: TxContext,
  waiting: readonly Runner[],
  countMax: number,
): Promise<TakenTask<Runner>[]> {
  const heldUntil = performance.now() + ctx.config['actions.unheard_after_s'] * 1000
  const free = Map.groupBy(await withoutServed(ctx.db, waiting), classOf)
  const classes = [...free.values()].map((runners, no) => ({
    ...scopeOf(must(runners[0], 'a group is not empty')),
    no,
    free: Math.min(runners.length, countMax),
  }))
  const candidates = await findCandidates(ctx.db, classes)
  const queues = [...free.values()].map((runners) => runners.values())
  const taken = new Map<number, { job: Candidate; runner: Runner }>()
  for (const job of candidates) {
    if (taken.has(job.id) || taken.size === countMax) continue
    const next = queues[job.no]?.next()
    if (next?.done === false) taken.set(job.id, { job, runner: next.value })
  }
  return begin(ctx, [...taken.values()], heldUntil)
}

/**
 * An ephemeral runner gets one job, even if it polls twice. Invariant: callers have locked its row, so no other node
 * hands it a job concurrently.
 */
async function withoutServed<Runner extends WaitingRunner>(
  db: Db,
  waiting: readonly Runner[],
): Promise<Runner[]> {
  const single = [...new Map(waiting.filter((it) => it.is_ephemeral).map((it) => [it.id, it])).values()]
  if (single.length === 0) return [...waiting]
  const served = await db
    .selectFrom('action_task')
    .select('runner_id')
    .where(
      'runner_id',
      'in',
      single.map(({ id }) => id),
    )
    .execute()
  const had = new Set(served.map(({ runner_id }) => runner_id))
  return [...waiting.filter((it) => !it.is_ephemeral), ...single.filter(({ id }) => !had.has(id))]
}

function scopeOf({ labels, owner_id, repository_id }: WaitingRunner): Omit<Class, 'no' | 'free'> {
  return { labels: [...new Set(labels.map((it) => it.toLowerCase()))].sort(), owner_id, repository_id }
}

/** Equal for runners that can take the same jobs. */
export function classOf(runner: WaitingRunner): string {
  return JSON.stringify(scopeOf(runner))
}

async function findCandidates(tx: Tx, classes: readonly Class[]): Promise<Candidate[]> {
  const kinds = [
    [classes.filter((it) => it.repository_id !== null), selectOfRepositories],
    [classes.filter((it) => it.owner_id !== null), selectOfOwners],
    [classes.filter((it) => it.repository_id === null && it.owner_id === null), selectOfAll],
  ] as const
  const found: Candidate[] = []
  for (const [some, select] of kinds)
    if (some.length > 0) found.push(...(await select(JSON.stringify(some)).execute(tx)).rows)
  return found.sort((a, b) => Number(a.queued_at) - Number(b.queued_at) || a.id - b.id)
}

const CLASSES = sql`json_to_recordset`
const AS_CLASS = sql`as class (no bigint, labels text[], owner_id bigint, repository_id bigint, free bigint)`
const COLUMNS = sql`action_job.id, action_job.run_id, action_job.repository_id, action_job.attempt,
  action_job.permissions, action_job.queued_at`
/** While actions are disabled or the repository is quarantined, waiting jobs keep waiting. */
const READY = sql`action_job.status = 'waiting' and 'actions' = any (repository.units)
  and not repository.is_quarantined`
const FITS = sql`string_to_array(action_job.labels_key, E'\n') <@ class.labels`
const FIRST = sql`order by action_job.queued_at, action_job.id limit class.free
  for update of action_job, action_run skip locked`
const JOINED = sql`action_job
  join action_run on action_run.id = action_job.run_id
  join repository on repository.id = action_job.repository_id`

export function selectOfRepositories(classes: string): RawBuilder<Candidate> {
  return sql`select class.no, job.* from ${CLASSES}(${classes}::json) ${AS_CLASS}
    cross join lateral (select ${COLUMNS} from ${JOINED}
      where ${READY} and action_job.repository_id = class.repository_id and ${FITS} ${FIRST}) job`
}

export function selectOfOwners(classes: string): RawBuilder<Candidate> {
  return sql`select class.no, job.* from ${CLASSES}(${classes}::json) ${AS_CLASS}
    cross join lateral (select ${COLUMNS} from ${JOINED}
      where ${READY} and repository.owner_id = class.owner_id and ${FITS} ${FIRST}) job`
}

/**
 * Jobs with equal labels form one queue. There are few queues, however many jobs wait: the recursive query skips from
 * one to the next in the index.
 */
export function selectOfAll(classes: string): RawBuilder<Candidate> {
  return sql`with recursive queue (labels_key) as (
      (select labels_key from action_job where status = 'waiting' order by labels_key limit 1)
      union all
      select (select action_job.labels_key from action_job
        where action_job.status = 'waiting' and action_job.labels_key > queue.labels_key
        order by action_job.labels_key limit 1)
      from queue where queue.labels_key is not null)
    select class.no, job.* from ${CLASSES}(${classes}::json) ${AS_CLASS}
    join queue on string_to_array(queue.labels_key, E'\n') <@ class.labels
    cross join lateral (select ${COLUMNS} from ${JOINED}
      where ${READY} and action_job.labels_key = queue.labels_key ${FIRST}) job`
}

async function begin<Runner extends WaitingRunner>(
  ctx: TxContext,
  pairs: readonly { job: Candidate; runner: Runner }[],
  held_until: number,
): Promise<TakenTask<Runner>[]> {
  if (pairs.length === 0) return []
  const now = ctx.now()
  const tasks = await ctx.db
    .insertInto('action_task')
    .values(
      pairs.map(({ job, runner }) => ({
        job_id: job.id,
        repository_id: job.repository_id,
        runner_id: runner.id,
        runner_name: runner.name,
        status: 'running' as const,
        sealed_masks: null,
        can_cancel: runner.capabilities.includes(CAN_CANCEL),
        heard_at: now,
        started_at: now,
        stopped_at: null,
      })),
    )
    .returning(['id', 'job_id'])
    .execute()
  const ids = new Map(tasks.map(({ id, job_id }) => [job_id, id]))
  const taskOf = (job: Candidate) => must(ids.get(job.id), 'a task was made for every job')
  for (const [runId, some] of Map.groupBy(pairs, ({ job }) => job.run_id)) {
    const run = must(await lockRun(ctx.db, runId), 'its row is locked')
    const changes = some.map(({ job }) => ({
      job: { id: job.id, status: 'waiting' as const, attempt: job.attempt },
      set: { status: 'running' as const, task_id: taskOf(job), started_at: now },
    }))
    await changeJobs(ctx, run, changes)
  }
  const taken: TakenTask<Runner>[] = []
  for (const { job, runner } of pairs) {
    const { repository_id, permissions } = job
    const token = await issueJobToken(ctx, { task_id: taskOf(job), repository_id, permissions })
    taken.push({ runner, task_id: taskOf(job), token, held_until })
  }
  return taken
}
