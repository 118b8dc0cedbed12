/** Cancels jobs: at once, or through their runners. */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import { changeJobs, type LockedRun } from '../record/change.ts'
import { isDone } from '../record/status.ts'
import type { JobRow } from '../record/tables.ts'
import { endTasks } from '../tasks/end-tasks.ts'

type Job = Pick<JobRow, 'id' | 'status' | 'attempt' | 'task_id'>

/** A runner that has been silent for longer is not awaited. */
const SILENT_AFTER_MS = 60_000

export interface CancelOptions {
  /** Do not involve the runner; its later reports are ignored. */
  readonly isForced?: boolean
}

/** Returns the changed run. Finished jobs are left alone, and jobs that are being cancelled are awaited. */
export async function cancelJobs(
  ctx: TxContext,
  run: LockedRun,
  jobs: readonly Job[],
  { isForced = false }: CancelOptions = {},
): Promise<LockedRun> {
  const open = jobs.filter(({ status }) => !isDone(status))
  const asked = isForced ? new Set<number>() : await findCancellable(ctx, open)
  const ending = open.filter(({ id }) => !asked.has(id))
  await endTasks(
    ctx,
    ending.map(({ id }) => id),
    'cancelled',
  )
  await tellRunners(ctx, [...asked])
  return changeJobs(ctx, run, [
    ...ending.map((job) => ({ job, set: { status: 'cancelled' as const } })),
    ...open
      .filter(({ id, status }) => asked.has(id) && status !== 'cancelling')
      .map((job) => ({ job, set: { status: 'cancelling' as const } })),
  ])
}

/** Jobs whose runner can cancel them and has reported recently. */
async function findCancellable(ctx: TxContext, jobs: readonly Job[]): Promise<Set<number>> {
  const taskIds = jobs.flatMap(({ task_id }) => task_id ?? [])
  if (taskIds.length === 0) return new Set()
  const heardSince = new Date(ctx.now().getTime() - SILENT_AFTER_MS)
  const tasks = await ctx.db
    .selectFrom('action_task')
    .select('job_id')
    .where('id', '=', sql<number>`any(${taskIds}::bigint[])`)
    .where('can_cancel', '=', true)
    .where((eb) =>
      // Once requested, the runner has until `stop_zombie_tasks` declares its task lost.
      eb.or([
        eb('status', '=', 'cancelling'),
        eb.and([eb('status', '=', 'running'), eb('heard_at', '>=', heardSince)]),
      ]),
    )
    .execute()
  return new Set(tasks.map(({ job_id }) => job_id))
}

async function tellRunners(ctx: TxContext, jobIds: readonly number[]): Promise<void> {
  if (jobIds.length === 0) return
  await ctx.db
    .updateTable('action_task')
    .set({ status: 'cancelling' })
    .where('job_id', '=', sql<number>`any(${[...jobIds]}::bigint[])`)
    .where('status', '=', 'running')
    .execute()
}
