/** Finds repositories that are due for maintenance. Run on a schedule, because pushes are not the only cause. */

import { type RawBuilder, sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import type { StorageId } from '../tables.ts'
import { COLLECT_EVERY_MS, GARBAGE_KEPT_MS, PACKS_FEW_MAX } from './limits.ts'
import { type MaintenanceOrder, orderMaintenance } from './upkeep.ts'

const STORAGES_AT_ONCE = 1_000

/** Nightly: orders compaction of many packs, collection of changed repositories, and expiry of old garbage packs. */
export async function maintainStorages(ctx: Context): Promise<void> {
  const ago = (ms: number) => new Date(ctx.now().getTime() - ms)
  await orderWhere(
    ctx,
    'compact',
    sql`
    (select count(*) from git_storage_pack where storage_id = storage.id and retired_at is null)
      > ${PACKS_FEW_MAX}`,
  )
  await orderWhere(
    ctx,
    'collect',
    sql`
    exists (select 1 from git_storage_pack named join git_pack on git_pack.id = named.pack_id
      where named.storage_id = storage.id and retired_at is null and kind <> 'garbage')
    and storage.created_at <= ${ago(COLLECT_EVERY_MS)}
    and (not exists (select 1 from git_storage_pack named join git_pack on git_pack.id = named.pack_id
      where named.storage_id = storage.id and retired_at is null and kind = 'gc'
        and (added_generation >= storage.generation or git_pack.created_at > ${ago(COLLECT_EVERY_MS)}))
      or exists (select 1 from git_kept_tip where storage_id = storage.id and kept_until <= ${ctx.now()}))`,
  )
  await orderWhere(
    ctx,
    'expire',
    sql`
    exists (select 1 from git_storage_pack named join git_pack on git_pack.id = named.pack_id
      where named.storage_id = storage.id and retired_at is null and kind = 'garbage'
        and git_pack.created_at <= ${ago(GARBAGE_KEPT_MS)})`,
  )
}

/** Orders collection of every repository that has packs, whenever it was last collected. */
export async function collectAll(ctx: Context): Promise<void> {
  await orderWhere(
    ctx,
    'collect',
    sql`
    exists (select 1 from git_storage_pack where storage_id = storage.id and retired_at is null)`,
  )
}

async function orderWhere(
  ctx: Context,
  work: MaintenanceOrder['work'],
  isDue: RawBuilder<unknown>,
): Promise<void> {
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: StorageId; is_due: boolean }>`
      select id, ${isDue} as is_due from (
        select * from git_storage where deleted_at is null and id > ${last}
        order by id limit ${STORAGES_AT_ONCE}) storage
      order by id`.execute(ctx.db)
    if (rows.length === 0) return
    last = rows.at(-1)?.id ?? last
    const orders = rows.filter((row) => row.is_due).map(({ id }) => ({ storage_id: id, work }))
    if (orders.length > 0) await transact(ctx, (ctx) => orderMaintenance(ctx, orders))
  }
}
