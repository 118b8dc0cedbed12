/** The one way packs leave a repository: new ones come and old ones retire in one transaction, or nothing happens. */
import { sql } from 'kysely'
import { type Context, type TxContext, transact } from '#platform/context'
import { addPacks, type PublishedPack } from '../packs/publish.ts'
import { lockStorage } from '../refs/update.ts'

/** `raced`: somebody else replaced some of the packs meanwhile. What was published is swept; run again later. */
export type Outcome = 'done' | 'nothing' | 'raced'

/**
 * Invariant: every object of `replace` is in `add` or in another live pack, or has had its time as garbage. Bytes are
 * never deleted here: whoever reads a retired pack goes on reading it.
 */
export async function replacePacks(
  ctx: Context,
  storageId: number,
  change: { readonly add: readonly PublishedPack[]; readonly replace: readonly string[] },
): Promise<Outcome> {
  const added = new Set(change.add.map(({ digest }) => digest))
  return transact(ctx, async (ctx) => {
    const storage = await lockStorage(ctx, storageId)
    const live = await ctx.db
      .selectFrom('git_repository_pack')
      .select('digest')
      .where('repository_id', '=', storageId)
      .where('digest', '=', sql<string>`any(${[...change.replace]}::text[])`)
      .where('retired_at', 'is', null)
      .execute()
    if (live.length < change.replace.length) return 'raced'
    // Git may have made a pack that was there already, byte for byte: it stays.
    const retired = change.replace.filter((digest) => !added.has(digest))
    await ctx.db
      .updateTable('git_repository_pack')
      .set({ retired_at: ctx.now() })
      .where('repository_id', '=', storageId)
      .where('digest', '=', sql<string>`any(${retired}::text[])`)
      .execute()
    await addPacks(ctx, storage, change.add)
    const generation = storage.generation + 1
    await ctx.db
      .updateTable('git_repository_pack')
      .set({ added_generation: generation })
      .where('repository_id', '=', storageId)
      .where('digest', '=', sql<string>`any(${[...added]}::text[])`)
      .execute()
    await markCollected(ctx, change.add)
    await ctx.db.updateTable('git_repository').set({ generation }).where('id', '=', storageId).execute()
    return 'done'
  })
}

/** A collection may come out as a pack that was there under another kind; what was collected need not be again. */
async function markCollected(ctx: TxContext, packs: readonly PublishedPack[]): Promise<void> {
  const collected = packs.filter(({ kind }) => kind === 'gc').map(({ digest }) => digest)
  await ctx.db
    .updateTable('git_pack')
    .set({ kind: 'gc' })
    .where('digest', '=', sql<string>`any(${collected}::text[])`)
    .where('kind', '<>', 'gc')
    .execute()
}
