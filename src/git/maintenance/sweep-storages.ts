/** Storages whose time to be taken back is over: their rows go, and the bytes that nobody else names. */
import { sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import { lockDigests } from '../packs/digest-lock.ts'
import { CLOCKS_DIFFER_MS, ORPHAN_KEPT_MS, UNDO_MS, UPLOAD_KEPT_MS } from './limits.ts'
import { sweepUploads } from './sweep.ts'

const STORAGES_AT_ONCE = 200
const PACKS_AT_ONCE = 500
const REFS_AT_ONCE = 20_000
const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Invariant: nobody else deletes storages. Refs have no foreign key that would, so they go first; notes of what is to
 * be deleted may outlive the storage, because they are swept by digest.
 */
export async function sweepStorages(ctx: Context): Promise<void> {
  await giveUpOrphans(ctx)
  const before = new Date(ctx.now().getTime() - UNDO_MS - CLOCKS_DIFFER_MS)
  const doomed: number[] = []
  for (let last = 0; ; ) {
    const rows = await ctx.db
      .selectFrom('git_repository')
      .select('id')
      .where('deleted_at', '<', before)
      .where('id', '>', last)
      .orderBy('id')
      .limit(STORAGES_AT_ONCE)
      .execute()
    if (rows.length === 0) break
    for (const { id } of rows) {
      last = id
      await forgetRefs(ctx, id)
      await forgetPacks(ctx, id)
      doomed.push(id)
    }
  }
  if (doomed.length === 0) return
  await sweepUploads(ctx)
  for (const id of doomed) await remove(ctx, id)
}

/** Whoever was making these has died: they wait out the time to undo like any other. */
async function giveUpOrphans(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - ORPHAN_KEPT_MS)
  await ctx.db
    .updateTable('git_repository')
    .set({ deleted_at: ctx.now() })
    .where('is_adopted', '=', false)
    .where('created_at', '<', before)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Few at once: a repository may have had a million. */
async function forgetRefs(ctx: Context, id: number): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from git_ref where repository_id = ${id} and name in
      (select name from git_ref where repository_id = ${id} limit ${REFS_AT_ONCE})`.execute(ctx.db)
    if (numAffectedRows === 0n) return
  }
}

/** Each name becomes a note that the bytes may have to go, old enough to be looked at soon. */
async function forgetPacks(ctx: Context, id: number): Promise<void> {
  const since = new Date(ctx.now().getTime() - UPLOAD_KEPT_MS - 1)
  for (;;) {
    const rows = await ctx.db
      .selectFrom('git_repository_pack')
      .select('digest')
      .where('repository_id', '=', id)
      .limit(PACKS_AT_ONCE)
      .execute()
    if (rows.length === 0) return
    const digests = rows.map(({ digest }) => digest)
    await transact(ctx, async (ctx) => {
      await lockDigests(ctx.db, digests)
      await sql`with gone as (
          delete from git_repository_pack
          where repository_id = ${id} and digest = any(${digests}::text[]) returning digest)
        insert into git_pack_upload (digest, repository_id, started_at)
        select digest, ${id}, ${since} from gone on conflict do nothing`.execute(ctx.db)
    })
  }
}

async function remove(ctx: Context, id: number): Promise<void> {
  try {
    await sql`delete from git_repository where id = ${id} and deleted_at is not null
      and not exists (select 1 from git_ref where repository_id = ${id})
      and not exists (select 1 from git_repository_pack where repository_id = ${id})`.execute(ctx.db)
  } catch (error) {
    if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error
    ctx.log.error({ 'git.storage': id }, 'storage was deleted but something still refers to it')
  }
}
