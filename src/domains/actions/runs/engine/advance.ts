/**
 * Advances a run. Planning happens outside of a transaction, because the planning thread may be slow; the plan is
 * written only if the jobs have not changed since. Of two concurrent plans one is applied.
 */

import { findVariables } from '#domains/actions/secrets'
import {
  type JobPlan,
  type JobState,
  type NextPlan,
  type PlannedChange,
  planNext,
} from '#domains/actions/workflows'
import { findAsOwner } from '#domains/code/repositories'
import { type Context, type TxContext, transact } from '#platform/context'
import type { CronTask } from '#platform/cron'
import type { JobKind } from '#platform/queue'
import { cancelJobs } from '../cancel/cancel-jobs.ts'
import {
  ADVANCE_JOB,
  changeJobs,
  type JobChange,
  type LockedRun,
  lockRun,
  orderAdvance,
  tellJobs,
} from '../record/change.ts'
import { isDone } from '../record/status.ts'
import type { JobRow, RunRow } from '../record/tables.ts'
import { addJobsOf } from './create-run.ts'
import { githubContext } from './github-context.ts'
import { releaseJobs, takeGroup } from './groups.ts'
import { newJobOf, rowOf } from './start-run.ts'
import {
  findRun,
  getAttempt,
  isActive,
  isReady,
  listInGroup,
  listJobs,
  listJobsInGroup,
  listLeftBehind,
} from './store.ts'

/** After so many conflicts, leave it to a queued job. */
const TRIES_MAX = 10
const LEFT_BEHIND_MS = 120_000
const LEFT_BEHIND_MAX = 500

export const advanceJobs: readonly JobKind[] = [
  { name: ADVANCE_JOB, run: (ctx, payload) => advanceRun(ctx, (payload as { run_id: number }).run_id) },
]

/** Advances runs that became ready without an event. */
export const advanceTasks: readonly CronTask[] = [
  {
    name: 'advance_action_runs',
    schedule: '@every 1m',
    run: async (ctx) => {
      const before = new Date(ctx.now().getTime() - LEFT_BEHIND_MS)
      const ids = await listLeftBehind(ctx.db, before, LEFT_BEHIND_MAX)
      await transact(ctx, async (ctx) => {
        for (const id of ids) await orderAdvance(ctx, id)
      })
    },
  },
]

/** Also called by approvals and reruns, to answer with the result. */
export async function advanceRun(ctx: Context, id: number): Promise<void> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const run = await findRun(ctx.db, id)
    if (run === undefined) return
    const jobs = await listJobs(ctx.db, run)
    const plan = isHeldBack(run) ? NOTHING : await planFor(ctx, run, jobs)
    if (await transact(ctx, (ctx) => carryOut(ctx, id, jobs, plan))) return
  }
  await transact(ctx, (ctx) => orderAdvance(ctx, id))
}

const NOTHING: NextPlan = { changes: [], added: [] }

/** Waits for approval. */
function isHeldBack({ needs_approval, approver_id }: RunRow): boolean {
  return needs_approval && approver_id === null
}

async function planFor(ctx: Context, run: RunRow, jobs: readonly JobRow[]): Promise<NextPlan> {
  const isOpen = jobs.some((job) =>
    job.status === 'blocked' ? !isReady(job) : job.status === 'running' && job.plan.calls !== undefined,
  )
  const repo = isOpen ? await findAsOwner(ctx, run.repository_id) : undefined
  if (repo === undefined) return NOTHING
  const contexts = {
    github: githubContext(ctx, repo, run, undefined, await findLogin(ctx, run)),
    vars: await findVariables(ctx.db, repo),
    inputs: run.inputs,
  }
  const asker = { storageId: repo.storage_id, signal: ctx.signal }
  const answer = await planNext(asker, {
    text: run.workflow,
    contexts,
    onlyReads: run.is_from_fork,
    jobs: jobs.map(stateOf),
  })
  if ('said' in answer) return answer.said
  ctx.log.warn({ 'run.id': run.id, 'run.problem': answer.problem }, 'run cannot be planned')
  return { changes: failuresOf(jobs, answer.problem), added: [] }
}

/** If planning fails, all unplanned jobs fail instead of waiting forever. */
function failuresOf(jobs: readonly JobRow[], problem: string): PlannedChange[] {
  return jobs
    .filter((job) => job.status === 'blocked' && !isReady(job))
    .map(({ id, plan }) => ({ id, ends: 'failure' as const, plan: { ...(plan as JobPlan), problem } }))
}

function stateOf(job: JobRow): JobState {
  const { id, parent_id, key, name, needs, status, continues_on_error, outputs } = job
  const is_ready = isReady(job)
  return {
    id,
    parent_id,
    key,
    name,
    needs,
    status,
    continues_on_error,
    outputs,
    is_ready,
    plan: job.plan as JobPlan,
  }
}

async function findLogin(ctx: Context, { trigger_actor_id, actor_id }: RunRow): Promise<string> {
  const account = await ctx.db
    .selectFrom('account')
    .select('login')
    .where('id', '=', trigger_actor_id ?? actor_id ?? 0)
    .executeTakeFirst()
  return account?.login ?? ''
}

/** False if the jobs have changed since planning. */
async function carryOut(
  ctx: TxContext,
  id: number,
  planned: readonly JobRow[],
  plan: NextPlan,
): Promise<boolean> {
  const free = await isTurn(ctx, id)
  const run = await lockRun(ctx.db, id)
  if (run === undefined) return true
  const jobs = await listJobs(ctx.db, run)
  if (signatureOf(jobs) !== signatureOf(planned)) return false
  if (isDone(run.status)) await wakeOthers(ctx, run, jobs)
  if (isDone(run.status) || isHeldBack(run) || !free) return true
  const changed = await apply(ctx, run, jobs, plan)
  const stopped = await failFast(ctx, changed)
  const released = await releaseJobs(ctx, stopped)
  await wakeOthers(ctx, released, await listJobs(ctx.db, released))
  return true
}

/** Whether the run holds its concurrency group, or has none. Lock order: groups before runs. */
async function isTurn(ctx: TxContext, id: number): Promise<boolean> {
  const run = await findRun(ctx.db, id)
  if (run === undefined || isDone(run.status) || isHeldBack(run)) return true
  const { concurrency_group: group, cancels_others, ...attempt } = await getAttempt(ctx.db, run)
  if (group === null || isActive(attempt)) return true
  return takeGroup(ctx, { repository_id: run.repository_id, group, cancels_others, run_id: id })
}

function signatureOf(jobs: readonly JobRow[]): string {
  return jobs.map(({ id, status, updated_at }) => `${id}:${status}:${updated_at.getTime()}`).join()
}

async function apply(
  ctx: TxContext,
  run: LockedRun,
  jobs: readonly JobRow[],
  { changes, added }: NextPlan,
): Promise<LockedRun> {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const all = changes.flatMap((change): JobChange[] => {
    const job = byId.get(change.id)
    return job === undefined ? [] : [{ job, set: setOf(change, run, ctx.now()) }]
  })
  const rows = await addJobsOf(
    ctx,
    run,
    added.map((job) => newJobOf(job, job.status, run)),
  )
  const changed = await changeJobs(ctx, run, all)
  return rows.length === 0 ? changed : tellJobs(ctx, changed, rows)
}

function setOf(change: PlannedChange, run: LockedRun, now: Date): JobChange['set'] {
  if ('becomes' in change) return { ...rowOf(change.becomes, run), status: 'blocked' }
  if ('begins' in change) return { plan: JSON.stringify(change.begins), status: 'running', started_at: now }
  const { ends, outputs, plan } = change
  return {
    status: ends,
    ...(outputs === undefined ? {} : { outputs: JSON.stringify(outputs) }),
    ...(plan === undefined ? {} : { plan: JSON.stringify(plan) }),
  }
}

/** A failure in a matrix cancels its remaining jobs, unless `fail-fast` is false. */
async function failFast(ctx: TxContext, run: LockedRun): Promise<LockedRun> {
  const jobs = await listJobs(ctx.db, run)
  const doomed = [...Map.groupBy(jobs, ({ parent_id, key }) => `${parent_id ?? ''}/${key}`).values()]
    .filter((alike) => alike.length > 1 && alike.some(endsOthers))
    .flatMap((alike) => alike.filter(({ status }) => !isDone(status)))
  return doomed.length === 0 ? run : cancelJobs(ctx, run, doomed)
}

function endsOthers({ status, continues_on_error, plan }: JobRow): boolean {
  return status === 'failure' && !continues_on_error && plan.fails_fast === true
}

/** Queues the next run that waits for a concurrency group that is now free. */
async function wakeOthers(ctx: TxContext, run: LockedRun, jobs: readonly JobRow[]): Promise<void> {
  const { repository_id } = run
  const { concurrency_group: group } = await getAttempt(ctx.db, run)
  if (group !== null && isDone(run.status)) {
    const others = await listInGroup(ctx.db, { repository_id, group, except: run.id })
    const next = others.some(isActive) ? undefined : others.at(-1)
    if (next !== undefined) await orderAdvance(ctx, next.run_id)
  }
  const left = new Set(
    jobs.flatMap((it) => (isDone(it.status) && it.concurrency_group !== null ? [it.concurrency_group] : [])),
  )
  for (const name of left) {
    const open = (await listJobsInGroup(ctx.db, repository_id, name)).filter(
      ({ payload }) => payload !== null,
    )
    const next = open.some(({ status }) => status !== 'blocked')
      ? undefined
      : open.find(({ run_id }) => run_id !== run.id)
    if (next !== undefined) await orderAdvance(ctx, next.run_id)
  }
}
