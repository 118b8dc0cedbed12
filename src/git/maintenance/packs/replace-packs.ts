/** Replaces packs of a repository: new packs are added and old ones retired in one transaction, or nothing changes. */
import { sql } from 'kysely'
import { type Context, type TxContext, transact } from '#platform/context'
import { addPacks, type PublishedPack } from '../../packs/publish.ts'
import { sumBytes } from '../../packs/rows.ts'
import { lockStorage } from '../../refs/update.ts'
import { growGeneration } from '../../storage/storage.ts'
import type { Storage, StorageId } from '../../tables.ts'

/** `raced`: another node replaced some of the packs meanwhile. The published packs are swept; run again later. */
export type Outcome = 'done' | 'nothing' | 'raced'

/**
 * Invariant: every object of `replace` is in `add` or in another live pack. Bytes are never deleted here, so readers of a
 * retired pack can finish.
 */
export async function replacePacks(
  ctx: Context,
  storageId: StorageId,
  change: { readonly add: readonly PublishedPack[]; readonly replace: readonly string[] },
): Promise<Outcome> {
  return transact(ctx, async (ctx) => {
    const storage = await lockStorage(ctx, storageId)
    const retired = await retirePacks(ctx, storage, change.replace)
    if (retired.packs < change.replace.length) throw new Raced()
    await addPacks(ctx, storage, change.add)
    await ctx.countPacks(ctx, storageId, sumBytes(change.add) - retired.bytes, false)
    await growGeneration(ctx.db, storageId, { now: ctx.now() })
    return 'done' as const
  }).catch((error: unknown) => {
    if (error instanceof Raced) return 'raced'
    throw error
  })
}

/** Rolls back the transaction. */
class Raced extends Error {}

/** Returns how many of them were live, and their bytes. The caller holds the lock and increments the generation. */
export async function retirePacks(
  ctx: TxContext,
  storage: Storage,
  ids: readonly string[],
): Promise<{ readonly packs: number; readonly bytes: number }> {
  const { rows } = await sql<{ bytes: number }>`update git_storage_pack
    set retired_at = ${ctx.now()}, retired_generation = ${storage.generation + 1}
    from git_pack where git_pack.id = pack_id and storage_id = ${storage.id}
      and pack_id = any(${[...ids]}::uuid[]) and retired_at is null
    returning git_pack.bytes`.execute(ctx.db)
  return { packs: rows.length, bytes: sumBytes(rows) }
}
