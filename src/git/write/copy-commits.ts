/** Copies commits into another storage: only what they reach, so that nothing else becomes visible there. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { COPIED_PACKS_CEILING } from '../maintenance/limits.ts'
import { makeRoomForPacks } from '../maintenance/upkeep.ts'
import { listOids } from '../push/ref-update-diff.ts'
import { assertOids } from '../read/objects/oid.ts'
import { retryAfterHeal } from '../read/with-repository.ts'
import type { Written } from '../refs/move.ts'
import { findRefs } from '../refs/read.ts'
import type { StorageId } from '../tables.ts'
import { openScratch, publishReached } from './scratch.ts'

export interface CopyCommitsOrder {
  readonly oids: readonly string[]
  /** The path of a repository that has all of them. */
  readonly from: string
  readonly to: StorageId
  /** Refs of `to` that may already have most of it. */
  readonly known: readonly string[]
}

export interface CopiedCommits extends Written {
  /** Commits not reachable from `known`, oldest first; above the limit, the latest ones. */
  readonly commits: readonly string[]
}

/**
 * One pack of everything that the commits reach and `known` does not, or none. It belongs to no repository until a ref
 * needs it. The last packs below the limit are left to pushes to `to` itself.
 */
export async function copyCommits(ctx: Context, order: CopyCommitsOrder): Promise<CopiedCommits> {
  assertOids(...order.oids)
  await makeRoomForPacks(ctx, order.to, {
    ceiling: COPIED_PACKS_CEILING,
    packsMax: COPIED_PACKS_CEILING,
  })
  const refs = await findRefs(ctx.db, order.to, order.known)
  const known = [...refs.values()].map(({ oid }) => oid)
  return retryAfterHeal(ctx, order.to, async () => {
    await using scratch = await openScratch(ctx, order.to)
    await appendFile(join(scratch.path, 'objects/info/alternates'), `${join(order.from, 'objects')}\n`)
    const commits = await listOids(ctx, scratch.path, { heads: order.oids, known })
    return { ...(await publishReached(ctx, scratch, order.oids, known)), commits }
  })
}
