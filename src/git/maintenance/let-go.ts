/**
 * Letting go of garbage that has had its time. A collection has retired it, but a push that was in flight just then may
 * have built on it. So nothing goes before a walk from all refs has shown that nobody misses it; else it comes back.
 */
import { sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import { GitFailure, runGit } from '../command/run.ts'
import { lockStorage } from '../refs/update.ts'
import { getStorage } from '../storage.ts'
import { CARE_TIMEOUT_MS, RETIRED_KEPT_MS } from './limits.ts'
import { listPacks, listTips } from './pack-rows.ts'
import type { Outcome } from './replace-packs.ts'
import { inScratch, openScratch } from './scratch.ts'
import { letGo } from './sweep.ts'

export async function letGarbageGo(ctx: Context, storageId: number): Promise<Outcome> {
  const retired = await listRetiredGarbage(ctx, storageId)
  if (retired.length === 0) return 'nothing'
  if (await isWhole(ctx, storageId)) {
    await letGo(ctx, storageId, retired)
    return 'done'
  }
  await transact(ctx, async (ctx) => {
    const { generation } = await lockStorage(ctx, storageId)
    await ctx.db
      .updateTable('git_repository_pack')
      .set({ retired_at: null, added_generation: generation + 1 })
      .where('repository_id', '=', storageId)
      .where('digest', '=', sql<string>`any(${retired}::text[])`)
      .execute()
    await ctx.db
      .updateTable('git_repository')
      .set({ generation: generation + 1 })
      .where('id', '=', storageId)
      .execute()
  })
  ctx.log.warn({ 'git.storage': storageId }, 'garbage is missed and was brought back')
  return 'raced'
}

/** Whether everything that refs reach is in live packs. */
async function isWhole(ctx: Context, storageId: number): Promise<boolean> {
  const storage = await getStorage(ctx.db, storageId)
  const tips = await listTips(ctx.db, storageId)
  const packs = await listPacks(ctx.db, storageId)
  await using scratch = await openScratch(ctx, storage, packs)
  const walk = { name: 'rev-list', flags: ['--objects', '--quiet', '--stdin'] as const }
  const input = tips.map((oid) => `${oid}\n`).join('')
  try {
    await inScratch(ctx, scratch, () =>
      runGit(ctx, walk, { path: scratch.path, input, timeoutMs: CARE_TIMEOUT_MS }),
    )
    return true
  } catch (error) {
    if (error instanceof GitFailure && error.code !== null) return false
    throw error
  }
}

/** Long enough ago that no push from before is still under way. */
async function listRetiredGarbage(ctx: Context, storageId: number): Promise<string[]> {
  const before = new Date(ctx.now().getTime() - RETIRED_KEPT_MS)
  const rows = await ctx.db
    .selectFrom('git_repository_pack')
    .innerJoin('git_pack', 'git_pack.digest', 'git_repository_pack.digest')
    .select('git_pack.digest')
    .where('git_repository_pack.repository_id', '=', storageId)
    .where('git_repository_pack.retired_at', '<', before)
    .where('git_pack.kind', '=', 'garbage')
    .execute()
  return rows.map(({ digest }) => digest)
}
