/**
 * The sweeper: the only code that deletes bytes, long after the last possible use.
 *
 * Invariant: a pack that may be in the store has a name (`git_storage_pack`), or a row in `git_pack_unnamed`, or one in
 * `git_pack_doomed`. The transaction that dooms a pack makes sure that it can never be named again; only then are its
 * bytes deleted, by any sweeper, however long that takes. Clocks decide when something is deleted, never whether it may
 * be.
 */

import { sql } from 'kysely'
import { isBackupUnderWay } from '#platform/backup'
import { type Context, type TxContext, transact } from '#platform/context'
import { FOREIGN_KEY_VIOLATION, sqlStateOf } from '#platform/db'
import { ACCELERATORS, packKey, SIDECARS } from '../../packs/keys.ts'
import { lockStorage } from '../../refs/update.ts'
import type { StorageId } from '../../tables.ts'
import { NO_STORAGE } from '../../tables.ts'
import { GENERATIONS_KEPT_MS, RETIRED_KEPT_MS, UPLOAD_KEPT_MS } from '../limits.ts'

const ROWS_AT_ONCE = 1_000
/** Sorts before every pack id. */
const NO_PACK = '00000000-0000-0000-0000-000000000000'

interface Doomed {
  readonly id: string
  readonly digest: string
}

/** Unnames retired packs, deletes the bytes of packs without a name, and deletes old generations. */
export async function sweepPacks(ctx: Context): Promise<void> {
  await releaseRetired(ctx)
  await sweepUnnamed(ctx)
  await sweepDoomed(ctx)
  await forgetGenerations(ctx)
}

async function releaseRetired(ctx: Context): Promise<void> {
  const before = ago(ctx, RETIRED_KEPT_MS)
  for (let last = NO_STORAGE; ; ) {
    const storages = await ctx.db
      .selectFrom('git_storage_pack')
      .innerJoin('git_storage', 'git_storage.id', 'git_storage_pack.storage_id')
      .select('storage_id')
      .distinct()
      .where('retired_at', '<', before)
      .where('deleted_at', 'is', null)
      .where('storage_id', '>', last)
      .orderBy('storage_id')
      .limit(ROWS_AT_ONCE)
      .execute()
    if (storages.length === 0) return
    for (const { storage_id: id } of storages) {
      last = id
      await transact(ctx, (ctx) => release(ctx, id, before)).catch(logFailure(ctx, { 'git.storage': id }))
    }
  }
}

/**
 * Removes the names of retired packs and inserts `git_pack_unnamed` rows in the same statement. A push that read the
 * repository before these packs retired learns from `released_generation` that it is too late to build on them.
 */
async function release(ctx: TxContext, storageId: StorageId, before: Date): Promise<void> {
  await lockStorage(ctx, storageId)
  await sql`with released as (
      delete from git_storage_pack where storage_id = ${storageId} and retired_at < ${before}
      returning pack_id, retired_at, retired_generation),
    remembered as (
      update git_storage set released_generation =
        greatest(released_generation, (select max(retired_generation) from released))
      where id = ${storageId})
    ${noteUnnamed(sql`select pack_id, retired_at from released`)}`.execute(ctx.db)
}

/** An existing row is updated, so that a sweeper that is just checking it checks again. */
export function noteUnnamed(packs: ReturnType<typeof sql>): ReturnType<typeof sql> {
  return sql`insert into git_pack_unnamed (pack_id, since) ${packs}
    on conflict (pack_id) do update set since = least(git_pack_unnamed.since, excluded.since)`
}

/** Packs unnamed for long: if one was named after all its row is deleted, otherwise the pack is doomed. */
export async function sweepUnnamed(ctx: Context): Promise<void> {
  const before = ago(ctx, UPLOAD_KEPT_MS)
  for (let last = NO_PACK; ; ) {
    const rows = await ctx.db
      .selectFrom('git_pack_unnamed')
      .select('pack_id')
      .where('since', '<', before)
      .where('pack_id', '>', last)
      .orderBy('pack_id')
      .limit(ROWS_AT_ONCE)
      .execute()
    if (rows.length === 0) return
    for (const { pack_id: id } of rows) {
      last = id
      // A failure must not block the others; the pack is retried next time.
      await sweepPack(ctx, id, before).catch(logFailure(ctx, { 'git.pack': id }))
    }
  }
}

async function sweepPack(ctx: Context, id: string, before: Date): Promise<void> {
  const doomed = await transact(ctx, (ctx) => doom(ctx, id, before)).catch((error: unknown) => {
    // A concurrent transaction has just named it.
    if (sqlStateOf(error) !== FOREIGN_KEY_VIOLATION) throw error
    return undefined
  })
  if (doomed !== undefined) await deleteBytes(ctx, doomed)
}

/** Locks the `git_pack_unnamed` row before looking for names: every transaction that names or unnames the pack writes it. */
async function doom(ctx: TxContext, id: string, before: Date): Promise<Doomed | undefined> {
  if (await isBackupUnderWay(ctx.db)) return undefined
  const note = await ctx.db
    .selectFrom('git_pack_unnamed')
    .select('pack_id')
    .where('pack_id', '=', id)
    .where('since', '<', before)
    .forUpdate()
    .executeTakeFirst()
  if (note === undefined) return undefined
  const name = await ctx.db
    .selectFrom('git_storage_pack')
    .select('pack_id')
    .where('pack_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (name !== undefined) {
    await ctx.db.deleteFrom('git_pack_unnamed').where('pack_id', '=', id).execute()
    return undefined
  }
  const { rows } = await sql<Doomed>`with gone as (delete from git_pack where id = ${id} returning id, digest)
    insert into git_pack_doomed (id, digest, since) select id, digest, ${ctx.now()} from gone
    returning id, digest`.execute(ctx.db)
  return rows[0]
}

/**
 * Deletes once more, for the last time, the bytes of packs doomed so long ago that no upload of them can still be
 * running.
 */
async function sweepDoomed(ctx: Context): Promise<void> {
  const before = ago(ctx, UPLOAD_KEPT_MS)
  for (let last = NO_PACK; ; ) {
    const rows = await ctx.db
      .selectFrom('git_pack_doomed')
      .select(['id', 'digest'])
      .where('since', '<', before)
      .where('id', '>', last)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    if (rows.length === 0) return
    for (const doomed of rows) {
      last = doomed.id
      // A failure of the store must not block the others; the pack is retried next time.
      await forgetDoomed(ctx, doomed).catch(logFailure(ctx, { 'git.pack': doomed.id }))
    }
  }
}

async function forgetDoomed(ctx: Context, doomed: Doomed): Promise<void> {
  await deleteBytes(ctx, doomed)
  await ctx.db.deleteFrom('git_pack_doomed').where('id', '=', doomed.id).execute()
}

async function deleteBytes(ctx: Context, doomed: Doomed): Promise<void> {
  for (const part of [...SIDECARS, ...ACCELERATORS]) await ctx.store.delete(packKey(doomed, part))
}

async function forgetGenerations(ctx: Context): Promise<void> {
  const before = ago(ctx, GENERATIONS_KEPT_MS)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from git_generation where stamp in
      (select stamp from git_generation where created_at < ${before} limit ${ROWS_AT_ONCE})`.execute(ctx.db)
    if (numAffectedRows === 0n) return
  }
}

function logFailure(ctx: Context, facts: Record<string, unknown>): (error: unknown) => void {
  return (error) => ctx.log.error({ err: error, ...facts }, 'pack sweep failed')
}

function ago(ctx: Context, ms: number): Date {
  return new Date(ctx.now().getTime() - ms)
}
