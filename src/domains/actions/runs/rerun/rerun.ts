/** Reruns a run as another attempt, with its own jobs. */
import { type Context, type TxContext, transact } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { listNewestJobs } from '../cancel/cancel-run.ts'
import { advanceRun } from '../engine/advance.ts'
import { getLockedRun, getRun, type WritableRuns } from '../open.ts'
import { type LockedRun, orderAdvance, tellJobs } from '../record/change.ts'
import { isDone } from '../record/status.ts'
import type { JobRow, RunRow } from '../record/tables.ts'
import { copyOf, isCalledAgain, withDependents } from './copy-jobs.ts'

/** Compat: the limit of Gitea. */
const ATTEMPTS_MAX = 50

/** Selects jobs of the last attempt. */
export type Which =
  | { readonly kind: 'all' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'job'; readonly id: number }

export interface Again {
  readonly run: RunRow
  /** The requested job, in the new attempt. */
  readonly jobId: number | null
}

export async function rerun(
  ctx: Context,
  { repo, actor }: WritableRuns,
  id: number,
  which: Which,
): Promise<Again> {
  const jobId = await transact(ctx, async (ctx) => {
    const run = await getLockedRun(ctx, repo, id)
    const jobs = await listNewestJobs(ctx.db, run)
    const first = choose(jobs, which)
    if (!isDone(run.status)) throw new Problem('malformed', 'this workflow run is not done')
    if (run.attempt >= ATTEMPTS_MAX) throw new Problem('malformed', 'too many attempts', { ATTEMPTS_MAX })
    return again(ctx, run, jobs, withDependents(jobs, first), { which, actor })
  })
  // Advance now, so that the answer shows the result; the queued job would do the same.
  await advanceRun(ctx, id)
  return { run: await getRun(ctx, repo, id), jobId }
}

function choose(jobs: readonly JobRow[], which: Which): readonly JobRow[] {
  if (which.kind === 'all') return jobs
  if (which.kind === 'job') {
    const job = jobs.find(({ id }) => id === which.id)
    if (job === undefined) throw notFound('workflow job', which.id)
    return [job]
  }
  const failed = jobs.filter(({ status }) => status === 'failure' || status === 'cancelled')
  if (failed.length === 0) throw new Problem('malformed', 'no job failed')
  return failed
}

interface Order {
  readonly which: Which
  readonly actor: SignedIn
}

async function again(
  ctx: TxContext,
  before: LockedRun,
  jobs: readonly JobRow[],
  ids: ReadonlySet<number>,
  { which, actor }: Order,
): Promise<number | null> {
  await startAttempt(ctx, before, actor)
  const run = { ...before, attempt: before.attempt + 1, trigger_actor_id: actor.id, ...UNSTARTED }
  const copies = new Map<number, JobRow>()
  // A calling job precedes the jobs it calls.
  for (const job of jobs) {
    if (isCalledAgain(job, jobs, ids)) continue
    const parent = job.parent_id === null ? null : (copies.get(job.parent_id)?.id ?? null)
    const moved = { ...job, parent_id: parent }
    copies.set(job.id, await insertCopy(ctx, moved, run.attempt, ids.has(job.id)))
  }
  await tellJobs(
    ctx,
    run,
    [...ids].flatMap((id) => copies.get(id) ?? []),
  )
  await orderAdvance(ctx, run.id)
  return which.kind === 'job' ? (copies.get(which.id)?.id ?? null) : null
}

const UNSTARTED = { started_at: null, stopped_at: null }

/** Inserts the attempt, with the concurrency group of the former one. */
async function startAttempt(ctx: TxContext, run: LockedRun, actor: SignedIn): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .updateTable('action_run')
    .set({ attempt: run.attempt + 1, trigger_actor_id: actor.id, ...UNSTARTED, updated_at: now })
    .where('id', '=', run.id)
    .execute()
  const { concurrency_group, cancels_others, repository_id } = await ctx.db
    .selectFrom('action_attempt')
    .selectAll()
    .where('run_id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .executeTakeFirstOrThrow()
  const facts = { run_id: run.id, attempt: run.attempt + 1, actor_id: actor.id, repository_id }
  const group = { concurrency_group, cancels_others, status: 'blocked' as const }
  await ctx.db
    .insertInto('action_attempt')
    .values({ ...facts, ...group, ...UNSTARTED, created_at: now, updated_at: now })
    .execute()
}

/** A job that is rerun loses its plan and is planned again. */
function insertCopy(ctx: TxContext, job: JobRow, attempt: number, isAgain: boolean): Promise<JobRow> {
  const now = ctx.now()
  const fresh = {
    status: 'blocked' as const,
    payload: null,
    task_id: null,
    outputs: {},
    losses: 0,
    queued_at: null,
    ...UNSTARTED,
    created_at: now,
    updated_at: now,
  }
  return ctx.db
    .insertInto('action_job')
    .values(copyOf(job, attempt, isAgain ? fresh : null))
    .returningAll()
    .executeTakeFirstOrThrow()
}
