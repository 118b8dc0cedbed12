/**
 * Compaction: every push adds a small pack; compaction joins the small ones. It is cheap and runs often: only the joined
 * packs are downloaded, reachability is not computed, and no object is dropped.
 */

import type { Context } from '#platform/context'
import { packFile } from '../../packs/keys.ts'
import { publishPack } from '../../packs/publish.ts'
import { getStorage } from '../../storage/storage.ts'
import type { StorageId } from '../../tables.ts'
import { makePack, openScratch } from '../scratch.ts'
import { packsToJoin } from './geometry.ts'
import { listPacks } from './pack-rows.ts'
import { type Outcome, replacePacks } from './replace-packs.ts'

/** Two nodes may run this concurrently: the second finds nothing to do, or loses the race. */
export async function compact(ctx: Context, storageId: StorageId): Promise<Outcome> {
  const storage = await getStorage(ctx.db, storageId)
  const packs = await listPacks(ctx.db, storageId)
  const joined = packsToJoin(packs.filter(({ kind }) => kind !== 'garbage'))
  if (joined.length === 0) return 'nothing'
  await using scratch = await openScratch(ctx, storage, joined)
  const names = [...new Set(joined.map(({ digest }) => `${packFile(digest, 'pack')}\n`))]
  const path = await makePack(ctx, scratch, ['--stdin-packs'], names.join(''))
  if (path === undefined) return 'nothing'
  const pack = await publishPack(ctx, path, { kind: 'compact' })
  await ctx.cache.pool.adopt(pack.digest, path)
  const outcome = await replacePacks(ctx, storageId, {
    add: [pack],
    replace: joined.map(({ id }) => id),
  })
  ctx.log.info(
    { 'git.storage': storageId, 'git.packs_joined': joined.length, 'git.outcome': outcome },
    'compacted',
  )
  return outcome
}
