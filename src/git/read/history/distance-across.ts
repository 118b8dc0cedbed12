/** Ahead and behind counts of two commits in two storages of one fork network. */
import type { Context } from '#platform/context'
import type { StorageId } from '../../tables.ts'
import { cached } from '../cached.ts'
import { findCommit, findCommits } from '../objects/commit.ts'
import { countDistance, type Distance } from './compare.ts'
import { listCommits } from './log.ts'
import { findMergeBase } from './merge-base.ts'

export interface Tip {
  readonly storageId: StorageId
  readonly oid: string
}

/** The length of the base's history that is searched for commits in common. */
const COMMON_MAX = 1_000

/** Undefined if no commit in common was found. Either answer is cached. */
export async function countDistanceAcross(ctx: Context, base: Tip, head: Tip): Promise<Distance | undefined> {
  if (base.oid === head.oid) return { ahead: 0, behind: 0 }
  const key = [base.storageId, base.oid, head.oid]
  const { distance } = await cached(ctx, head.storageId, 'distance-across', key, async () => ({
    distance: await count(ctx, base, head),
  }))
  return distance
}

async function count(ctx: Context, base: Tip, head: Tip): Promise<Distance | undefined> {
  // Usually one of the storages has both commits.
  if (await findCommit(ctx, head.storageId, base.oid))
    return countDistance(ctx, head.storageId, base.oid, head.oid)
  if (await findCommit(ctx, base.storageId, head.oid))
    return countDistance(ctx, base.storageId, base.oid, head.oid)
  const parting = await findParting(ctx, base, head)
  if (parting === undefined) return undefined
  const theirs = await countDistance(ctx, base.storageId, parting, base.oid)
  const own = await countDistance(ctx, head.storageId, parting, head.oid)
  return { ahead: own.ahead, behind: theirs.ahead }
}

async function findParting(ctx: Context, base: Tip, head: Tip): Promise<string | undefined> {
  const window = { skip: 0, limit: COMMON_MAX, withStats: false, withFiles: false }
  const history = await listCommits(ctx, base.storageId, { start: base.oid }, window)
  const oids = history.map(({ oid }) => oid)
  const known = await findCommits(ctx, head.storageId, oids)
  const nearest = oids.find((oid) => known.has(oid))
  return nearest === undefined ? undefined : findMergeBase(ctx, head.storageId, nearest, head.oid)
}
