/** Blobs: their size and bytes, at once when small, otherwise as a stream. */

import { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import type { StorageId } from '../../tables.ts'
import { cached, cachedEach } from '../cached.ts'
import { streamGit } from '../streams/stream.ts'
import { withRepository } from '../with-repository.ts'
import { type GitObject, readBeginning, readObjects } from './objects.ts'
import { assertOids } from './oid.ts'

export interface BlobRecord {
  readonly oid: string
  readonly size: number
  /** The first bytes, up to the requested number. */
  readonly data: Buffer
  readonly isWhole: boolean
}

export interface OpenBlob {
  readonly oid: string
  readonly size: number
  readonly stream: Readable
}

/** Blobs up to this size are read whole and cached. */
const SMALL_BYTES = 256 * 1024
const BLOB_TIMEOUT_MS = 3_600_000

/** Undefined when there is no such object, or when it is not a blob. */
export async function findBlob(
  ctx: Context,
  storageId: StorageId,
  oid: string,
  bytesMax: number,
): Promise<BlobRecord | undefined> {
  const start = await readStart(ctx, storageId, oid)
  if (start === undefined) return undefined
  const isEnough = start.data.length === start.size || bytesMax <= start.data.length
  const object = isEnough ? start : await read(ctx, storageId, oid, bytesMax)
  if (object === undefined) return undefined
  const data = object.data.subarray(0, bytesMax)
  return { oid, size: object.size, data, isWhole: data.length === object.size }
}

/** By id, only blobs; larger ones are truncated. One process for all that are not cached. */
export async function findBlobs(
  ctx: Context,
  storageId: StorageId,
  oids: readonly string[],
): Promise<Map<string, BlobRecord>> {
  assertOids(...oids)
  const byId = (oid: string) => [oid]
  const found = await cachedEach<GitObject>(ctx, storageId, 'blob', oids, byId, (unknown) =>
    withRepository(ctx, storageId, async (path) => {
      const objects = await readObjects(ctx, path, unknown, SMALL_BYTES)
      return objects.map((it) => (it?.type === 'blob' ? it : undefined))
    }),
  )
  return new Map(
    [...found].map(([oid, { size, data }]) => [oid, { oid, size, data, isWhole: data.length === size }]),
  )
}

/** The caller must read the stream to its end or destroy it. */
export async function openBlob(
  ctx: Context,
  storageId: StorageId,
  oid: string,
): Promise<OpenBlob | undefined> {
  const start = await readStart(ctx, storageId, oid)
  if (start === undefined) return undefined
  const { size, data } = start
  if (data.length === size) return { oid, size, stream: Readable.from([data]) }
  const command = { name: 'cat-file', words: ['blob', oid] }
  const limits = { bytesMax: size, timeoutMs: BLOB_TIMEOUT_MS }
  return { oid, size, stream: await streamGit(ctx, storageId, { command }, limits) }
}

function readStart(ctx: Context, storageId: StorageId, oid: string): Promise<GitObject | undefined> {
  assertOids(oid)
  return cached(ctx, storageId, 'blob', [oid], () => read(ctx, storageId, oid, SMALL_BYTES))
}

function read(
  ctx: Context,
  storageId: StorageId,
  oid: string,
  bytesMax: number,
): Promise<GitObject | undefined> {
  return withRepository(ctx, storageId, async (path) => {
    const object = await readBeginning(ctx, path, oid, bytesMax)
    return object?.type === 'blob' ? object : undefined
  })
}
