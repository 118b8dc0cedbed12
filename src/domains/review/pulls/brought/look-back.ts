/**
 * Where pull requests that were brought in parted from their bases, and what they changed. Of one that is over there is no
 * branch left to hold it against, only what its source said of it: git is asked, and what it does not know stays unknown.
 */
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { checkPull, lookBack } from '../checks/check-pull.ts'
import { listAfter } from './store.ts'

const JOB = 'pulls-look-back'
/** Of one turn; whoever dies in it begins it again. */
const AT_ONCE = 20

interface Turn {
  readonly repository_id: number
  /** The number up to which all were looked at. */
  readonly after: number
}

export async function orderLookBack(ctx: TxContext, turn: Turn): Promise<void> {
  const attemptsMax = ctx.config['jobs.attempts_max']
  await addJobs(ctx, [{ kind: JOB, payload: turn, attemptsMax }])
}

export const lookBackJobs: readonly JobKind[] = [
  { name: JOB, isLate: true, run: (ctx, payload) => takeTurn(ctx, payload as Turn) },
]

async function takeTurn(ctx: Context, { repository_id, after }: Turn): Promise<void> {
  const pulls = await listAfter(ctx.db, repository_id, after, AT_ONCE)
  for (const pull of pulls)
    if (pull.is_open) await checkPull(ctx, pull.issue_id)
    else await lookBack(ctx, pull)
  const last = pulls.at(-1)
  if (last !== undefined && pulls.length === AT_ONCE)
    await transact(ctx, (ctx) => orderLookBack(ctx, { repository_id, after: last.number }))
}
