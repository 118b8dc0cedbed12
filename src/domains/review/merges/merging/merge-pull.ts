/** Merges a pull request: at once, or scheduled for when its checks succeed. */
import {
  findMergeability,
  openPull,
  orderCatchUp,
  type PullCaller,
  type PullRow,
} from '#domains/review/pulls'
import { type Context, transact } from '#platform/context'
import { schedule } from '../auto/schedule.ts'
import type { MergeOptions } from '../schemas.ts'
import type { Style } from '../tables.ts'
import { markByHand } from './by-hand.ts'
import { deleteHead } from './delete-head.ts'
import { land } from './land.ts'
import { assertMergeable, BEHIND_BRANCH, type MergeTarget, openMergeTarget } from './merge-target.ts'

/** `scheduled`: merges when its checks succeed. */
export async function mergePull(
  ctx: Context,
  caller: PullCaller,
  number: number,
  options: MergeOptions,
): Promise<'merged' | 'scheduled'> {
  const { tracker, actor } = caller
  const pull = await openPull(ctx, tracker, number)
  const target = await openCaughtUp(ctx, caller, pull, options.style)
  const { style, ...order } = options
  if (style === 'manually-merged') {
    await markByHand(ctx, pull, target, options.commit)
    return 'merged'
  }
  const mergeability = await findMergeability(ctx, pull, tracker)
  if (options.isForLater) {
    await assertMergeable(ctx, target, pull, mergeability)
    await schedule(ctx, pull, { ...order, style })
    return 'scheduled'
  }
  const found = { pull, target, mergeability }
  const landed = await land(ctx, actor, pull, { ...order, style, isAuto: false }, found)
  await deleteHead(ctx, actor, landed.pull, options.deletesBranch, landed.target.repo)
  return 'merged'
}

/** If the pull request is behind its branch, also enqueues the job that moves its head, so that a retry can succeed. */
export async function openCaughtUp(
  ctx: Context,
  { tracker, actor }: PullCaller,
  pull: PullRow,
  style: Style,
): Promise<MergeTarget> {
  try {
    return await openMergeTarget(ctx, pull, style, { repo: tracker })
  } catch (error) {
    if (error === BEHIND_BRANCH) await transact(ctx, (ctx) => orderCatchUp(ctx, pull.issue_id, actor.id))
    throw error
  }
}
