/** Runs a scheduled merge as the user who scheduled it, if its head may be merged now. */

import { actAs } from '#domains/people/users'
import { findPullOf } from '#domains/review/pulls'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { deleteHead } from '../merging/delete-head.ts'
import { land } from '../merging/land.ts'
import { dropOutdated } from './drop.ts'
import { findAuto } from './store.ts'

/** Refusals that a later event may lift. Any other error fails the job, and the queue retries it. */
const NOT_YET: ReadonlySet<string> = new Set([
  'method_not_allowed',
  'precondition',
  'conflict',
  'not_found',
  'locked',
  'forbidden',
])

export async function tryToMerge(ctx: Context, issueId: number): Promise<void> {
  const waiting = await findAuto(ctx.db, issueId)
  const pull = await findPullOf(ctx.db, issueId)
  const asActor = waiting && (await actAs(ctx, waiting.actor_id))
  if (waiting === undefined || pull === undefined || asActor === undefined) return
  if (waiting.head_oid !== pull.head_oid) return dropOutdated(ctx, issueId)
  const { actor_id, style, title, message, head_oid: headCommit } = waiting
  // Rechecked in the transaction: the account may have been disabled or lost its rights.
  const reopen: Context['reopen'] = async (ctx) => {
    const again = await actAs(ctx, actor_id)
    if (again === undefined) throw new Problem('forbidden', 'user may not act any more')
    return again.actor
  }
  const as = { ...asActor, reopen }
  const actor = asSignedIn({ ctx: as })
  const order = { style, title, message, headCommit, isForced: false, isAuto: true }
  try {
    const landed = await land(as, actor, pull, order)
    await deleteHead(as, actor, landed.pull, waiting.deletes_branch, landed.target.repo)
  } catch (error) {
    if (!(error instanceof Problem) || !NOT_YET.has(error.kind)) throw error
    ctx.log.debug({ err: error, 'pull.issue': issueId }, 'scheduled merge is not possible yet')
  }
}
