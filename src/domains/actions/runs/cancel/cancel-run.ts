/** Cancels the newest attempt of a run; older attempts are finished. */
import { type Context, transact } from '#platform/context'
import type { Tx } from '#platform/db'
import { Problem } from '#platform/problem'
import { getLockedRun, type WritableRuns } from '../open.ts'
import type { LockedRun } from '../record/change.ts'
import { isDone } from '../record/status.ts'
import type { JobRow, RunRow } from '../record/tables.ts'
import { type CancelOptions, cancelJobs } from './cancel-jobs.ts'

export async function cancelRun(
  ctx: Context,
  { repo }: WritableRuns,
  id: number,
  options: CancelOptions = {},
): Promise<RunRow> {
  return transact(ctx, async (ctx) => {
    const run = await getLockedRun(ctx, repo, id)
    if (isDone(run.status)) throw new Problem('conflict', 'run is already completed')
    return cancelJobs(ctx, run, await listNewestJobs(ctx.db, run), options)
  })
}

/** Jobs of the newest attempt. */
export function listNewestJobs(tx: Tx, { id, attempt }: LockedRun): Promise<JobRow[]> {
  return tx
    .selectFrom('action_job')
    .selectAll()
    .where('run_id', '=', id)
    .where('attempt', '=', attempt)
    .orderBy('id')
    .execute()
}
