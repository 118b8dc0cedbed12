/** Chunked uploads: each chunk is an object, so that the next one may go to another node. */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Context, type TxContext, transact } from '#platform/context'
import { discardObjects } from '#platform/discard'
import { Problem } from '#platform/problem'
import type { WritablePackages } from '../access/open-packages.ts'
import { deleteObjects } from '../blobs/store.ts'
import {
  type Compared,
  giveUp,
  joinObjects,
  objectKey,
  type Stored,
  takeBytes,
  whileCompared,
  withStored,
} from '../blobs/take-bytes.ts'
import type { UploadRow } from '../tables.ts'
import { addPiece, deleteUpload, findUpload, insertUpload, listPieces, lockUpload } from './store.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PIECES_MAX = 10_000

export async function startUpload(
  ctx: Context,
  { id }: WritablePackages,
  nameKey: string,
): Promise<UploadRow> {
  const row = { id: randomUUID(), owner_id: id, name_key: nameKey, touched_at: ctx.now() }
  await transact(ctx, (ctx) => insertUpload(ctx.db, row))
  return { ...row, bytes: 0 }
}

/** Must match owner and name, so that an upload does not lead into another package. */
export async function getUpload(
  ctx: Context,
  { id: ownerId }: WritablePackages,
  nameKey: string,
  id: string,
): Promise<UploadRow> {
  const upload = UUID.test(id) ? await findUpload(ctx.db, id) : undefined
  if (upload === undefined || upload.owner_id !== ownerId || upload.name_key !== nameKey) throw unknown()
  return upload
}

/** Chunks are sequential: undefined if another chunk was added meanwhile. */
export async function append(
  ctx: Context,
  seen: UploadRow,
  source: Readable | null,
): Promise<UploadRow | undefined> {
  const stored = await takeBytes(ctx, source, ({ bytes }) => {
    const bytesMax = ctx.config['packages.file_bytes_max']
    if (seen.bytes + bytes > bytesMax)
      throw new Problem('too_large', 'package file is too large', { bytesMax })
  })
  if (stored.bytes === 0) {
    await giveUp(ctx, [stored.key])
    return seen
  }
  const added = await withStored(ctx, stored, () =>
    transact(ctx, async (ctx) => {
      const upload = await lockUpload(ctx.db, seen.id)
      if (upload === undefined) throw unknown()
      if (upload.bytes !== seen.bytes) return undefined
      if (!(await addPiece(ctx.db, upload, stored.key, stored.bytes, ctx.now())))
        throw new Problem('unavailable', 'operation timed out, please try again')
      return { ...upload, bytes: upload.bytes + stored.bytes }
    }),
  )
  if (added === undefined) await giveUp(ctx, [stored.key])
  return added
}

/**
 * Joins all chunks into one object, which `use` turns into content; the upload ends in the same transaction. A single
 * chunk is used as it is. If that fails, the upload continues to exist.
 */
export async function finishUpload<T>(
  ctx: Context,
  { id }: UploadRow,
  check: (whole: Pick<Stored, 'sha256' | 'sha512'>) => void,
  use: (ctx: TxContext, whole: Compared) => Promise<T>,
): Promise<T> {
  const pieces = await listPieces(ctx.db, id)
  if (pieces.length > PIECES_MAX) throw new Problem('too_large', 'upload has too many pieces')
  const [only, second] = pieces
  const finish = (whole: Compared) =>
    transact(ctx, async (ctx) => {
      const upload = await lockUpload(ctx.db, id)
      // The upload was finished, or a chunk was added, meanwhile.
      if (upload === undefined || upload.bytes !== whole.bytes) throw unknown()
      const result = await use(ctx, whole)
      await endUpload(ctx, id)
      return result
    })
  if (only !== undefined && second === undefined) {
    check(only)
    return whileCompared(ctx, only, finish)
  }
  const whole = only === undefined ? await takeBytes(ctx, null, check) : await joinObjects(ctx, pieces, check)
  return withStored(ctx, whole, finish)
}

export async function cancelUpload(ctx: Context, { id }: UploadRow): Promise<void> {
  await transact(ctx, async (ctx) => {
    if ((await lockUpload(ctx.db, id)) !== undefined) await endUpload(ctx, id)
  })
}

/** Deletes the chunks; one that became a blob is no longer in `package_object`. */
async function endUpload(ctx: TxContext, id: string): Promise<void> {
  const pieces = await listPieces(ctx.db, id)
  const gone = await deleteObjects(
    ctx.db,
    pieces.map(({ key }) => key),
  )
  await discardObjects(ctx, gone.map(objectKey))
  await deleteUpload(ctx.db, id)
}

function unknown(): Problem {
  return new Problem('not_found', 'upload does not exist', { code: 'BLOB_UPLOAD_UNKNOWN' })
}
