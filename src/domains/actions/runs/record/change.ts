/** The only place that changes jobs, and with them the status of their run: for runners, users and the planner. */
import { emit } from '#events'
import { afterCommit, type TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import { addJobs } from '#platform/queue'
import { combine, isDone, type Status } from './status.ts'
import type { JobEdit, JobRow, RunRow } from './tables.ts'

declare const locked: unique symbol
/**
 * A run whose row is locked. Invariant: callers lock the run before they change its jobs, so its status is never
 * computed from jobs that are changing.
 */
export interface LockedRun extends RunRow {
  readonly [locked]: true
}

/** Kind of the job that plans the next jobs of a run; see `engine/advance.ts`. */
export const ADVANCE_JOB = 'advance_run'

/** Published when jobs begin to wait; nodes with waiting runners then query for jobs. */
export const WAITING_HINT = 'actions.waiting'

export async function lockRun(tx: Tx, id: number): Promise<LockedRun | undefined> {
  const row = await tx
    .selectFrom('action_run')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row as LockedRun | undefined
}

export interface JobChange {
  readonly job: Pick<JobRow, 'id' | 'status' | 'attempt'>
  readonly set: JobEdit & { readonly status: Status }
}

/** Returns the changed run. Finished jobs are not changed. */
export async function changeJobs(
  ctx: TxContext,
  run: LockedRun,
  changes: readonly JobChange[],
): Promise<LockedRun> {
  const now = ctx.now()
  const changed: (RunJob & { status: Status })[] = []
  for (const { job, set } of changes) {
    if (isDone(job.status)) continue
    const times = isDone(set.status)
      ? { stopped_at: now }
      : set.status === 'waiting'
        ? { queued_at: now }
        : {}
    await ctx.db
      .updateTable('action_job')
      .set({ ...times, ...set, updated_at: now })
      .where('id', '=', job.id)
      .execute()
    if (job.status !== set.status) changed.push({ ...job, status: set.status })
  }
  return tellJobs(ctx, run, changed)
}

type RunJob = Pick<JobRow, 'id' | 'attempt'>

/** Call after jobs were added or changed: updates the run and its newest attempt, and emits events. */
export async function tellJobs(
  ctx: TxContext,
  run: LockedRun,
  jobs: readonly (RunJob & { readonly status: Status })[],
): Promise<LockedRun> {
  const facts = await factsOf(ctx, run)
  for (const { id, attempt, status } of jobs)
    await emit(ctx, 'workflow_job.changed', { ...facts, attempt, job_id: id, status })
  const next = await follow(ctx, run)
  if (next.status !== run.status) await tellRun(ctx, next, facts)
  if (jobs.some(({ status }) => status === 'waiting')) afterCommit(ctx, () => ctx.bus.publish(WAITING_HINT))
  if (jobs.some(({ status }) => isDone(status))) await orderAdvance(ctx, run.id)
  return next
}

/** Emits the event for a run that was created or changed its status. */
export async function tellRun(ctx: TxContext, run: LockedRun, known?: RunFacts): Promise<void> {
  const { attempt, status } = run
  const facts = known ?? (await factsOf(ctx, run))
  await emit(ctx, 'workflow_run.changed', { ...facts, attempt, status })
}

/** At most one queued job for each run. */
export async function orderAdvance(ctx: TxContext, runId: number): Promise<void> {
  const attemptsMax = ctx.config['jobs.attempts_max']
  await addJobs(ctx, [
    { kind: ADVANCE_JOB, payload: { run_id: runId }, key: `${ADVANCE_JOB}:${runId}`, attemptsMax },
  ])
}

/** Computes the status and times of the run and its newest attempt from its jobs. */
async function follow(ctx: TxContext, run: LockedRun): Promise<LockedRun> {
  const jobs = await ctx.db
    .selectFrom('action_job')
    .select(['status', 'continues_on_error', 'started_at'])
    .where('run_id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .execute()
  const now = ctx.now()
  const status = combine(jobs)
  const began = jobs.some(({ started_at }) => started_at !== null)
  const times = {
    started_at: run.started_at ?? (began ? now : null),
    stopped_at: isDone(status) ? (run.stopped_at ?? now) : null,
  }
  const set = { status, ...times, updated_at: now }
  await ctx.db.updateTable('action_run').set(set).where('id', '=', run.id).execute()
  await ctx.db
    .updateTable('action_attempt')
    .set(set)
    .where('run_id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .execute()
  return { ...run, ...set }
}

interface RunFacts {
  readonly repository_id: number
  readonly actor_id: number
  readonly run_id: number
}

async function factsOf(ctx: TxContext, run: RunRow): Promise<RunFacts> {
  return { repository_id: run.repository_id, actor_id: await actorOf(ctx, run), run_id: run.id }
}

/** If the account was deleted, the owner of the repository. */
async function actorOf(ctx: TxContext, run: RunRow): Promise<number> {
  if (run.trigger_actor_id !== null) return run.trigger_actor_id
  const { owner_id } = await ctx.db
    .selectFrom('repository')
    .select('owner_id')
    .where('id', '=', run.repository_id)
    .executeTakeFirstOrThrow()
  return owner_id
}
