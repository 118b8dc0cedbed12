/** Tips of deleted branches: garbage collection treats them as refs until their time is over. */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import type { Db } from '#platform/db'
import type { StorageId } from '../../tables.ts'
import { UNDO_MS } from '../limits.ts'

/** Invariant: called in the transaction that deletes the refs, so no collection runs between the two. */
export async function keepTips(ctx: TxContext, storageId: StorageId, oids: readonly string[]): Promise<void> {
  const until = new Date(ctx.now().getTime() + UNDO_MS)
  await sql`insert into git_kept_tip (storage_id, oid, kept_until)
    select distinct ${storageId}::bigint, oid, ${until}::timestamptz from unnest(${[...oids]}::text[]) as oid
    on conflict (storage_id, oid) do update set kept_until = excluded.kept_until`.execute(ctx.db)
}

/** Their objects are garbage like others since the collection that began at `begun`. */
export async function dropExpiredTips(db: Db, storageId: StorageId, begun: Date): Promise<void> {
  await db
    .deleteFrom('git_kept_tip')
    .where('storage_id', '=', storageId)
    .where('kept_until', '<=', begun)
    .execute()
}
