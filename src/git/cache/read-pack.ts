/** Reads a file of a pack that a storage has from the object store. */
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { readNamed } from '#platform/lost-object'
import type { StoredObject } from '#platform/object-store'
import { packKey, type Sidecar } from '../packs/keys.ts'
import type { LivePack } from '../packs/rows.ts'
import type { StorageId } from '../tables.ts'

declare module '#platform/context' {
  interface World {
    /** The repository that a storage belongs to, for messages to operators. */
    readonly describeStorage: (db: Db, id: StorageId) => Promise<string>
  }
}

export function readPack(ctx: Context, pack: LivePack, sidecar: Sidecar): Promise<StoredObject> {
  return readNamed(ctx, packKey(pack, sidecar), () => findOwner(ctx, pack.id))
}

/** Forks share packs: the first storage stands for all. A pack that was replaced by another one has none. */
async function findOwner({ db, describeStorage }: Context, packId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('git_storage_pack')
    .select('storage_id')
    .where('pack_id', '=', packId)
    .where('retired_at', 'is', null)
    .orderBy('storage_id')
    .limit(1)
    .executeTakeFirst()
  return row && describeStorage(db, row.storage_id)
}
