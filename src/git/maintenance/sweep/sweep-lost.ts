/**
 * Deletes packs in the store that have no row: a failover to a standby that lacked the last commits loses their rows, and
 * with them the `git_pack_unnamed` rows by which the sweeper would have found them. Only listing the store shows them.
 *
 * Invariant: the row of a pack is committed before its first byte is stored, and its key is never reused. So an object
 * that was listed and has no row afterwards can never be named. A stale listing may lack new packs, which the next run
 * finds, and may show deleted packs, whose second deletion is harmless.
 */
import { sql } from 'kysely'
import { isBackupUnderWay } from '#platform/backup'
import { type Context, type TxContext, transact } from '#platform/context'
import type { ListedObject } from '#platform/object-store'
import { PACKS_PREFIX, readPackKey } from '../../packs/keys.ts'
import { LOST_KEPT_MS } from '../limits.ts'

const KEYS_AT_ONCE = 1_000

/** Marks them as doomed like packs that lost their last name, so their bytes are deleted a day later. */
export async function sweepLostPacks(ctx: Context): Promise<void> {
  const before = ctx.now().getTime() - LOST_KEPT_MS
  let batch: ListedObject[] = []
  let lost = 0
  for await (const object of ctx.store.list(PACKS_PREFIX)) {
    if (object.modified_at.getTime() < before) batch.push(object)
    if (batch.length < KEYS_AT_ONCE) continue
    lost += await transact(ctx, (ctx) => doomUnknown(ctx, batch))
    batch = []
  }
  if (batch.length > 0) lost += await transact(ctx, (ctx) => doomUnknown(ctx, batch))
  if (lost > 0) ctx.log.warn({ 'git.packs': lost }, 'packs without a row found in the store')
}

async function doomUnknown(ctx: TxContext, objects: readonly ListedObject[]): Promise<number> {
  if (await isBackupUnderWay(ctx.db)) return 0
  const packs = objects.flatMap(({ key }) => readPackKey(key) ?? [])
  const { numAffectedRows = 0n } = await sql`insert into git_pack_doomed (id, digest, since)
    select distinct on (id) id, digest, ${ctx.now()}::timestamptz
    from unnest(${packs.map(({ id }) => id)}::uuid[], ${packs.map(({ digest }) => digest)}::text[]) as listed (id, digest)
    where not exists (select 1 from git_pack where git_pack.id = listed.id)
    on conflict (id) do nothing`.execute(ctx.db)
  return Number(numAffectedRows)
}
