/** A first commit with the files of another repository: all of them as they are, and nothing of its history. */

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
  /** The whole name of the ref that is made. */
  readonly branch: string
  readonly message: string
  readonly author: Person
  readonly committer: Person
}

/** The pack that is made has what the commit needs and no more: whoever may fetch could ask for the rest. */
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
    // It brings all that it needs, so it stands on nothing that was there.
    const { packs } = await publishNew(ctx, scratch, oid, [])
    return { oid, packs, basis: { generation: storage.generation, stamps: new Set<string>() } }
  })
  return moveBranch(ctx, place, made, policy)
}
