/** REST verbs on packages: delete versions, link repositories. */
import { openToSee } from '#domains/code/repositories'
import { type Context, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import type { WritablePackages } from '../access/open-packages.ts'
import type { PackageRow } from '../tables.ts'
import type { PackageType } from '../types/package-type.ts'
import { deletePackage, deleteVersionRows, deleteVersions, dropIfEmpty } from './delete.ts'
import { findShown, lockPackage, type ShownVersion, updateLink } from './store.ts'

export async function removeVersion(
  ctx: Context,
  { actor }: WritablePackages,
  type: PackageType | undefined,
  wanted: ShownVersion,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockPackage(ctx.db, wanted.package_id)
    const version = await findShown(ctx.db, wanted.package_id, wanted.version_key)
    if (version === undefined) throw new Problem('not_found', 'package does not exist')
    await deleteVersions(ctx, [version], actor.id)
    await deleteVersionRows(ctx, (await type?.findUnneeded?.(ctx, version.package_id)) ?? [])
    await dropIfEmpty(ctx, version.package_id)
  })
}

export async function removePackage(
  ctx: Context,
  { actor }: WritablePackages,
  { id }: PackageRow,
): Promise<void> {
  await transact(ctx, (ctx) => deletePackage(ctx, id, actor.id))
}

/** Only to a repository of the same owner. */
export async function linkPackage(
  ctx: Context,
  { owner }: WritablePackages,
  { id }: PackageRow,
  repositoryName: string,
): Promise<void> {
  const repo = await openToSee(ctx, { owner: owner.login, repo: repositoryName })
  await changeLink(ctx, id, repo.id)
}

export function unlinkPackage(ctx: Context, _packages: WritablePackages, { id }: PackageRow): Promise<void> {
  return changeLink(ctx, id, null)
}

/** Compat: refuses a link that is already set, or unlinking an unlinked package. */
async function changeLink(ctx: Context, id: number, repositoryId: number | null): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await updateLink(ctx.db, id, repositoryId))) throw new Problem('malformed', 'invalid argument')
  })
}
