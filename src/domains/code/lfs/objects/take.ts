/** Takes uploaded bytes: verified by size and digest while they are stored, and linked afterwards. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Context, type TxContext, transact } from '#platform/context'
import { announceObject, discardObjects, keepObject } from '#platform/discard'
import { invalid, Problem } from '#platform/problem'
import type { Writable } from '../access/open-lfs.ts'
import type { ObjectRow } from '../tables.ts'
import type { Pointer } from '../wire.ts'
import { linkObjects } from './link.ts'
import { findObject, holdObject, insertObject, replaceBytes } from './store.ts'

const COMPARED_MAX = 4

export function lfsKey(key: string): string {
  return `lfs/${key.slice(0, 2)}/${key}`
}

/** Throws unless the object may be as large as it says. */
export function assertSize({ config }: Context, { size }: Pointer): void {
  const bytesMax = config['lfs.object_bytes_max']
  if (size > bytesMax) throw new Problem('too_large', `object is larger than ${bytesMax} bytes`, { bytesMax })
}

/**
 * The bytes always come from the caller, also when the object is stored already: only who has them all gets a link. They
 * are announced before, so that those of an upload that fails are found and deleted.
 */
export async function takeObject(
  ctx: Context,
  { repo }: Writable,
  pointer: Pointer,
  source: Readable | null,
): Promise<void> {
  await storeObject(ctx, pointer, source, (ctx, object) => linkObjects(ctx, repo, [object]))
}

/** Links a repository to an object that exists until the end of the transaction. */
export type LinkObject = (ctx: TxContext, object: ObjectRow) => Promise<unknown>

export async function storeObject(
  ctx: Context,
  pointer: Pointer,
  source: Readable | null,
  link: LinkObject,
): Promise<void> {
  assertSize(ctx, pointer)
  const key = randomUUID()
  await announceObject(ctx, lfsKey(key))
  const options = { bytes: pointer.size, sha256: pointer.oid, signal: ctx.signal }
  await ctx.store.create(lfsKey(key), source ?? Readable.from([]), options).catch(explain)
  ctx.lfsBytes.add(pointer.size, { direction: 'upload' })
  await adoptObject(ctx, pointer, key, link)
}

/** Names the stored bytes in the transaction that links the repository to them. */
export async function adoptObject(
  ctx: Context,
  pointer: Pointer,
  key: string,
  link: LinkObject,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const there = await findObject(ctx.db, pointer.oid)
    // Not in the transaction, which must not wait for the store. A row may outlive its bytes.
    const hasBytes = there && (await ctx.store.stat(lfsKey(there.key)))?.bytes === pointer.size
    try {
      return await transact(ctx, async (ctx) => {
        await keepObject(ctx, lfsKey(key))
        const object = await settle(
          ctx,
          pointer,
          key,
          there && { key: there.key, hasBytes: hasBytes === true },
        )
        await link(ctx, object)
      })
    } catch (error) {
      if (tries === COMPARED_MAX || !(error instanceof NotCompared)) throw error
    }
  }
}

/** The same object appeared, or got other bytes, after the store was asked. */
class NotCompared extends Problem {
  constructor() {
    super('unavailable', 'object was stored concurrently, please try again')
  }
}

/** Of equal bytes one copy stays: the old one if the store still has it. */
async function settle(
  ctx: TxContext,
  { oid, size }: Pointer,
  key: string,
  compared: { readonly key: string; readonly hasBytes: boolean } | undefined,
): Promise<ObjectRow> {
  const row = { oid, bytes: size, key, created_at: ctx.now() }
  const object = (await holdObject(ctx.db, oid)) ?? (await insertObject(ctx.db, row))
  if (object === undefined || (object.key !== key && object.key !== compared?.key)) throw new NotCompared()
  if (object.key === key) return object
  if (compared?.hasBytes) {
    await discardObjects(ctx, [lfsKey(key)])
    return object
  }
  await replaceBytes(ctx.db, object.id, key)
  await discardObjects(ctx, [lfsKey(object.key)])
  return { ...object, key }
}

/** The store names what is wrong with the body; clients of LFS know it as a mismatch. */
function explain(error: unknown): never {
  if (error instanceof Problem && error.kind === 'invalid')
    throw invalid(`object does not match its pointer: ${error.message}`)
  throw error
}
