/** Turns stored objects into blobs, and deletes blobs without references. */
import type { TxContext } from '#platform/context'
import { discardObjects } from '#platform/discard'
import { Problem } from '#platform/problem'
import type { BlobRow } from '../tables.ts'
import { deleteObjects, deleteUnnamed, holdBlob, insertBlob, lockUnnamed, replaceBytes } from './store.ts'
import { type Compared, NotCompared, objectKey } from './take-bytes.ts'
import { countFreed } from './usage.ts'

/** Limit of keys in one discard job. */
const KEYS_AT_ONCE = 500

/**
 * Equal content shares one row. If the row exists, one of the two copies is discarded: the new one only if the object
 * of the old one was seen in the store, because a row may outlive its object.
 */
export async function adopt(ctx: TxContext, stored: Compared): Promise<BlobRow> {
  const [mine] = await deleteObjects(ctx.db, [stored.key])
  // The upload took longer than the sweep keeps unused objects.
  if (mine === undefined) throw new Problem('unavailable', 'operation timed out, please try again')
  const { equal, key, bytes, md5, sha1, sha256, sha512 } = stored
  const row = { key, bytes, md5, sha1, sha256, sha512, created_at: ctx.now() }
  const blob =
    (await holdBlob(ctx.db, sha256)) ?? (await insertBlob(ctx.db, row)) ?? (await holdBlob(ctx.db, sha256))
  if (blob === undefined)
    throw new Problem('unavailable', 'content was deleted concurrently, please try again')
  if (blob.key === key) return blob
  if (blob.key !== equal?.key) throw new NotCompared()
  if (equal.hasBytes) {
    await discardObjects(ctx, [objectKey(key)])
    return blob
  }
  await replaceBytes(ctx.db, blob.id, key)
  await discardObjects(ctx, [objectKey(blob.key)])
  return { ...blob, key }
}

/** Call after files of the owner were deleted. */
export async function freeBlobs(ctx: TxContext, ownerId: number, blobIds: readonly number[]): Promise<void> {
  const ids = [...new Set(blobIds)]
  await countFreed(ctx, ownerId, ids)
  for (let i = 0; i < ids.length; i += KEYS_AT_ONCE) {
    const locked = await lockUnnamed(ctx.db, { ids: ids.slice(i, i + KEYS_AT_ONCE) })
    await discardObjects(ctx, (await deleteUnnamed(ctx.db, locked)).map(objectKey))
  }
}
