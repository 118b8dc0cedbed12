/**
 * Publishing a pack: an intent, then the bytes, create-only; the row that makes it part of a repository comes with the
 * refs that need it. A pack that lost its race is harmless: it is found by its intent and swept.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context, TxContext } from '#platform/context'
import type { PackKind } from '../tables.ts'
import { writeIntent } from './digest-lock.ts'
import { packKey } from './keys.ts'

export interface PublishedPack {
  readonly digest: string
  readonly bytes: number
  readonly index_bytes: number
  readonly object_count: number
  readonly kind: PackKind
}

/** `path` without its ending: `.pack` and `.idx` lie side by side. */
export async function publishPack(
  ctx: Context,
  repositoryId: number,
  path: string,
  kind: PackKind,
): Promise<PublishedPack> {
  const [pack, index] = await Promise.all([measure(`${path}.pack`), measure(`${path}.idx`)])
  await writeIntent(ctx.db, { digest: pack.digest, repositoryId, now: ctx.now() })
  // Nobody looks for either before the row is there that names them.
  await Promise.all([
    upload(ctx, `${path}.idx`, packKey(pack.digest, 'idx'), index),
    upload(ctx, `${path}.pack`, packKey(pack.digest, 'pack'), pack),
  ])
  return {
    digest: pack.digest,
    bytes: pack.bytes,
    index_bytes: index.bytes,
    object_count: await countObjects(`${path}.pack`),
    kind,
  }
}

/** The packs that lie in a repository of our own, which has nothing else. */
export async function publishPacks(
  ctx: Context,
  repositoryId: number,
  path: string,
  kind: PackKind,
): Promise<PublishedPack[]> {
  const folder = join(path, 'objects/pack')
  const packs: PublishedPack[] = []
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.pack')) continue
    const file = join(folder, name.slice(0, -'.pack'.length))
    const pack = await publishPack(ctx, repositoryId, file, kind)
    // It need not be downloaded here: the bytes are on this disk already.
    await ctx.cache.pool.adopt(pack.digest, file)
    packs.push(pack)
  }
  return packs
}

/** Makes packs part of a repository, in the transaction of the refs that need them; the caller holds the lock. */
export async function addPacks(
  ctx: TxContext,
  storage: { id: number; generation: number },
  packs: readonly PublishedPack[],
): Promise<void> {
  if (packs.length === 0) return
  const digests = packs.map(({ digest }) => digest)
  await ctx.db
    .insertInto('git_pack')
    .values(packs.map((pack) => ({ ...pack, created_at: ctx.now() })))
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .execute()
  await ctx.db
    .insertInto('git_repository_pack')
    .values(
      digests.map((digest) => ({
        repository_id: storage.id,
        digest,
        added_generation: storage.generation + 1,
        retired_at: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['repository_id', 'digest']).doUpdateSet({ retired_at: null }))
    .execute()
  await ctx.db
    .deleteFrom('git_pack_upload')
    .where('repository_id', '=', storage.id)
    .where('digest', 'in', digests)
    .execute()
}

interface Measured {
  readonly digest: string
  readonly bytes: number
}

async function upload(ctx: Context, file: string, key: string, { digest, bytes }: Measured): Promise<void> {
  await ctx.store.create(key, createReadStream(file), { bytes, sha256: digest, signal: ctx.signal })
}

async function measure(file: string): Promise<Measured> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { digest: hash.digest('hex'), bytes: (await stat(file)).size }
}

/** The third word of a pack says how many objects it holds. */
async function countObjects(file: string): Promise<number> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 8)
    return buffer.readUInt32BE(0)
  } finally {
    await handle.close()
  }
}
