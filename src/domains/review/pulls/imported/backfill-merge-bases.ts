/**
 * Where pull requests that were brought in parted from their bases, and what they changed. Of one that is over there is no
 * branch left to hold it against, only what its source said of it: git is asked, and what it does not know stays unknown.
 */
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { checkPull, backfillMergeBase } from '../checks/check-pull.ts'
import { listAfter } from './store.ts'

const JOB = 'pulls-look-back'
/** Of one batch; whoever dies in it begins it again. */
const BATCH_SIZE = 20

interface Batch {
  readonly repository_id: number
  /** The number up to which all were looked at. */
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
