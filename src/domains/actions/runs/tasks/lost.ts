/**
 * Ends jobs that nothing else ends: their runner stopped reporting, they exceed their timeout, or no runner takes
 * them.
 */
import { sql } from 'kysely'
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { changeJobs, lockRun } from '../record/change.ts'
import type { Result } from '../record/status.ts'
import type { JobEdit, JobRow, TaskRow } from '../record/tables.ts'
import { endTasks } from './end-tasks.ts'

/** Kind of the job that takes back tasks whose runners never reported. */
const LOST_JOB = 'stop_lost_tasks'
const ENDED_AT_ONCE = 200
/** The runner enforces the timeout as well, and gets this long to report the end. */
const GRACE_MS = 60_000

type Unfinished = Pick<TaskRow, 'id' | 'job_id'> & Pick<JobRow, 'run_id'>

export async function stopZombieTasks(ctx: Context): Promise<void> {
  const { 'actions.zombie_after_s': silentS, 'actions.unheard_after_s': unheardS } = ctx.config
  const before = { silent: ago(ctx, silentS * 1000), unheard: ago(ctx, unheardS * 1000) }
  const isLost = sql<boolean>`(action_task.heard_at <= ${before.silent}
    or (action_task.heard_at = action_task.started_at and action_task.heard_at <= ${before.unheard}))`
  for (let found = ENDED_AT_ONCE; found === ENDED_AT_ONCE; ) {
    const tasks = await selectUnfinished(ctx).where(isLost).orderBy('action_task.heard_at').execute()
    for (const task of tasks) await loseTask(ctx, task, isLost)
    found = tasks.length
  }
}

export async function stopEndlessTasks(ctx: Context): Promise<void> {
  const isOver = sql<boolean>`action_task.started_at + action_job.timeout_minutes * interval '1 minute'
    <= ${ago(ctx, GRACE_MS)}`
  for (let found = ENDED_AT_ONCE; found === ENDED_AT_ONCE; ) {
    const tasks = await selectUnfinished(ctx).where(isOver).orderBy('action_task.started_at').execute()
    for (const task of tasks)
      await endJob(ctx, task.run_id, task.job_id, ['running', 'cancelling'], 'failure')
    found = tasks.length
  }
}

export async function cancelAbandonedJobs(ctx: Context): Promise<void> {
  const before = ago(ctx, ctx.config['actions.abandoned_after_h'] * 3_600_000)
  for (let found = ENDED_AT_ONCE; found === ENDED_AT_ONCE; ) {
    const jobs = await ctx.db
      .selectFrom('action_job')
      .select(['id', 'run_id'])
      .where('status', '=', 'waiting')
      .where('queued_at', '<=', before)
      .limit(ENDED_AT_ONCE)
      .execute()
    for (const { id, run_id } of jobs) await endJob(ctx, run_id, id, ['waiting'], 'cancelled')
    found = jobs.length
  }
}

/** Takes back a task that was not delivered to its runner; it does not count as a loss. */
export async function handBack(ctx: Context, taskId: number): Promise<void> {
  const [task] = await selectUnfinished(ctx).where('action_task.id', '=', taskId).execute()
  if (task !== undefined) await loseTask(ctx, task, sql<boolean>`true`, 0)
}

/** Runs soon after jobs were taken, and again while a task has no report. */
export const lostJobs: readonly JobKind[] = [
  {
    name: LOST_JOB,
    run: async (ctx) => {
      await stopZombieTasks(ctx)
      const [unheard] = await selectUnfinished(ctx)
        .where('action_task.heard_at', '=', sql<Date>`action_task.started_at`)
        .orderBy('action_task.heard_at')
        .execute()
      if (unheard === undefined) return
      await orderStopLostTasks(ctx)
    },
  },
]

/**
 * Call after jobs were handed out, not in that transaction: the row of this job is one for the whole forge, so all nodes
 * would wait for each other, and no worker would find it unlocked. If the node is killed before, the next jobs that are
 * handed out add this one, or cron finds the lost task.
 */
export async function orderStopLostTasks(ctx: Context): Promise<void> {
  const waitMs = ctx.config['actions.unheard_after_s'] * 1000
  const attemptsMax = ctx.config['jobs.attempts_max']
  const job = { kind: LOST_JOB, payload: {}, key: LOST_JOB, waitMs, unlessQueued: true, attemptsMax }
  await transact(ctx, (ctx) => addJobs(ctx, [job]))
}

function ago(ctx: Context, ms: number): Date {
  return new Date(ctx.now().getTime() - ms)
}

export function selectUnfinished(ctx: Context) {
  return (
    ctx.db
      .selectFrom('action_task')
      .innerJoin('action_job', 'action_job.id', 'action_task.job_id')
      .select(['action_task.id', 'action_task.job_id', 'action_job.run_id'])
      // Literals, as in the partial index: a generic plan with parameters cannot use it.
      .where(sql<boolean>`action_task.status in ('running', 'cancelling')`)
      .limit(ENDED_AT_ONCE)
  )
}

/** The job waits again, in its former place, unless it was lost too often. */
async function loseTask(
  ctx: Context,
  task: Unfinished,
  isLost: ReturnType<typeof sql<boolean>>,
  counts = 1,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const run = await lockRun(ctx.db, task.run_id)
    // Checked again under the lock: the task may have been reported on or ended.
    const [still] = await selectUnfinished(ctx)
      .where('action_task.id', '=', task.id)
      .where(isLost)
      .forUpdate('action_task')
      .execute()
    if (run === undefined || still === undefined) return
    const job = await getJob(ctx, task.job_id)
    const losses = job.losses + counts
    const set = afterLoss(ctx, job, losses)
    await endTasks(ctx, [job.id], set.status === 'waiting' ? 'failure' : (set.status as Result), true)
    await changeJobs(ctx, run, [{ job, set }])
  })
}

function afterLoss(ctx: Context, job: JobRow, losses: number): JobEdit & { status: JobRow['status'] } {
  if (job.status === 'cancelling') return { status: 'cancelled', losses }
  if (losses > ctx.config['actions.losses_max']) return { status: 'failure', losses }
  const { queued_at } = job
  return { status: 'waiting', losses, queued_at, task_id: null, started_at: null, outputs: '{}' }
}

async function endJob(
  ctx: Context,
  runId: number,
  jobId: number,
  from: readonly JobRow['status'][],
  status: Result,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const run = await lockRun(ctx.db, runId)
    const job = run && (await getJob(ctx, jobId))
    if (run === undefined || job === undefined || !from.includes(job.status)) return
    await endTasks(ctx, [job.id], status)
    await changeJobs(ctx, run, [{ job, set: { status } }])
  })
}

function getJob(ctx: TxContext, id: number): Promise<JobRow> {
  return ctx.db.selectFrom('action_job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
