/** An initial commit with all files of another repository, without its history. */

import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { readHeaders } from '../read/objects/objects.ts'
import { assertOids } from '../read/objects/oid.ts'
import type { Person } from '../read/objects/person.ts'
import { retryAfterHeal } from '../read/with-repository.ts'
import type { RefPolicy } from '../refs/policy.ts'
import { getStorage } from '../storage/storage.ts'
import type { StorageId } from '../tables.ts'
import { writeCommit } from './compose.ts'
import { findPlace, moveBranch } from './place.ts'
import { openScratch, publishNew } from './scratch.ts'
import type { RefMove } from './types.ts'

export interface CopyOrder {
  readonly from: { readonly storageId: StorageId; readonly commit: string }
  /** The full name of the new ref. */
  readonly branch: string
  readonly message: string
  readonly author: Person
  readonly committer: Person
}

/** The pack holds only what the commit needs: a fetch could request everything else in it. */
export async function copyTree(
  ctx: Context,
  storageId: StorageId,
  { from, branch, message, author, committer }: CopyOrder,
  policy: RefPolicy,
): Promise<RefMove> {
  assertOids(from.commit)
  const place = await findPlace(ctx, storageId, { branch })
  const storage = await getStorage(ctx.db, storageId)
  const made = await retryAfterHeal(ctx, from.storageId, async () => {
    await using scratch = await openScratch(ctx, from.storageId)
    const [tree] = await readHeaders(ctx, scratch.path, [`${from.commit}^{tree}`])
    if (tree === undefined) throw notFound('git object', from.commit)
    const oid = await writeCommit(scratch, { tree: tree.oid, parents: [], author, committer, message })
    // Self-contained, so it depends on no existing objects.
    const { packs } = await publishNew(ctx, scratch, oid, [])
    return { oid, packs, basis: { generation: storage.generation, stamps: new Set<string>() } }
  })
  return moveBranch(ctx, place, made, policy)
}
