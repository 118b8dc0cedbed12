/** Sweeps unused objects, abandoned uploads, and versions that are too old. */
import { type Context, transact } from '#platform/context'
import { discardObjects } from '#platform/discard'
import { globOf } from '#platform/patterns'
import { deleteStaleObjects, deleteUnnamed, lockUnnamed } from './blobs/store.ts'
import { objectKey } from './blobs/take-bytes.ts'
import { deleteVersionRows, dropIfEmpty } from './records/delete.ts'
import { lockPackage, selectShownOf } from './records/store.ts'
import { TYPES } from './types/index.ts'
import { deleteStaleUploads } from './uploads/store.ts'

/** Longer than any upload takes. */
const KEPT_MS = 24 * 3_600_000
const DAY_MS = 24 * 3_600_000
const AT_ONCE = 500

export async function cleanupPackages(ctx: Context): Promise<void> {
  for (const { sweep } of TYPES) await sweep?.(ctx)
  await removeOldVersions(ctx)
  const before = new Date(ctx.now().getTime() - KEPT_MS)
  await repeat(() => transact(ctx, (ctx) => deleteStaleUploads(ctx.db, before, AT_ONCE)))
  await repeat(() =>
    transact(ctx, async (ctx) => {
      const keys = await deleteStaleObjects(ctx.db, before, AT_ONCE)
      await discardObjects(ctx, keys.map(objectKey))
      return keys.length
    }),
  )
  await repeat(() =>
    transact(ctx, async (ctx) => {
      const ids = await lockUnnamed(ctx.db, { before, limit: AT_ONCE })
      await discardObjects(ctx, (await deleteUnnamed(ctx.db, ids)).map(objectKey))
      return ids.length
    }),
  )
}

/** Repeats while full batches are processed. */
async function repeat(work: () => Promise<number>): Promise<void> {
  for (let done = AT_ONCE; done === AT_ONCE; ) done = await work()
}

/**
 * Applies the retention settings: beyond the newest versions, older than so many days, and matching the name pattern.
 * No webhooks.
 */
async function removeOldVersions(ctx: Context): Promise<void> {
  const days = ctx.config['packages.remove_older_days']
  if (days === 0) return
  const before = new Date(ctx.now().getTime() - days * DAY_MS)
  const fits = globOf(ctx.config['packages.remove_pattern'], '')
  for (let after = 0; ; ) {
    const some = await ctx.db
      .selectFrom('package')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    for (const { id } of some) await removeOldOf(ctx, id, before, fits)
    if (some.length < AT_ONCE) return
    after = some.at(-1)?.id ?? after
  }
}

async function removeOldOf(
  ctx: Context,
  packageId: number,
  before: Date,
  fits: (text: string) => boolean,
): Promise<void> {
  const keep = ctx.config['packages.keep_newest']
  const beyond = await selectShownOf(ctx.db, packageId).offset(keep).limit(1).executeTakeFirst()
  if (beyond === undefined) return
  await transact(ctx, async (ctx) => {
    const pkg = await lockPackage(ctx.db, packageId)
    if (pkg === undefined) return
    const all = await selectShownOf(ctx.db, packageId)
      .clearSelect()
      .select(['package_version.id', 'package_version.version', 'package_version.created_at'])
      .execute()
    const old = all.slice(keep).filter(({ version, created_at }) => created_at < before && fits(version))
    await deleteVersionRows(
      ctx,
      old.map(({ id }) => id),
    )
    const unneeded = TYPES.find(({ type }) => type === pkg.type)?.findUnneeded
    await deleteVersionRows(ctx, (await unneeded?.(ctx, packageId)) ?? [])
    await dropIfEmpty(ctx, packageId)
  })
}
