/**
 * Expires garbage packs past their retention. A walk from all refs must first prove that no reachable object is in them,
 * and no ref may have moved since. A push in flight meanwhile restores the packs it was built on: see refs/basis.ts.
 */
import { sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import { GitFailure, runGit } from '../../command/run.ts'
import { lockStorage } from '../../refs/update.ts'
import { getStorage, growGeneration } from '../../storage/storage.ts'
import type { Pack, Storage, StorageId } from '../../tables.ts'
import { GARBAGE_KEPT_MS, MAINTENANCE_TIMEOUT_MS } from '../limits.ts'
import { inScratch, openScratch } from '../scratch.ts'
import { listPacks, listTips } from './pack-rows.ts'
import { type Outcome, retirePacks } from './replace-packs.ts'

/** The garbage pack is retired like any replaced pack, and deleted a day later. */
export async function expireGarbage(ctx: Context, storageId: StorageId): Promise<Outcome> {
  // The stamp before the refs: a ref that moves in between changes the stamp.
  const storage = await getStorage(ctx.db, storageId)
  const tips = await listTips(ctx.db, storageId, ctx.now())
  const packs = await listPacks(ctx.db, storageId)
  const oldest = new Date(ctx.now().getTime() - GARBAGE_KEPT_MS)
  const isOver = (pack: Pack) => pack.kind === 'garbage' && pack.created_at <= oldest
  const expired = packs.filter(isOver)
  if (expired.length === 0) return 'nothing'
  const rest = packs.filter((pack) => !isOver(pack))
  if (!(await isWhole(ctx, storage, tips, rest))) {
    // A ref reaches into it again; the next collection repacks the reachable objects.
    ctx.log.info({ 'git.storage': storageId }, 'garbage pack is needed and was kept')
    return 'nothing'
  }
  return transact(ctx, async (ctx) => {
    const now = await lockStorage(ctx, storageId)
    if (now.stamp !== storage.stamp) return 'raced'
    const ids = expired.map(({ id }) => id)
    const retired = await retirePacks(ctx, now, ids)
    await ctx.countPacks(ctx, storageId, -retired.bytes, false)
    // Raises `added_generation` of the collected pack, so that this change alone does not make another collection due.
    await sql`update git_storage_pack set added_generation = ${now.generation + 1}
      where storage_id = ${storageId} and added_generation = ${now.generation} and retired_at is null
        and pack_id in (select id from git_pack where kind = 'gc')`.execute(ctx.db)
    await growGeneration(ctx.db, storageId, { now: ctx.now() })
    return 'done'
  })
}

/** Whether these packs hold everything that refs reach. */
async function isWhole(
  ctx: Context,
  storage: Storage,
  tips: readonly string[],
  packs: readonly Pack[],
): Promise<boolean> {
  await using scratch = await openScratch(ctx, storage, packs)
  const walk = { name: 'rev-list', flags: ['--objects', '--quiet', '--stdin'] as const }
  const input = tips.map((oid) => `${oid}\n`).join('')
  try {
    await inScratch(ctx, scratch, () =>
      runGit(ctx, walk, { path: scratch.path, input, timeoutMs: MAINTENANCE_TIMEOUT_MS }),
    )
    return true
  } catch (error) {
    if (error instanceof GitFailure && error.code !== null) return false
    throw error
  }
}
