/** One lock for each digest: whoever is about to upload a pack and whoever deletes one take turns. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'

/** Keeps these locks apart from other advisory locks. */
const PACKS = 0x7061636b

/** Until the transaction ends; in one order, so that two who want several do not wait for each other. */
export async function lockDigests(tx: Tx, digests: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PACKS}, hashtext(digest))
    from unnest(${digests.toSorted()}::text[]) as wanted (digest)`.execute(tx)
}

/**
 * Says that an upload begins, under the lock and in one statement: a sweeper that holds the lock has deleted what was
 * there before this returns, and one that comes later sees the intent.
 */
export async function writeIntent(
  db: Db,
  intent: { readonly digest: string; readonly repositoryId: number; readonly now: Date },
): Promise<void> {
  await sql`with locked as materialized (
      select pg_advisory_xact_lock(${PACKS}, hashtext(${intent.digest})))
    insert into git_pack_upload (digest, repository_id, started_at)
    select ${intent.digest}, ${intent.repositoryId}, ${intent.now} from locked
    on conflict (digest, repository_id) do update set started_at = excluded.started_at`.execute(db)
}
