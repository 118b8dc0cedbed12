/** Deletes versions, files and packages: rows at once, objects by a queued job, unless other blobs share them. */
import { sql } from 'kysely'
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import { freeBlobs } from '../blobs/adopt.ts'
import { eventOf } from './publish.ts'
import { lockPackage, type ShownVersion, selectShownOf } from './store.ts'

/** Limit of one statement. */
const AT_ONCE = 1_000

/** Emits events for visible versions. Callers have locked the package. */
export async function deleteVersions(
  ctx: TxContext,
  versions: readonly ShownVersion[],
  actorId: number,
): Promise<void> {
  for (const version of versions) await emit(ctx, 'package.deleted', eventOf(version, version, actorId))
  await deleteVersionRows(
    ctx,
    versions.map(({ id }) => id),
  )
}

/** Of one package. */
export async function deleteVersionRows(ctx: TxContext, ids: readonly number[]): Promise<void> {
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const some = sql<number>`any(${ids.slice(i, i + AT_ONCE)}::bigint[])`
    const files = await ctx.db
      .deleteFrom('package_file')
      .where('version_id', '=', some)
      .returning('blob_id')
      .execute()
    const [version] = await ctx.db
      .deleteFrom('package_version')
      .where('id', '=', some)
      .returning('owner_id')
      .execute()
    if (version === undefined) continue
    await freeBlobs(
      ctx,
      version.owner_id,
      files.map(({ blob_id }) => blob_id),
    )
  }
}

/** Includes internal versions of its type. */
export async function deletePackage(ctx: TxContext, packageId: number, actorId: number): Promise<void> {
  if ((await lockPackage(ctx.db, packageId)) === undefined) return
  await deleteVersions(ctx, await selectShownOf(ctx.db, packageId).execute(), actorId)
  await dropPackage(ctx, packageId)
}

/** Deletes all internal versions and the package. Callers have locked the package. */
export async function dropPackage(ctx: TxContext, packageId: number): Promise<void> {
  const rest = await ctx.db
    .selectFrom('package_version')
    .select('id')
    .where('package_id', '=', packageId)
    .execute()
  await deleteVersionRows(
    ctx,
    rest.map(({ id }) => id),
  )
  await ctx.db.deleteFrom('package').where('id', '=', packageId).execute()
}

/** Deletes a package without visible versions. */
export async function dropIfEmpty(ctx: TxContext, packageId: number): Promise<void> {
  const left = await selectShownOf(ctx.db, packageId).limit(1).executeTakeFirst()
  if (left === undefined) await dropPackage(ctx, packageId)
}

/** Deletes the version too if this is its last file. Callers have locked the package. */
export async function deleteFile(
  ctx: TxContext,
  version: ShownVersion,
  fileId: number,
  actorId: number,
): Promise<void> {
  const gone = await ctx.db.deleteFrom('package_file').where('id', '=', fileId).returning('blob_id').execute()
  await freeBlobs(
    ctx,
    version.owner_id,
    gone.map(({ blob_id }) => blob_id),
  )
  const left = await ctx.db
    .selectFrom('package_file')
    .select('id')
    .where('version_id', '=', version.id)
    .limit(1)
    .executeTakeFirst()
  if (left !== undefined) return
  await deleteVersions(ctx, [version], actorId)
  await dropIfEmpty(ctx, version.package_id)
}

/** For purged accounts. */
export async function deletePackagesOf(ctx: TxContext, ownerId: number, actorId: number): Promise<void> {
  const all = await ctx.db.selectFrom('package').select('id').where('owner_id', '=', ownerId).execute()
  for (const { id } of all) await deletePackage(ctx, id, actorId)
}
