/** Annotated tags: separate objects with a message and perhaps a signature. */

import type { Context } from '#platform/context'
import type { StorageId } from '../../tables.ts'
import { cached, cachedEach } from '../cached.ts'
import { withRepository } from '../with-repository.ts'
import { parseTag, type TagRecord } from './commit-object.ts'
import { readObjects } from './objects.ts'
import { assertOids } from './oid.ts'

const TAG_BYTES_MAX = 256 * 1024

/** Undefined when there is no such object, or when it is not an annotated tag. */
export function findTag(ctx: Context, storageId: StorageId, oid: string): Promise<TagRecord | undefined> {
  assertOids(oid)
  return cached(ctx, storageId, 'tag', [oid], () =>
    withRepository(ctx, storageId, async (path) => {
      const [object] = await readObjects(ctx, path, [oid], TAG_BYTES_MAX)
      return object?.type === 'tag' ? parseTag(object) : undefined
    }),
  )
}

/** By id of the tag object; lightweight tags are not in the map. One process for all that are not cached. */
export async function findTags(
  ctx: Context,
  storageId: StorageId,
  oids: readonly string[],
): Promise<Map<string, TagRecord>> {
  assertOids(...oids)
  return cachedEach(ctx, storageId, 'tag', oids, byId, (unknown) =>
    withRepository(ctx, storageId, async (path) => {
      const objects = await readObjects(ctx, path, unknown, TAG_BYTES_MAX)
      return objects.map((it) => (it?.type === 'tag' ? parseTag(it) : undefined))
    }),
  )
}

const byId = (oid: string) => [oid]
