/**
 * The full collection: reachable objects become one pack; all others go into a separate garbage pack with its own
 * retention, because a push in flight may build on them. Nothing is dropped here: garbage expires separately.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { packFile } from '../../packs/keys.ts'
import { type PublishedPack, publishPack } from '../../packs/publish.ts'
import { getStorage } from '../../storage/storage.ts'
import type { Pack, PackKind, StorageId } from '../../tables.ts'
import { makePack, openScratch, type Scratch } from '../scratch.ts'
import { dropExpiredTips } from './kept-tips.ts'
import { publishAccelerators, writeGraph } from './make-accelerators.ts'
import { listPacks, listTips } from './pack-rows.ts'
import { type Outcome, replacePacks } from './replace-packs.ts'

export async function collectGarbage(ctx: Context, storageId: StorageId): Promise<Outcome> {
  const storage = await getStorage(ctx.db, storageId)
  // Refs before packs: everything these refs reach is in these packs, whatever is pushed in between.
  const begun = ctx.now()
  const tips = await listTips(ctx.db, storageId, begun)
  const packs = await listPacks(ctx.db, storageId)
  if (packs.length === 0) return 'nothing'
  const waiting = packs.filter((pack) => pack.kind === 'garbage')
  const kept = packs.filter((pack) => pack.kind !== 'garbage')

  await using scratch = await openScratch(ctx, storage, packs)
  const add: PublishedPack[] = []
  const reached = await packReached(ctx, scratch, tips)
  if (reached !== undefined) {
    const pack = await publish(ctx, reached, 'gc')
    await publishAccelerators(ctx, pack, reached)
    add.push(pack)
  }
  const unreached = await packGarbage(ctx, scratch, { kept, waiting, reached })
  if (unreached !== undefined) add.push(await publish(ctx, unreached, 'garbage'))
  const replace = kept.map(({ id }) => id)
  const outcome = await replacePacks(ctx, storageId, { add, replace })
  if (outcome === 'done') await dropExpiredTips(ctx.db, storageId, begun)
  ctx.log.info({ 'git.storage': storageId, 'git.outcome': outcome }, 'garbage collected')
  return outcome
}

/** Git makes bitmaps only of objects that refs reach, so the tips become refs of the scratch repository. */
async function packReached(
  ctx: Context,
  scratch: Scratch,
  tips: readonly string[],
): Promise<string | undefined> {
  const lines = tips.map((oid, i) => `${oid} refs/tips/${i}\n`)
  await writeFile(join(scratch.path, 'packed-refs'), lines.join(''))
  const path = await makePack(ctx, scratch, ['--all', '--write-bitmap-index'], '')
  if (path !== undefined) await writeGraph(ctx, scratch, path)
  return path
}

/** All objects of the replaced packs, except those reached and those already in a garbage pack. */
async function packGarbage(
  ctx: Context,
  scratch: Scratch,
  from: { kept: readonly Pack[]; waiting: readonly Pack[]; reached: string | undefined },
): Promise<string | undefined> {
  const { kept, waiting, reached } = from
  if (kept.length === 0) return undefined
  const lines = [
    ...kept.map(({ digest }) => packFile(digest, 'pack')),
    ...waiting.map(({ digest }) => `^${packFile(digest, 'pack')}`),
    ...(reached === undefined ? [] : [`^${reached.slice(reached.lastIndexOf('/') + 1)}.pack`]),
  ]
  return makePack(ctx, scratch, ['--stdin-packs'], `${[...new Set(lines)].join('\n')}\n`)
}

async function publish(ctx: Context, path: string, kind: PackKind): Promise<PublishedPack> {
  const pack = await publishPack(ctx, path, { kind })
  await ctx.cache.pool.adopt(pack.digest, path)
  return pack
}
