/**
 * Adds a pull request to the merge queue: it is merged in its turn, once the commit it would become passed its checks.
 */

import { findMergeability, holdPull, openPull, type PullCaller } from '#domains/review/pulls'
import { insertEntries } from '#domains/work/issues'
import { type Context, transact } from '#platform/context'
import { must } from '#platform/must'
import { Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { openCaughtUp } from '../merging/merge-pull.ts'
import { assertMayWait, assertMergeable, assertReady, openMergeTarget } from '../merging/merge-target.ts'
import { orderAdvance } from './order.ts'
import type { QueueOptions } from './schemas.ts'
import { insertEntry, listShown, type ShownEntry } from './store.ts'

/**
 * Checks every condition of a merge except status checks: those of the commit to be merged count, and it is not built
 * yet.
 */
export async function enterQueue(
  ctx: Context,
  caller: PullCaller,
  number: number,
  options: QueueOptions,
): Promise<ShownEntry> {
  const { tracker } = caller
  const pull = await openPull(ctx, tracker, number)
  const before = await openCaughtUp(ctx, caller, pull, options.style)
  await assertMergeable(ctx, before, pull, await findMergeability(ctx, pull, tracker))
  return transact(ctx, async (ctx) => {
    assertMayWait(ctx)
    const { pull: held, issue } = await holdPull(ctx, pull.issue_id)
    const target = await openMergeTarget(ctx, held, options.style, { issue })
    await assertReady(ctx, target, held, { way: 'merge', isOutdated: false, checked: null })
    if (options.headCommit !== '' && options.headCommit !== held.head_oid)
      throw new Problem('conflict', 'head commit is not the expected one', { actual: held.head_oid })
    const { issue_id, repository_id, base_branch, head_oid } = held
    const asked = asSignedIn({ ctx })
    const entered = await insertEntry(ctx.db, {
      issue_id,
      repository_id,
      actor_id: asked.id,
      style: options.style,
      title: options.title,
      message: options.message,
      deletes_branch: options.deletesBranch ?? null,
      head_oid,
      created_at: ctx.now(),
      parent_oid: null,
      tested_oid: null,
      tested_tree: null,
      fault: null,
      tested_at: null,
    })
    if (entered === undefined) throw new Problem('conflict', 'pull request is already queued')
    await insertEntries(ctx, { id: issue_id, repository_id }, asked, [{ kind: 'pull_scheduled_merge' }])
    await orderAdvance(ctx, [{ repository_id, base_branch }])
    const { items } = await listShown(
      ctx.db,
      { repositoryId: repository_id, number },
      { limit: 1, offset: 0 },
    )
    return must(items[0], 'what was queued is')
  })
}
