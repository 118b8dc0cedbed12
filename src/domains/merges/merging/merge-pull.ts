/** Merging a pull request, as somebody asks for it. */
import {
  checkPull,
  isBehindBranch,
  openPull,
  orderCatchUp,
  type PullCaller,
  type PullRow,
} from '#domains/pulls'
import { type Context, transact } from '#platform/context'
import { schedule } from '../auto/schedule.ts'
import type { MergeOptions } from '../schemas.ts'
import { markByHand } from './by-hand.ts'
import { deleteHead } from './delete-head.ts'
import { assertWhole, openGround } from './ground.ts'
import { land } from './land.ts'

/** `scheduled`: it lands when its checks succeed. */
export async function mergePull(
  ctx: Context,
  { tracker, actor }: PullCaller,
  number: number,
  options: MergeOptions,
): Promise<'merged' | 'scheduled'> {
  const pull = await openPull(ctx, tracker, number)
  await catchUpFirst(ctx, { tracker, actor }, pull)
  const ground = await openGround(ctx, pull, options.style)
  const { style, ...order } = options
  if (style === 'manually-merged') {
    await markByHand(ctx, pull, options.commit)
    return 'merged'
  }
  await assertWhole(ctx, ground, pull, await findMergeability(ctx, pull))
  if (options.isForLater) {
    await schedule(ctx, pull, { ...order, style })
    return 'scheduled'
  }
  const landed = await land(ctx, actor, pull, { ...order, style, isAuto: false })
  await deleteHead(ctx, actor, landed, options.deletesBranch)
  return 'merged'
}

/** One that is behind its branch is refused by `openGround`; a job moves its head, and then it can be merged as it is. */
export async function catchUpFirst(
  ctx: Context,
  { tracker, actor }: PullCaller,
  pull: PullRow,
): Promise<void> {
  if (pull.is_open && (await isBehindBranch(ctx.db, pull, tracker)))
    await transact(ctx, (ctx) => orderCatchUp(ctx, pull.issue_id, actor.id))
}

/** Whether git can merge these two is found out now, if nobody has asked before. */
export async function findMergeability(ctx: Context, pull: PullRow): Promise<PullRow['mergeability']> {
  return ((await checkPull(ctx, pull.issue_id)) ?? pull).mergeability
}
