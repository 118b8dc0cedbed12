/**
 * Pull requests follow the branches they come from, in the transaction that moves them: a new version for each new tip,
 * also when the push goes to a fork, whose commits are brought along. Whoever sees the branch moved sees the pull request
 * moved; of more than ten, the others are moved by jobs, and none is merged before it was.
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

/** In one transaction, which locks the base of each for as long as it takes. */
const MOVED_AT_ONCE_MAX = 10

const JOB = 'pulls-follow'

/** The rest of a move that was too large for its transaction. */
interface FollowOrder {
  readonly repository_id: number
  readonly actor_id: number
  readonly pusher_id: number | null
  /** The tips that were pushed, by the short names of their branches. */
  readonly tips: Readonly<Record<string, string>>
  /** The issue that was looked at last: they are looked at in their order. */
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

/** By the short names of branches; undefined where one is deleted. */
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

/** Asked again under the lock of the storage, so that what was opened since is not passed over. */
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

/** Part of the transaction that moved the branch, or the ones before: whatever dies after it, the rest is not forgotten. */
async function orderRest(ctx: TxContext, order: FollowOrder): Promise<void> {
  const attemptsMax = ctx.config['jobs.attempts_max']
  const group = String(order.repository_id)
  await addJobs(ctx, [{ kind: JOB, payload: order, group, isSerial: true, attemptsMax }])
}

/** The next ones. A branch that was pushed to since has been followed by that push, or will be by its own job. */
async function followOn(ctx: Context, order: FollowOrder): Promise<void> {
  const { repository_id, actor_id, pusher_id, tips, after } = order
  const { bite, isAll } = await listBite(ctx, repository_id, Object.keys(tips), after)
  if (bite.length === 0) return
  const pusherOf = (branch: string, oid: string) => (tips[branch] === oid ? pusher_id : null)
  await catchUpAll(ctx, repository_id, bite, { actorId: actor_id, pusherOf }, async (ctx) => {
    if (!isAll) await orderRest(ctx, { ...order, after: lastOf(bite) })
  })
}
