/** Turns stored objects into blobs, and deletes blobs without references. */
import type { TxContext } from '#platform/context'
import { discardObjects } from '#platform/discard'
import { Problem } from '#platform/problem'
import type { BlobRow } from '../tables.ts'
import {
  deleteObjects,
  deleteUnnamed,
  holdBlob,
  insertBlob,
  lockOwnerBytes,
  lockUnnamed,
  replaceBytes,
  sumBytes,
} from './store.ts'
import { type Compared, NotCompared, objectKey } from './take-bytes.ts'

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

/** Call after the references were deleted. */
export async function freeBlobs(ctx: TxContext, blobIds: readonly number[]): Promise<void> {
  const ids = [...new Set(blobIds)]
  for (let i = 0; i < ids.length; i += KEYS_AT_ONCE) {
    const locked = await lockUnnamed(ctx.db, { ids: ids.slice(i, i + KEYS_AT_ONCE) })
    await discardObjects(ctx, (await deleteUnnamed(ctx.db, locked)).map(objectKey))
  }
}

/**
 * Call after the content was added. Serialized by owner, so that concurrent uploads cannot exceed the quota together.
 */
export async function assertWithinQuota(ctx: TxContext, ownerId: number): Promise<void> {
  const bytesMax = ctx.config['packages.owner_bytes_max']
  if (bytesMax === 0) return
  await lockOwnerBytes(ctx.db, ownerId)
  if ((await sumBytes(ctx.db, ownerId)) > bytesMax)
    throw new Problem('forbidden', 'packages of this owner exceed their quota', { bytesMax })
}
