/** Refs that the forge keeps beside those of people, moved in the transaction of whatever they tell of. */
import type { TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import { countLivePacks } from '../maintenance/packs/pack-rows.ts'
import { scheduleCompaction } from '../maintenance/upkeep.ts'
import { addPacks } from '../packs/publish.ts'
import { growGeneration, zeroOid } from '../storage/storage.ts'
import type { Storage, StorageId } from '../tables.ts'
import { assertStands } from './basis.ts'
import type { Written } from './move.ts'
import { findRefs, listRefs } from './read.ts'
import { lockStorage, updateRefs } from './update.ts'

/**
 * Points refs to commits, whatever they pointed to before. What they point to is of this storage already, as another ref
 * that is held by the same lock, or comes with `written`.
 */
export async function setRefs(
  ctx: TxContext,
  storageId: StorageId,
  refs: readonly { readonly name: string; readonly oid: string }[],
  written?: Written,
): Promise<void> {
  const storage = await lockStorage(ctx, storageId)
  if (written !== undefined) await takeIn(ctx, storage, written)
  const names = refs.map(({ name }) => name)
  const now = await findRefs(ctx.db, storageId, names)
  const zero = zeroOid(storage.object_format)
  const updates = refs.map(({ name, oid }) => ({
    name,
    old: now.get(name)?.oid ?? zero,
    new: oid,
    peeled: null,
  }))
  const results = await updateRefs(ctx, storage, { updates, isAtomic: true })
  const refused = results.find(({ refusal }) => refusal !== undefined)
  if (refused?.refusal !== undefined)
    throw new Problem('conflict', 'failed to update ref', {
      ref: refused.update.name,
      refusal: refused.refusal,
    })
  await growGeneration(ctx.db, storageId, { now: ctx.now() })
}

/** Forgets all refs below a name, which ends with a slash. What they alone reached is collected some day. */
export async function dropRefs(ctx: TxContext, storageId: StorageId, below: string): Promise<void> {
  const storage = await lockStorage(ctx, storageId)
  const refs = await listRefs(ctx.db, storageId, { prefixes: [below] })
  if (refs.length === 0) return
  const zero = zeroOid(storage.object_format)
  const updates = refs.map(({ name, oid }) => ({ name, old: oid, new: zero, peeled: null }))
  await updateRefs(ctx, storage, { updates, isAtomic: true })
  await growGeneration(ctx.db, storageId, { now: ctx.now() })
}

async function takeIn(ctx: TxContext, storage: Storage, { packs, basis }: Written): Promise<void> {
  await assertStands(ctx, storage, basis)
  await addPacks(ctx, storage, packs)
  await scheduleCompaction(ctx, storage.id, await countLivePacks(ctx.db, storage.id))
}
