/** Jobs that are to run no more. */
import type { TxContext } from '#platform/context'
import { changeJobs, type LockedRun } from '../record/change.ts'
import type { JobRow } from '../record/tables.ts'

/** Those that are done stay as they are. */
export function cancelJobs(ctx: TxContext, run: LockedRun, jobs: readonly JobRow[]): Promise<LockedRun> {
  return changeJobs(
    ctx,
    run,
    jobs.map((job) => ({ job, set: { status: 'cancelled' } })),
  )
}
