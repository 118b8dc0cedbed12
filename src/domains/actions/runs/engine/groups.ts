/**
 * Concurrency groups: one run or job is active, one more may wait, and an earlier one that waits is cancelled. With
 * `cancel-in-progress` the active one is cancelled, and the new one waits until it has ended.
 */
import type { TxContext } from '#platform/context'
import { cancelJobs } from '../cancel/cancel-jobs.ts'
import { changeJobs, type LockedRun, lockRun } from '../record/change.ts'
import type { AttemptRow, JobRow, RunRow } from '../record/tables.ts'
import { isActive, isActiveJob, isReady, listInGroup, listJobs, listJobsInGroup, lockGroup } from './store.ts'

interface Wanted {
  readonly repository_id: number
  readonly group: string
  readonly cancels_others: boolean
  /** The run that requests the group; 0 before it has an id. */
  readonly run_id: number
}

/** Whether the group is free for a run. Cancels older runs in the group. */
export async function takeGroup(ctx: TxContext, wanted: Wanted): Promise<boolean> {
  const { repository_id, group, run_id } = wanted
  await lockGroup(ctx.db, repository_id, group)
  const others = await listInGroup(ctx.db, { repository_id, group, except: run_id })
  const isNewer = ({ run_id: id }: AttemptRow) => run_id !== 0 && id > run_id
  const leaving = others.filter((it) => !isNewer(it) && (wanted.cancels_others || !isActive(it)))
  let isFree = !others.some((it) => isActive(it) && !leaving.includes(it))
  for (const other of leaving) {
    const after = await cancelRun(ctx, other.run_id)
    if (after !== undefined && isActive(other) && !isOver(after)) isFree = false
  }
  return isFree
}

/** The ready jobs of a run whose groups are free. `run` is locked. */
export async function takeJobGroups(
  ctx: TxContext,
  run: LockedRun,
  ready: readonly JobRow[],
): Promise<JobRow[]> {
  const free: JobRow[] = []
  for (const job of ready) if (await takeJobGroup(ctx, run, job, free)) free.push(job)
  return free
}

async function takeJobGroup(
  ctx: TxContext,
  run: LockedRun,
  job: JobRow,
  taken: readonly JobRow[],
): Promise<boolean> {
  const { repository_id, concurrency_group: group, plan } = job
  if (group === null) return true
  await lockGroup(ctx.db, repository_id, group)
  if (taken.some((it) => it.concurrency_group === group)) return false
  const others = (await listJobsInGroup(ctx.db, repository_id, group)).filter(({ id }) => id !== job.id)
  const cancels = plan.cancels_others === true
  const leaving = others.filter((it) => it.run_id < run.id && (cancels ? true : isReady(it)))
  for (const it of leaving) await cancelJob(ctx, it)
  return !others.some((it) => isActiveJob(it) && !leaving.includes(it))
}

async function cancelRun(ctx: TxContext, id: number): Promise<RunRow | undefined> {
  const run = await lockRun(ctx.db, id)
  return run && cancelJobs(ctx, run, await listJobs(ctx.db, run))
}

async function cancelJob(ctx: TxContext, job: JobRow): Promise<void> {
  const run = await lockRun(ctx.db, job.run_id)
  const fresh = run && (await listJobs(ctx.db, run)).filter(({ id }) => id === job.id)
  if (run !== undefined && fresh !== undefined) await cancelJobs(ctx, run, fresh)
}

function isOver({ status }: RunRow): boolean {
  return status === 'cancelled' || status === 'success' || status === 'failure' || status === 'skipped'
}

/** Moves ready jobs to `waiting`, up to `max-parallel` in each matrix. */
export async function releaseJobs(ctx: TxContext, run: LockedRun): Promise<LockedRun> {
  const jobs = await listJobs(ctx.db, run)
  const running = new Set(jobs.flatMap(({ id, status }) => (status === 'running' ? [id] : [])))
  // Jobs of a called workflow wait until the calling job runs.
  const ready = jobs.filter((job) => isReady(job) && (job.parent_id === null || running.has(job.parent_id)))
  if (ready.length === 0) return run
  const free = await takeJobGroups(ctx, run, withinParallel(jobs, ready))
  // Jobs of this run may have been cancelled in the same group.
  const current = (await lockRun(ctx.db, run.id)) ?? run
  return changeJobs(
    ctx,
    current,
    free.map((job) => ({ job, set: { status: 'waiting' } })),
  )
}

function withinParallel(jobs: readonly JobRow[], ready: readonly JobRow[]): JobRow[] {
  const counts = new Map<string, number>()
  const keyOf = ({ parent_id, key }: JobRow) => `${parent_id ?? ''}/${key}`
  for (const job of jobs.filter(isActiveJob)) counts.set(keyOf(job), (counts.get(keyOf(job)) ?? 0) + 1)
  return ready.filter((job) => {
    const most = typeof job.plan.max_parallel === 'number' ? job.plan.max_parallel : Number.POSITIVE_INFINITY
    const active = counts.get(keyOf(job)) ?? 0
    if (active >= most) return false
    counts.set(keyOf(job), active + 1)
    return true
  })
}
