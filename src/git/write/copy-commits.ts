/** Commits of one storage made part of another: only what they reach, so that nothing else becomes visible with them. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { assertRoomForPacks } from '../maintenance/upkeep.ts'
import { listOids } from '../push/ref-update-diff.ts'
import { assertOids } from '../read/objects/oid.ts'
import { retryAfterHeal } from '../read/with-repository.ts'
import type { Written } from '../refs/move.ts'
import { findRefs } from '../refs/read.ts'
import type { StorageId } from '../tables.ts'
import { openScratch, publishNew } from './scratch.ts'

export interface CopyCommitsOrder {
  readonly oid: string
  /** The path of a repository that has all of it. */
  readonly from: string
  readonly to: StorageId
  /** Refs of `to` that may have most of it already. */
  readonly known: readonly string[]
}

export interface CopiedCommits extends Written {
  /** Those that `known` has not, the oldest first; of too many, the latest. */
  readonly commits: readonly string[]
}

/** Packs that hold all that the commit reaches and `known` does not. They are nobody's until a ref needs them. */
export async function copyCommits(ctx: Context, order: CopyCommitsOrder): Promise<CopiedCommits> {
  assertOids(order.oid)
  await assertRoomForPacks(ctx, order.to)
  const refs = await findRefs(ctx.db, order.to, order.known)
  const known = [...refs.values()].map(({ oid }) => oid)
  return retryAfterHeal(ctx, order.to, async () => {
    await using scratch = await openScratch(ctx, order.to)
    await appendFile(join(scratch.path, 'objects/info/alternates'), `${join(order.from, 'objects')}\n`)
    const commits = await listOids(ctx, scratch.path, { head: order.oid, known })
    return { ...(await publishNew(ctx, scratch, order.oid, known)), commits }
  })
}
