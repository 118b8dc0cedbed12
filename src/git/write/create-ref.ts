/** Creates a ref, and an annotated tag when there is a message. */

import type { Context } from '#platform/context'
import { invalid, notFound, Problem } from '#platform/problem'
import { type ObjectHeader, readHeaders } from '../read/objects/objects.ts'
import { assertOids } from '../read/objects/oid.ts'
import type { Person } from '../read/objects/person.ts'
import { retryAfterHeal, withRepository } from '../read/with-repository.ts'
import { HEADS, isRefName, TAGS } from '../refs/names.ts'
import type { RefPolicy } from '../refs/policy.ts'
import { findRef } from '../refs/read.ts'
import type { RefUpdate } from '../refs/update.ts'
import { getStorage, zeroOid } from '../storage/storage.ts'
import type { StorageId } from '../tables.ts'
import { writeTag } from './compose.ts'
import { commitOne } from './place.ts'
import { type MadeObject, openScratch, publishNew } from './scratch.ts'
import type { RefMove } from './types.ts'

export interface RefOrder {
  /** The full name. */
  readonly ref: string
  readonly target: string
}

export interface TagOrder extends RefOrder {
  readonly message: string
  readonly tagger: Person
}

export async function createRef(
  ctx: Context,
  storageId: StorageId,
  order: RefOrder,
  policy: RefPolicy,
): Promise<RefMove> {
  const { object, peeled } = await look(ctx, storageId, order)
  const update = { name: order.ref, new: object.oid, peeled: object.oid === peeled ? null : peeled }
  await place(ctx, storageId, update, undefined, policy)
  return { ref: order.ref, before: null, oid: object.oid }
}

/** A tag with a message is its own object: the ref points to it, and it points to the target. */
export async function createTag(
  ctx: Context,
  storageId: StorageId,
  order: TagOrder,
  policy: RefPolicy,
): Promise<RefMove> {
  if (!order.ref.startsWith(TAGS)) throw invalid('not a valid tag name', { ref: order.ref })
  const { object, peeled } = await look(ctx, storageId, order)
  const made = await retryAfterHeal(ctx, storageId, async () => {
    await using scratch = await openScratch(ctx, storageId)
    const { message, tagger } = order
    const oid = await writeTag(scratch, {
      name: order.ref.slice(TAGS.length),
      target: object,
      tagger,
      message,
    })
    return await publishNew(ctx, scratch, oid, [object.oid])
  })
  await place(ctx, storageId, { name: order.ref, new: made.oid, peeled }, made, policy)
  return { ref: order.ref, before: null, oid: made.oid }
}

/** All checks that are possible before anything is written. */
async function look(
  ctx: Context,
  storageId: StorageId,
  { ref, target }: RefOrder,
): Promise<{ object: ObjectHeader; peeled: string }> {
  assertOids(target)
  if (!isRefName(ref)) throw invalid('not a valid ref name', { ref })
  if (await findRef(ctx.db, storageId, ref)) throw new Problem('conflict', 'ref already exists', { ref })
  const [object, peeled] = await withRepository(ctx, storageId, (path) =>
    readHeaders(ctx, path, [target, `${target}^{}`]),
  )
  if (object === undefined || peeled === undefined) throw notFound('git object', target)
  // Git itself refuses to read a branch that points to anything else.
  if (ref.startsWith(HEADS) && object.type !== 'commit')
    throw invalid('trying to write non-commit object to branch', { ref })
  return { object, peeled: peeled.oid }
}

async function place(
  ctx: Context,
  storageId: StorageId,
  update: Omit<RefUpdate, 'old'>,
  written: MadeObject | undefined,
  policy: RefPolicy,
): Promise<void> {
  const { object_format } = await getStorage(ctx.db, storageId)
  await commitOne(ctx, storageId, { ...update, old: zeroOid(object_format) }, written, policy)
}
