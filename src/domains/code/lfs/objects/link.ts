/**
 * Links repositories to objects. A link is what lets the readers of a repository download an object, so it is made only for
 * bytes that were uploaded to this repository, or that the caller can read in another repository of its fork network.
 */
import { countRepositoryBytes, getStorageId } from '#domains/code/repositories'
import type { StorageId } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Writable } from '../access/open-lfs.ts'
import type { ObjectRow } from '../tables.ts'
import type { Pointer } from '../wire.ts'
import { copyLinks, findInNetwork, insertLinks, type LinkedObject, renewLinks } from './store.ts'

export interface LinkedTo {
  readonly id: number
  readonly storage_id: StorageId
}

/** Counts the bytes of links that are new. Returns those that are linked now: others were deleted a moment ago. */
export async function linkObjects(
  ctx: TxContext,
  repo: LinkedTo,
  objects: readonly ObjectRow[],
  { isLimited } = { isLimited: true },
): Promise<ObjectRow[]> {
  const ids = objects.map(({ id }) => id)
  const links = await insertLinks(ctx.db, repo.storage_id, ids, ctx.now())
  const isNew = new Map(links.map((it) => [it.object_id, it.is_new]))
  const bytes = objects.filter(({ id }) => isNew.get(id)).reduce((sum, it) => sum + it.bytes, 0)
  await countRepositoryBytes(ctx, repo.id, { counter: 'lfs_bytes', bytes, isLimited })
  return objects.filter(({ id }) => isNew.has(id))
}

/**
 * For a client that is told to send no bytes, because the repository has them. The links of objects that no ref needs get
 * a new grace; those that are deleted at this moment are left out of the answer.
 */
export async function renewLinked(
  ctx: Context,
  { storage_id }: LinkedTo,
  objects: readonly LinkedObject[],
): Promise<LinkedObject[]> {
  const unreferenced = objects.filter((it) => it.unreferenced_since !== null)
  if (unreferenced.length === 0) return [...objects]
  const ids = unreferenced.map(({ id }) => id)
  const renewed = new Set(await transact(ctx, (ctx) => renewLinks(ctx.db, storage_id, ids, ctx.now())))
  return objects.filter(({ id, unreferenced_since }) => unreferenced_since === null || renewed.has(id))
}

/**
 * Links the objects of a push that others of the fork network have and the caller may read; returns them. A client that
 * pushes commits of the parent to a fork need not have the parent's objects. Deploy keys and jobs read one repository.
 */
export async function linkFromNetwork(
  ctx: Context,
  { repo, person }: Writable,
  pointers: readonly Pointer[],
): Promise<ObjectRow[]> {
  if (person === null || pointers.length === 0) return []
  const sizes = new Map(pointers.map(({ oid, size }) => [oid, size]))
  const find = async (ctx: Context) => {
    const found = await findInNetwork(ctx.db, ctx.actor ?? person, repo, [...sizes.keys()])
    return found.filter(({ oid, bytes }) => sizes.get(oid) === bytes)
  }
  // Most repositories have no network, and need no transaction.
  if ((await find(ctx)).length === 0) return []
  return transact(ctx, async (ctx) => linkObjects(ctx, repo, await find(ctx)))
}

/** A fork can read every object of its parent. */
export async function linkFork(ctx: TxContext, parentId: number, forkId: number): Promise<void> {
  const [from, to] = [await getStorageId(ctx.db, parentId), await getStorageId(ctx.db, forkId)]
  const bytes = await copyLinks(ctx.db, from, to, ctx.now())
  await countRepositoryBytes(ctx, forkId, { counter: 'lfs_bytes', bytes, isLimited: true })
}
