/** One commit, or many of them in one process. */
import type { Context } from '#platform/context'
import type { Storage, StorageId } from '../../tables.ts'
import { cached, cachedEach } from '../cached.ts'
import { withRepository } from '../with-repository.ts'
import { type CommitRecord, parseCommit } from './commit-object.ts'
import { readObjects } from './objects.ts'
import { assertOids } from './oid.ts'

/** Longer commits are truncated: no message for people is this long. */
const COMMIT_BYTES_MAX = 256 * 1024

/** Undefined when there is no such object, or when it is not a commit. */
export function findCommit(
  ctx: Context,
  storageId: StorageId,
  oid: string,
): Promise<CommitRecord | undefined> {
  assertOids(oid)
  return cached(ctx, storageId, 'commit', [oid], () =>
    withRepository(
      ctx,
      storageId,
      async (path, storage) => (await readCommits(ctx, path, storage, [oid]))[0],
    ),
  )
}

/** By id, only commits that exist. One process for all that are not cached. */
export async function findCommits(
  ctx: Context,
  storageId: StorageId,
  oids: readonly string[],
): Promise<Map<string, CommitRecord>> {
  assertOids(...oids)
  return cachedEach(ctx, storageId, 'commit', oids, byId, (unknown) =>
    withRepository(ctx, storageId, (path, storage) => readCommits(ctx, path, storage, unknown)),
  )
}

/** In the order of their ids, from a repository on disk. */
export async function readCommits(
  ctx: Context,
  path: string,
  storage: Pick<Storage, 'object_format'>,
  oids: readonly string[],
): Promise<(CommitRecord | undefined)[]> {
  if (oids.length === 0) return []
  const objects = await readObjects(ctx, path, oids, COMMIT_BYTES_MAX)
  return objects.map((it) => (it?.type === 'commit' ? parseCommit(it, storage.object_format) : undefined))
}

const byId = (oid: string) => [oid]
