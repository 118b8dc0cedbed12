/** The files of releases: their bytes in the object store, their names in rows. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { CanWrite } from '#domains/repositories'
import { type Context, transact } from '#platform/context'
import { countRows } from '#platform/db'
import { discardObjects } from '#platform/discard'
import { notFound, Problem } from '#platform/problem'
import type { SignedIn, Upload } from '#platform/rest'
import type { Seen } from './open-release.ts'
import type { AssetRow } from './tables.ts'

const NAME_MAX = 255
const ASSETS_A_RELEASE_MAX = 1_000
/** Longer than any upload takes. */
const ORPHAN_KEPT_MS = 24 * 3_600_000
const SWEPT_AT_ONCE = 500

export async function addAsset(
  ctx: Context,
  _repo: CanWrite<'releases'>,
  actor: SignedIn,
  release: Seen,
  upload: Upload | null,
  wanted: string,
): Promise<AssetRow> {
  const name = nameOf(wanted || (upload?.name ?? ''))
  if (upload === null || name === '')
    throw new Problem('malformed', 'could not determine the name of the attachment')
  const uuid = await storeAsset(ctx, actor, name, (file) =>
    pipeline(upload.content, file, { signal: ctx.signal }),
  )
  return transact(ctx, async (ctx) => {
    const assets = ctx.db.selectFrom('release_asset').where('release_id', '=', release.id)
    if ((await countRows(assets)) >= ASSETS_A_RELEASE_MAX)
      throw new Problem('too_large', 'release has too many attachments')
    return ctx.db
      .updateTable('release_asset')
      .set({ release_id: release.id })
      .where('uuid', '=', uuid)
      .returningAll()
      .executeTakeFirstOrThrow(() => new Problem('unavailable', 'operation timed out, please try again'))
  })
}

/** Writes what a file shall hold, and ends it. */
export type Fill = (file: WriteStream) => Promise<unknown>

/** Gives the number of a file that belongs to no release yet, and is swept unless it soon does. */
export async function storeAsset(
  ctx: Context,
  uploader: { readonly id: number },
  wanted: string,
  fill: Fill,
): Promise<string> {
  // The row first: whatever is stored can be found again, also when nobody is left to finish it.
  const uuid = randomUUID()
  const name = nameOf(wanted)
  await transact(ctx, async (ctx) => {
    await ctx.db
      .insertInto('release_asset')
      .values({ uuid, release_id: null, name, bytes: 0, uploader_id: uploader.id, created_at: ctx.now() })
      .execute()
  })
  const bytes = await keep(ctx, uuid, fill)
  await transact(ctx, async (ctx) => {
    await ctx.db.updateTable('release_asset').set({ bytes }).where('uuid', '=', uuid).execute()
  })
  return uuid
}

/** A store wants to know how much is coming, and a client may not say: the file waits on disk, never in memory. */
async function keep(ctx: Context, uuid: string, fill: Fill): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-upload-'))
  const path = join(folder, 'file')
  const file = createWriteStream(path)
  try {
    await once(file, 'open')
    await fill(file)
    const { size } = await stat(path)
    await ctx.store.create(keyOf(uuid), createReadStream(path), { bytes: size, signal: ctx.signal })
    return size
  } finally {
    file.destroy()
    await rm(folder, { recursive: true, force: true })
  }
}

export async function openAsset(ctx: Context, release: Seen, id: number): Promise<AssetRow> {
  const asset = await ctx.db
    .selectFrom('release_asset')
    .selectAll()
    .where('release_id', '=', release.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (asset === undefined) throw notFound('attachment', id)
  return asset
}

export async function renameAsset(ctx: Context, asset: AssetRow, name: string): Promise<AssetRow> {
  return transact(ctx, (ctx) =>
    ctx.db
      .updateTable('release_asset')
      .set({ name: nameOf(name) })
      .where('id', '=', asset.id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** Out of sight at once; its bytes go when it is swept. */
export async function removeAsset(ctx: Context, asset: AssetRow): Promise<void> {
  await transact(ctx, async (ctx) => {
    await ctx.db.updateTable('release_asset').set({ release_id: null }).where('id', '=', asset.id).execute()
  })
}

export async function findAssetByUuid(ctx: Context, uuid: string): Promise<AssetRow | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)) return undefined
  return ctx.db.selectFrom('release_asset').selectAll().where('uuid', '=', uuid).executeTakeFirst()
}

export async function findAssetByName(
  ctx: Context,
  release: Seen,
  name: string,
): Promise<AssetRow | undefined> {
  return ctx.db
    .selectFrom('release_asset')
    .selectAll()
    .where('release_id', '=', release.id)
    .where('name', '=', name)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function downloadAsset(
  ctx: Context,
  asset: AssetRow,
): Promise<{ body: Readable; bytes: number }> {
  const stored = await ctx.store.read(keyOf(asset.uuid), { signal: ctx.signal })
  await ctx.db
    .updateTable('release_asset')
    .set((eb) => ({ downloads: eb('downloads', '+', 1) }))
    .where('id', '=', asset.id)
    .execute()
  return stored
}

/** Rows that belong to no release go, and their bytes with them: an upload that still comes finds no row to complete. */
export async function sweepAssets(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - ORPHAN_KEPT_MS)
  for (let swept = SWEPT_AT_ONCE; swept === SWEPT_AT_ONCE; )
    swept = await transact(ctx, async (ctx) => {
      const { rows } = await sql<{ uuid: string }>`delete from release_asset where id in (
          select id from release_asset where release_id is null and created_at < ${before}
          order by created_at limit ${SWEPT_AT_ONCE})
        and release_id is null returning uuid`.execute(ctx.db)
      await discardObjects(
        ctx,
        rows.map(({ uuid }) => keyOf(uuid)),
      )
      return rows.length
    })
}

function keyOf(uuid: string): string {
  return `releases/${uuid.slice(0, 2)}/${uuid}`
}

/** The last part of a path, without what no header could carry. */
function nameOf(text: string): string {
  const last = text.split(/[\\/]/).at(-1) ?? ''
  return last
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, NAME_MAX)
}
