/** Deletes a ref. Its objects are kept until nothing needs them and their retention is over. */

import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import type { RefPolicy } from '../refs/policy.ts'
import { findRef } from '../refs/read.ts'
import { getStorage, zeroOid } from '../storage/storage.ts'
import type { StorageId } from '../tables.ts'
import { commitOne } from './place.ts'

export interface DeleteOrder {
  /** The full name. */
  readonly ref: string
  /** The expected current target: refuses when the ref has moved since the caller read it. */
  readonly expected?: string
}

/** Returns the former target of the ref. */
export async function deleteRef(
  ctx: Context,
  storageId: StorageId,
  order: DeleteOrder,
  policy: RefPolicy,
): Promise<string> {
  const found = await findRef(ctx.db, storageId, order.ref)
  if (found === undefined) throw notFound('ref', order.ref)
  if (order.expected !== undefined && order.expected !== found.oid)
    throw new Problem('conflict', 'ref was updated concurrently: fetch first', {
      expected: order.expected,
      actual: found.oid,
    })
  const { object_format } = await getStorage(ctx.db, storageId)
  const update = { name: order.ref, old: found.oid, new: zeroOid(object_format), peeled: null }
  await commitOne(ctx, storageId, update, undefined, policy)
  return found.oid
}
