/** A run starts with its first plan: what is ready waits for a runner at once, if the run may start at all. */
import type { FirstPlan, PlannedJob } from '#domains/workflows'
import type { TxContext } from '#platform/context'
import { type LockedRun, orderAdvance } from '../record/change.ts'
import { createRun, type NewJob, type NewRun } from './create-run.ts'
import { releaseJobs, takeGroup } from './groups.ts'

export async function startRun(ctx: TxContext, facts: NewRun, plan: FirstPlan): Promise<LockedRun> {
  const { repository_id } = facts
  const isFree =
    plan.concurrency === null || (await takeGroup(ctx, { ...plan.concurrency, repository_id, run_id: 0 }))
  const isHeld = facts.needs_approval === true || !isFree
  // What has a group of its own, or a bound on how many run at once, is decided when all rows are there.
  const startsAtOnce = ({ payload, concurrency_group, plan: { max_parallel } }: PlannedJob) =>
    !isHeld && payload !== null && concurrency_group === null && max_parallel === undefined
  const jobs = plan.jobs.map((job) => newJobOf(job, startsAtOnce(job) ? 'waiting' : job.status, 1))
  const concurrency = {
    concurrency_group: plan.concurrency?.group ?? null,
    cancels_others: plan.concurrency?.cancels_others ?? false,
  }
  const run = await createRun(ctx, facts, concurrency, jobs)
  if (isHeld) return run
  if (plan.jobs.some(({ needs, plan: { calls } }) => calls !== undefined && needs.length === 0))
    await orderAdvance(ctx, run.id)
  return releaseJobs(ctx, run)
}

export function newJobOf(
  job: PlannedJob,
  status: 'blocked' | 'waiting' | 'failure',
  attempt: number,
): NewJob {
  const { needs, runs_on, permissions, plan, ...facts } = job
  return {
    ...facts,
    ...rowOf(job, attempt),
    needs: [...needs],
    status,
    stopped_at: null,
  }
}

/** What the plan of a job says about its row, whether it is new or not. */
export function rowOf(job: PlannedJob, attempt: number) {
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
    plan: JSON.stringify(payload === null ? plan : { ...plan, ready_in: attempt }),
    continues_on_error,
    timeout_minutes,
    concurrency_group,
  }
}

function labelsKey(labels: readonly string[]): string {
  return labels
    .map((it) => it.toLowerCase())
    .sort()
    .join('\n')
}
