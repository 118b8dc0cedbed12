/**
 * Moves the heads of pull requests in the transaction that moves their branch: each new tip becomes a version, and
 * commits of a fork are copied. A reader who sees the branch moved sees the pull request moved. Beyond ten, jobs move
 * the rest, and none of these is merged before it moved.
 */
import { HEADS, isZeroOid } from '#git'
import type { Context, TxContext } from '#platform/context'
import { must } from '#platform/must'
import { addJobs, type JobKind } from '#platform/queue'
import type { Moving, MovingRef, RefFollower } from '#slices'
import { type Following, listFollowedBranches, listFollowing, renameEnds } from '../records/store.ts'
import { catchUpAll } from './catch-up.ts'
import { moveHeads } from './move-heads.ts'
import { type PreparedMoves, prepareMoves } from './prepare-moves.ts'

/** Per transaction, which locks each base while it runs. */
const MOVED_AT_ONCE_MAX = 10

const JOB = 'pulls-follow'

/** The rest of a move that was too large for one transaction. */
interface FollowOrder {
  readonly repository_id: number
  readonly actor_id: number
  readonly pusher_id: number | null
  /** The pushed tips, by short branch name. */
  readonly tips: Readonly<Record<string, string>>
  /** Issue id of the last pull request that was processed; they are processed in this order. */
  readonly after: number
}

export const headFollower: RefFollower = {
  prepare: async (ctx, moving) => {
    const tips = tipsOf(moving.updates)
    const { bite } = await listBite(ctx, moving.repositoryId, [...tips.keys()], 0)
    const moves = bite.flatMap((pull) => moveTo(pull, tips.get(pull.head_branch)))
    const prepared = await prepareMoves(ctx, moving.repositoryId, moves, moving.openObjects)
    return (ctx, moved) => follow(ctx, moving, moved, prepared)
  },
}

export const followJobs: readonly JobKind[] = [
  { name: JOB, run: (ctx, payload) => followOn(ctx, payload as FollowOrder) },
]

/** By short branch name; undefined if deleted. */
function tipsOf(updates: readonly MovingRef[]): Map<string, string | undefined> {
  const branches = updates.filter(({ name }) => name.startsWith(HEADS))
  return new Map(
    branches.map(({ name, new: oid }) => [name.slice(HEADS.length), isZeroOid(oid) ? undefined : oid]),
  )
}

async function listBite(
  ctx: Context,
  repositoryId: number,
  branches: readonly string[],
  after: number,
): Promise<{ readonly bite: Following[]; readonly isAll: boolean }> {
  const page = { after, limit: MOVED_AT_ONCE_MAX + 1 }
  const pulls = branches.length === 0 ? [] : await listFollowing(ctx.db, repositoryId, branches, page)
  return { bite: pulls.slice(0, MOVED_AT_ONCE_MAX), isAll: pulls.length <= MOVED_AT_ONCE_MAX }
}

function moveTo(pull: Following, to: string | undefined) {
  return to === undefined || to === pull.head_oid ? [] : [{ pull, to }]
}

/** Read again under the storage lock, so that pull requests opened meanwhile are included. */
async function follow(
  ctx: TxContext,
  moving: Moving,
  moved: readonly MovingRef[],
  prepared: PreparedMoves,
): Promise<void> {
  const { renamed, repositoryId, actorId, pusherId } = moving
  if (renamed !== undefined) return renameEnds(ctx.db, repositoryId, renamed.from, renamed.to)
  const tips = tipsOf(moved)
  const branches = [...tips.keys()]
  const { bite, isAll } = await listBite(ctx, repositoryId, branches, 0)
  if (bite.length === 0) return
  const by = { actorId, pusherOf: () => pusherId }
  const left = await moveHeads(ctx, bite, ({ head_branch }) => tips.get(head_branch), prepared, by)
  if (isAll && left.length === 0) return
  const followed = await listFollowedBranches(ctx.db, repositoryId, branches)
  await orderRest(ctx, {
    repository_id: repositoryId,
    actor_id: actorId,
    pusher_id: pusherId,
    tips: Object.fromEntries(followed.map((branch) => [branch, tips.get(branch) ?? ''])),
    after: left.length > 0 ? 0 : lastOf(bite),
  })
}

function lastOf(bite: readonly Following[]): number {
  return must(bite.at(-1), 'a bite is not empty').issue_id
}

/** Part of the transaction that moved the branch or the batch before, so that a crash cannot lose the rest. */
async function orderRest(ctx: TxContext, order: FollowOrder): Promise<void> {
  const attemptsMax = ctx.config['jobs.attempts_max']
  const group = String(order.repository_id)
  await addJobs(ctx, [{ kind: JOB, payload: order, group, isSerial: true, attemptsMax }])
}

/** The next batch. A branch that was pushed to since is followed by that push or its own job. */
async function followOn(ctx: Context, order: FollowOrder): Promise<void> {
  const { repository_id, actor_id, pusher_id, tips, after } = order
  const { bite, isAll } = await listBite(ctx, repository_id, Object.keys(tips), after)
  if (bite.length === 0) return
  const pusherOf = (branch: string, oid: string) => (tips[branch] === oid ? pusher_id : null)
  await catchUpAll(ctx, repository_id, bite, { actorId: actor_id, pusherOf }, async (ctx) => {
    if (!isAll) await orderRest(ctx, { ...order, after: lastOf(bite) })
  })
}
