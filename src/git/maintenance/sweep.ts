/**
 * The sweeper: the only one that deletes bytes, long after everything that could need them.
 *
 * Invariant: a digest that may lie in the store is named by a repository, or has a row in `git_pack_upload`: from the
 * intent of its upload until it is named, and again from the moment that its last name is taken away. So what is to be
 * deleted is found without listing the store and without reading all packs.
 */
import { sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import { lockDigests } from '../packs/digest-lock.ts'
import { HINTS, packKey, SIDECARS } from '../packs/keys.ts'
import { PUSH_KEPT_MS, RETIRED_KEPT_MS, UPLOAD_KEPT_MS } from './limits.ts'

const ROWS_AT_ONCE = 1_000

/** Retired packs lose their names, what nobody names loses its bytes, pushes are forgotten. */
export async function sweepPacks(ctx: Context): Promise<void> {
  await releaseRetired(ctx)
  await sweepUploads(ctx)
  await sweepPushes(ctx)
}

/** Garbage is not let go by its age alone: see let-go.ts. */
async function releaseRetired(ctx: Context): Promise<void> {
  const before = ago(ctx, RETIRED_KEPT_MS)
  for (;;) {
    const { rows } = await sql<{ repository_id: number; digest: string }>`
      select repository_id, digest from git_repository_pack join git_pack using (digest)
      where retired_at < ${before} and kind <> 'garbage' order by retired_at limit ${ROWS_AT_ONCE}`.execute(
      ctx.db,
    )
    if (rows.length === 0) return
    for (const [id, names] of Map.groupBy(rows, (row) => row.repository_id))
      await letGo(
        ctx,
        id,
        names.map(({ digest }) => digest),
      )
  }
}

/** Takes names of retired packs away, and notes in the same moment that their bytes may have to go. */
export async function letGo(ctx: Context, storageId: number, digests: readonly string[]): Promise<void> {
  await transact(ctx, async (ctx) => {
    // Else the sweeper could still see the name, and strike out the note of somebody else that this one relies on.
    await lockDigests(ctx.db, digests)
    // Whoever brought a pack back meanwhile keeps it, and an intent that is newer than this note is left as it is.
    await sql`with gone as (
        delete from git_repository_pack
        where repository_id = ${storageId} and digest = any(${[...digests]}::text[])
          and retired_at < ${ago(ctx, RETIRED_KEPT_MS)}
        returning digest, repository_id, retired_at)
      insert into git_pack_upload (digest, repository_id, started_at)
      select digest, repository_id, retired_at from gone on conflict do nothing`.execute(ctx.db)
  })
}

/** What was uploaded long ago: named, and the note is done with; or not, and the bytes go. */
export async function sweepUploads(ctx: Context): Promise<void> {
  const before = ago(ctx, UPLOAD_KEPT_MS)
  let last = ''
  for (;;) {
    const rows = await ctx.db
      .selectFrom('git_pack_upload')
      .select('digest')
      .distinct()
      .where('started_at', '<', before)
      .where('digest', '>', last)
      .orderBy('digest')
      .limit(ROWS_AT_ONCE)
      .execute()
    if (rows.length === 0) return
    for (const { digest } of rows) {
      last = digest
      // One that fails must not keep the others from being swept; it is there again the next time.
      await sweepDigest(ctx, digest, before).catch((error: unknown) =>
        ctx.log.error({ err: error, 'git.pack': digest }, 'pack could not be swept'),
      )
    }
  }
}

/**
 * Deletes a pack that nobody names and nobody is about to name.
 *
 * The lock is held until the bytes are gone, for once with the store inside a transaction: a publisher writes its intent
 * under the same lock. It comes before, and is seen here; or after, and uploads the bytes anew. A crash on the way
 * brings the rows back: a pack without bytes that nobody names harms nobody, and is swept the next time.
 */
async function sweepDigest(ctx: Context, digest: string, before: Date): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockDigests(ctx.db, [digest])
    // One statement, so one moment: a name comes and its intent goes in the same transaction.
    const { rows } = await sql<{ is_named: boolean; is_awaited: boolean }>`
      select exists (select 1 from git_repository_pack where digest = ${digest}) as is_named,
        exists (select 1 from git_pack_upload where digest = ${digest} and started_at >= ${before}) as is_awaited`.execute(
      ctx.db,
    )
    const [found] = rows
    if (found === undefined || found.is_awaited) return
    await ctx.db.deleteFrom('git_pack_upload').where('digest', '=', digest).execute()
    if (found.is_named) return
    await ctx.db.deleteFrom('git_pack').where('digest', '=', digest).execute()
    for (const part of [...SIDECARS, ...HINTS]) await ctx.store.delete(packKey(digest, part))
  })
}

async function sweepPushes(ctx: Context): Promise<void> {
  const before = ago(ctx, PUSH_KEPT_MS)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from git_push where id in
      (select id from git_push where created_at < ${before} limit ${ROWS_AT_ONCE})`.execute(ctx.db)
    if (numAffectedRows === 0n) return
  }
}

function ago(ctx: Context, ms: number): Date {
  return new Date(ctx.now().getTime() - ms)
}
