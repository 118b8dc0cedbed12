/** Types of objects. */

import type { Context } from '#platform/context'
import type { StorageId } from '../../tables.ts'
import { cachedEach } from '../cached.ts'
import { withRepository } from '../with-repository.ts'
import { type ObjectHeader, type ObjectType, readHeaders } from './objects.ts'
import { assertOids } from './oid.ts'

/** By id, only objects that exist. One process for all that are not cached. */
export async function findTypes(
  ctx: Context,
  storageId: StorageId,
  oids: readonly string[],
): Promise<Map<string, ObjectType>> {
  assertOids(...oids)
  const headers = await cachedEach<ObjectHeader>(ctx, storageId, 'header', oids, byId, (unknown) =>
    withRepository(ctx, storageId, (path) => readHeaders(ctx, path, unknown)),
  )
  return new Map([...headers].map(([oid, { type }]) => [oid, type]))
}

const byId = (oid: string) => [oid]
