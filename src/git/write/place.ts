/** Which ref a write moves and where it starts; and moving it. */

import type { Context } from '#platform/context'
import { invalid, notFound, Problem } from '#platform/problem'
import { moveRefs, type Written } from '../refs/move.ts'
import { HEADS, isRefName } from '../refs/names.ts'
import type { RefPolicy } from '../refs/policy.ts'
import { findRef, listRefs } from '../refs/read.ts'
import type { RefUpdate } from '../refs/update.ts'
import { getStorage, isZeroOid, zeroOid } from '../storage/storage.ts'
import type { StorageId } from '../tables.ts'
import type { MadeObject } from './scratch.ts'
import type { RefMove } from './types.ts'

/** Full ref names. */
export interface Target {
  readonly branch: string
  /** Leaves `branch` unchanged and creates this one from it. */
  readonly newBranch?: string
}

export interface Place {
  readonly storageId: StorageId
  /** The ref to move or create. */
  readonly ref: string
  /** Its expected value; all zeros when it must not exist. */
  readonly old: string
  /** The commit to build on; null in a repository without branches. */
  readonly start: string | null
}

/** In a repository without branches the first commit may create its branch; otherwise the branch must exist. */
export async function findPlace(ctx: Context, storageId: StorageId, target: Target): Promise<Place> {
  const ref = target.newBranch ?? target.branch
  for (const name of [target.branch, ref])
    if (!name.startsWith(HEADS) || !isRefName(name)) throw invalid('not a valid branch name', { name })
  const zero = zeroOid((await getStorage(ctx.db, storageId)).object_format)
  const found = await findRef(ctx.db, storageId, target.branch)
  if (found === undefined && (await hasBranches(ctx, storageId))) throw notFound('branch', target.branch)
  const start = found?.oid ?? null
  const isNew = ref !== target.branch
  if (isNew && (await findRef(ctx.db, storageId, ref))) throw new Problem('conflict', 'branch already exists')
  return { storageId, ref, old: isNew ? zero : (start ?? zero), start }
}

/** Requires a commit to build on. */
export async function getPlace(
  ctx: Context,
  storageId: StorageId,
  target: Target,
): Promise<Place & { start: string }> {
  const place = await findPlace(ctx, storageId, target)
  if (place.start === null) throw notFound('branch', target.branch)
  return { ...place, start: place.start }
}

/** Moves the ref of a place, or throws the refusal. */
export async function moveBranch(
  ctx: Context,
  place: Place,
  made: MadeObject,
  policy: RefPolicy,
): Promise<RefMove> {
  const update = { name: place.ref, old: place.old, new: made.oid, peeled: null }
  await commitOne(ctx, place.storageId, update, made, policy)
  return { ref: place.ref, before: isZeroOid(place.old) ? null : place.old, oid: made.oid }
}

export async function commitOne(
  ctx: Context,
  storageId: StorageId,
  update: RefUpdate,
  written: Written | undefined,
  policy: RefPolicy,
): Promise<void> {
  const change = { storageId, updates: [update], isAtomic: true }
  const [result] = await moveRefs(ctx, written === undefined ? change : { ...change, written }, policy)
  const refusal = result?.refusal
  if (refusal !== undefined)
    throw new Problem('conflict', 'failed to update ref', { ref: update.name, refusal })
}

async function hasBranches(ctx: Context, storageId: StorageId): Promise<boolean> {
  return (await listRefs(ctx.db, storageId, { prefixes: [HEADS], limit: 1 })).length > 0
}
