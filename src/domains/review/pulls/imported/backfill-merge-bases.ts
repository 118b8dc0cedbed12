/**
 * Computes merge base and diff size of imported pull requests. A closed one has only the base commit that the source
 * stated; what git cannot compute from it stays unknown.
 */
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { backfillMergeBase, checkPull } from '../checks/check-pull.ts'
import { listAfter } from './store.ts'

const JOB = 'pulls-look-back'
/** Per job; a job that dies starts its batch again. */
const BATCH_SIZE = 20

interface Batch {
  readonly repository_id: number
  /** All pull requests up to this number are done. */
  readonly after: number
}

export async function orderBackfill(ctx: TxContext, batch: Batch): Promise<void> {
  const attemptsMax = ctx.config['jobs.attempts_max']
  await addJobs(ctx, [{ kind: JOB, payload: batch, attemptsMax }])
}

export const backfillJobs: readonly JobKind[] = [
  { name: JOB, isLate: true, run: (ctx, payload) => runBatch(ctx, payload as Batch) },
]

async function runBatch(ctx: Context, { repository_id, after }: Batch): Promise<void> {
  const pulls = await listAfter(ctx.db, repository_id, after, BATCH_SIZE)
  for (const pull of pulls)
    if (pull.is_open) await checkPull(ctx, pull.issue_id)
    else await backfillMergeBase(ctx, pull)
  const last = pulls.at(-1)
  if (last !== undefined && pulls.length === BATCH_SIZE)
    await transact(ctx, (ctx) => orderBackfill(ctx, { repository_id, after: last.number }))
}
