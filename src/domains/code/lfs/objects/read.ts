/** Reads an object for a page or a file route: its beginning, by which its type is known, and its bytes. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { StorageId } from '#git'
import type { Context } from '#platform/context'
import { readNamed } from '#platform/lost-object'
import type { Pointer } from '../wire.ts'
import { findLinkedOne, findOwnerOf } from './store.ts'
import { lfsKey } from './take.ts'

const START_BYTES = 8_192

export interface OpenLfsObject extends Pick<Pointer, 'oid'> {
  readonly bytes: number
  readonly start: Buffer
  /** The reader must read it to its end or destroy it. */
  readonly open: () => Readable
}

/** For callers who may read the code of the repository. Undefined if it is not linked to the object. */
export async function openLfsObject(
  ctx: Context,
  { storage_id }: { readonly storage_id: StorageId },
  { oid, size }: Pointer,
): Promise<OpenLfsObject | undefined> {
  const object = await findLinkedOne(ctx.db, storage_id, oid)
  if (object === undefined || object.bytes !== size) return undefined
  if (size === 0) return { oid, bytes: 0, start: Buffer.alloc(0), open: () => Readable.from([]) }
  const findOwner = () => findOwnerOf(ctx.db, object, oid)
  const read = (range: { readonly start: number; readonly end: number }) =>
    readNamed(ctx, lfsKey(object.key), findOwner, { signal: ctx.signal, range })
  const start = await buffer((await read({ start: 0, end: START_BYTES - 1 })).body)
  const rest = async function* () {
    yield start
    if (size <= START_BYTES) return
    ctx.lfsBytes.add(size, { direction: 'download' })
    yield* (await read({ start: START_BYTES, end: size - 1 })).body as AsyncIterable<Buffer>
  }
  return { oid, bytes: size, start, open: () => Readable.from(rest(), { objectMode: false }) }
}
