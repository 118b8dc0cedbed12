/** Starts a run with its first plan: ready jobs wait for a runner at once, unless the run is held back. */
import type { FirstPlan, PlannedJob } from '#domains/actions/workflows'
import type { TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import { type LockedRun, orderAdvance } from '../record/change.ts'
import { type Concurrency, createRun, type NewJob, type NewRun } from './create-run.ts'
import { releaseJobs, takeGroup } from './groups.ts'
import { countOpenJobs, lockGroup } from './store.ts'

/** The repository has too many unfinished jobs for another run; retry when some have ended. */
export const NO_ROOM = new Problem('unavailable', 'repository has too many unfinished jobs')

export async function startRun(ctx: TxContext, facts: NewRun, plan: FirstPlan): Promise<LockedRun> {
  await assertRoom(ctx, facts.repository_id, plan.jobs.length)
  const concurrency = {
    concurrency_group: groupIn(facts, plan.concurrency?.group ?? null),
    cancels_others: plan.concurrency?.cancels_others ?? false,
  }
  // A run that waits for approval takes no concurrency group, so it cancels no other run.
  const isHeld = facts.needs_approval === true || !(await isFree(ctx, facts, concurrency))
  // Jobs with a concurrency group or `max-parallel` are released after all rows exist.
  const startsAtOnce = ({ payload, concurrency_group, plan: { max_parallel } }: PlannedJob) =>
    !isHeld && payload !== null && concurrency_group === null && max_parallel === undefined
  const jobs = plan.jobs.map((job) =>
    newJobOf(job, startsAtOnce(job) ? 'waiting' : job.status, { ...facts, attempt: 1 }),
  )
  const run = await createRun(ctx, facts, concurrency, jobs)
  if (isHeld) return run
  if (plan.jobs.some(({ needs, plan: { calls } }) => calls !== undefined && needs.length === 0))
    await orderAdvance(ctx, run.id)
  return releaseJobs(ctx, run)
}

/** Limits the unfinished jobs of a repository. A run with more jobs than the limit starts only if no other job is unfinished. */
async function assertRoom(ctx: TxContext, repositoryId: number, jobs: number): Promise<void> {
  const most = ctx.config['actions.open_jobs_max']
  // Serializes starts, so that the second counts the jobs of the first.
  await lockGroup(ctx.db, repositoryId, '')
  const open = await countOpenJobs(ctx.db, repositoryId, most)
  if (open > 0 && open + jobs > most) throw NO_ROOM
}

async function isFree(ctx: TxContext, { repository_id }: NewRun, concurrency: Concurrency): Promise<boolean> {
  const { concurrency_group: group, cancels_others } = concurrency
  return group === null || takeGroup(ctx, { repository_id, group, cancels_others, run_id: 0 })
}

/** The columns of a run that its jobs depend on. */
interface JobsRun {
  readonly group_scope?: string | undefined
  readonly attempt: number
}

/** The stored name of a group: a run with a scope shares no group with runs outside of the scope. */
function groupIn({ group_scope = '' }: Pick<JobsRun, 'group_scope'>, group: string | null): string | null {
  return group === null || group_scope === '' ? group : `${group_scope}:${group}`
}

export function newJobOf(job: PlannedJob, status: 'blocked' | 'waiting' | 'failure', run: JobsRun): NewJob {
  const { needs, runs_on, permissions, plan, ...facts } = job
  return {
    ...facts,
    ...rowOf(job, run),
    needs: [...needs],
    status,
    stopped_at: null,
  }
}

/** The columns that the plan of a job sets, for inserts and updates. */
export function rowOf(job: PlannedJob, run: JobsRun) {
  const {
    name,
    runs_on,
    payload,
    permissions,
    plan,
    continues_on_error,
    timeout_minutes,
    concurrency_group,
  } = job
  return {
    name,
    runs_on: [...runs_on],
    labels_key: labelsKey(runs_on),
    payload,
    permissions: JSON.stringify(permissions),
    plan: JSON.stringify(payload === null ? plan : { ...plan, ready_in: run.attempt }),
    continues_on_error,
    timeout_minutes,
    concurrency_group: groupIn(run, concurrency_group),
  }
}

function labelsKey(labels: readonly string[]): string {
  return labels
    .map((it) => it.toLowerCase())
    .sort()
    .join('\n')
}
