/** Where an act begins and which ref it moves; and moving it. */

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

/** Whole names of refs. */
export interface Target {
  readonly branch: string
  /** Leaves `branch` as it is and makes this one from it. */
  readonly newBranch?: string
}

export interface Place {
  readonly storageId: StorageId
  /** The ref that will be moved or made. */
  readonly ref: string
  /** What it must be when it is moved; all zeros when it must not be there. */
  readonly old: string
  /** The commit to build upon; null in a repository without any branch. */
  readonly start: string | null
}

/** In a repository without any branch the first commit may make its branch; otherwise the branch must be there. */
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

/** A place that has a commit to build upon. */
export async function getPlace(
  ctx: Context,
  storageId: StorageId,
  target: Target,
): Promise<Place & { start: string }> {
  const place = await findPlace(ctx, storageId, target)
  if (place.start === null) throw notFound('branch', target.branch)
  return { ...place, start: place.start }
}

/** Moves the ref of a place, or says why not. */
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
