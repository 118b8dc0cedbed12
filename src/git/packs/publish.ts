/**
 * Publishing a pack: its rows in `git_pack` and `git_pack_unnamed` come first, then the bytes under a unique key. The
 * name in `git_storage_pack` that makes it part of a repository is written with the refs that need it. A pack that lost
 * its race is harmless: it stays unnamed, and is swept.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Context, TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import type { PackKind, StorageId } from '../tables.ts'
import { packKey } from './keys.ts'
import { findInIndex } from './pack-index.ts'

export interface PublishedPack {
  readonly id: string
  readonly digest: string
  readonly bytes: number
  readonly index_bytes: number
  readonly object_count: number
  readonly kind: PackKind
  /** The subset of `wanted` that it holds. */
  readonly holds: ReadonlySet<string>
}

export interface Publishing {
  readonly kind: PackKind
  /** Objects to look for in the pack: those that refs will point to. */
  readonly wanted?: readonly string[]
}

/** `path` has no suffix: `.pack` and `.idx` are next to each other. */
export async function publishPack(
  ctx: Context,
  path: string,
  { kind, wanted = [] }: Publishing,
): Promise<PublishedPack> {
  const [content, index, object_count, holds] = await Promise.all([
    measure(`${path}.pack`),
    measure(`${path}.idx`),
    countObjects(`${path}.pack`),
    findInIndex(`${path}.idx`, wanted),
  ])
  const { digest, bytes } = content
  const pack = { id: randomUUID(), digest, bytes, index_bytes: index.bytes, object_count, kind, holds }
  await announce(ctx, pack)
  // In any order: no reader looks for either before a row names the pack.
  await Promise.all([
    upload(ctx, `${path}.idx`, packKey(pack, 'idx'), index),
    upload(ctx, `${path}.pack`, packKey(pack, 'pack'), content),
  ])
  return pack
}

/** Publishes the packs of a throw-away repository. */
export async function publishPacks(
  ctx: Context,
  path: string,
  publishing: Publishing,
): Promise<PublishedPack[]> {
  const folder = join(path, 'objects/pack')
  const packs: PublishedPack[] = []
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.pack')) continue
    const file = join(folder, name.slice(0, -'.pack'.length))
    const pack = await publishPack(ctx, file, publishing)
    // The bytes are already on this disk and need not be downloaded.
    await ctx.cache.pool.adopt(pack.digest, file)
    packs.push(pack)
  }
  return packs
}

/** Before the first byte is uploaded, so that the sweeper finds abandoned uploads. */
async function announce(ctx: Context, pack: PublishedPack): Promise<void> {
  const { id, digest, bytes, index_bytes, object_count, kind } = pack
  await sql`with announced as (
      insert into git_pack (id, digest, bytes, index_bytes, object_count, kind, created_at)
      values (${id}, ${digest}, ${bytes}, ${index_bytes}, ${object_count}, ${kind}, ${ctx.now()})
      returning id, created_at)
    insert into git_pack_unnamed (pack_id, since) select id, created_at from announced`.execute(ctx.db)
}

/**
 * Names packs as part of a repository, in the transaction of the refs that need them; the caller holds the lock.
 *
 * Invariant: a pack is named only while its `git_pack_unnamed` row exists. The sweeper deletes that row before it deletes
 * bytes, so one of the two waits for the other and then finds that it is too late, whatever the clocks say.
 */
export async function addPacks(
  ctx: TxContext,
  storage: { id: StorageId; generation: number },
  packs: readonly PublishedPack[],
): Promise<void> {
  if (packs.length === 0) return
  const { rows } = await sql`with announced as (
      delete from git_pack_unnamed where pack_id = any(${packs.map(({ id }) => id)}::uuid[]) returning pack_id)
    insert into git_storage_pack (storage_id, pack_id, added_generation)
    select ${storage.id}, pack_id, ${storage.generation + 1} from announced returning pack_id`.execute(ctx.db)
  if (rows.length < packs.length) throw new Problem('unavailable', 'operation timed out, please try again')
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

/** Bytes 8 to 11 of a pack hold its number of objects. */
async function countObjects(file: string): Promise<number> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 8)
    return buffer.readUInt32BE(0)
  } finally {
    await handle.close()
  }
}
