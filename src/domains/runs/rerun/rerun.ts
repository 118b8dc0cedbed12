/** A run is run again: another attempt, with jobs of its own. */
import { type Context, type TxContext, transact } from '#platform/context'
import { must } from '#platform/must'
import { notFound, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { listNewestJobs } from '../cancel/cancel-run.ts'
import { getLockedRun, type WritableRuns } from '../open.ts'
import { type LockedRun, orderAdvance, tellJobs } from '../record/change.ts'
import { isDone, type Status } from '../record/status.ts'
import type { AttemptRow, JobRow, RunRow } from '../record/tables.ts'
import { copyOf, isReady, withDependents } from './copy-jobs.ts'

/** Compat: nobody needs more. */
const ATTEMPTS_MAX = 50

/** Which of the jobs of the last attempt. */
export type Which =
  | { readonly kind: 'all' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'job'; readonly id: number }

export interface Again {
  readonly run: RunRow
  /** The one that was asked for, as it is in the new attempt. */
  readonly jobId: number | null
}

export async function rerun(
  ctx: Context,
  { repo, actor }: WritableRuns,
  id: number,
  which: Which,
): Promise<Again> {
  return transact(ctx, async (ctx) => {
    const run = await getLockedRun(ctx, repo, id)
    const jobs = await listNewestJobs(ctx.db, run)
    const first = choose(jobs, which)
    if (!isDone(run.status)) throw new Problem('malformed', 'this workflow run is not done')
    if (run.attempt >= ATTEMPTS_MAX) throw new Problem('malformed', 'too many attempts', { ATTEMPTS_MAX })
    return again(ctx, run, jobs, withDependents(jobs, first), { which, actor })
  })
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
): Promise<Again> {
  const { concurrency_group } = await startAttempt(ctx, before, actor)
  const run = { ...before, attempt: before.attempt + 1, trigger_actor_id: actor.id, ...UNSTARTED }
  const isApproved = !run.needs_approval || run.approver_id !== null
  const copies = new Map<number, JobRow>()
  // Who calls comes before what it calls.
  for (const job of jobs) {
    const isAgain = ids.has(job.id)
    const isWaiting = isAgain && isApproved && isReady(job, concurrency_group)
    const status = isAgain ? (isWaiting ? 'waiting' : 'blocked') : job.status
    const parent = job.parent_id === null ? null : (copies.get(job.parent_id)?.id ?? null)
    copies.set(job.id, await insertCopy(ctx, { ...job, parent_id: parent }, run.attempt, isAgain, status))
  }
  const told = await tellJobs(
    ctx,
    run,
    [...ids].map((id) => must(copies.get(id), 'every job was copied')),
  )
  await orderAdvance(ctx, run.id)
  return { run: told, jobId: which.kind === 'job' ? (copies.get(which.id)?.id ?? null) : null }
}

const UNSTARTED = { started_at: null, stopped_at: null }

/** The row of the attempt, in the group that the former one was in. */
async function startAttempt(ctx: TxContext, run: LockedRun, actor: SignedIn): Promise<AttemptRow> {
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
  return ctx.db
    .insertInto('action_attempt')
    .values({ ...facts, ...group, ...UNSTARTED, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** What runs again is as it was before it ran; what needs others is planned again once they are done. */
function insertCopy(
  ctx: TxContext,
  job: JobRow,
  attempt: number,
  isAgain: boolean,
  status: Status,
): Promise<JobRow> {
  const now = ctx.now()
  const fresh = {
    status,
    task_id: null,
    outputs: {},
    losses: 0,
    queued_at: status === 'waiting' ? now : null,
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
