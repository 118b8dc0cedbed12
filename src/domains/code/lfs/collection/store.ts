/** SQL of the collection. Reads take any handle; writes take a transaction. */
import { type Selectable, sql } from 'kysely'
import type { StorageId } from '#git'
import type { Db, Tables, Tx } from '#platform/db'

export type WalkRow = Selectable<Tables['lfs_walk']>

export interface LinkFacts {
  readonly object_id: number
  readonly oid: string
  readonly created_at: Date
  readonly unreferenced_since: Date | null
}

/** A repository with links, as far as the collection knows it. */
export interface Linked {
  readonly id: StorageId
  /** At the last walk; null before the first. */
  readonly stamp: string | null
  /** Objects came after the walk, or the grace of some is over. */
  readonly has_news: boolean
}

/** Those after `last`. Each is one step in the index, whatever number of links it has. */
export async function listLinked(
  db: Db,
  last: StorageId,
  { before, overlapMs, limit }: { readonly before: Date; readonly overlapMs: number; readonly limit: number },
): Promise<Linked[]> {
  const { rows } = await sql<Linked>`with recursive linked (id) as (
      (select storage_id from lfs_link where storage_id > ${last} order by storage_id limit 1)
      union all
      select (select storage_id from lfs_link where storage_id > linked.id order by storage_id limit 1)
      from linked where linked.id is not null)
    select linked.id, walk.stamp, exists (
        select 1 from lfs_link where storage_id = linked.id and (unreferenced_since < ${before}
          or unreferenced_since is null and created_at >= walk.begun_at - ${overlapMs} * interval '1 ms')) as has_news
    from (select id from linked where id is not null limit ${limit}) as linked
    left join lfs_walk as walk on walk.storage_id = linked.id order by linked.id`.execute(db)
  return rows
}

export function findWalk(db: Db, storageId: StorageId): Promise<WalkRow | undefined> {
  return db.selectFrom('lfs_walk').selectAll().where('storage_id', '=', storageId).executeTakeFirst()
}

export async function writeWalk(tx: Tx, row: WalkRow): Promise<void> {
  const { storage_id: _, ...facts } = row
  await tx
    .insertInto('lfs_walk')
    .values(row)
    .onConflict((conflict) => conflict.column('storage_id').doUpdateSet(facts))
    .execute()
}

export function listLinks(db: Db, storageId: StorageId, after: number, limit: number): Promise<LinkFacts[]> {
  return db
    .selectFrom('lfs_link')
    .innerJoin('lfs_object', 'lfs_object.id', 'lfs_link.object_id')
    .select(['object_id', 'oid', 'lfs_link.created_at', 'unreferenced_since'])
    .where('storage_id', '=', storageId)
    .where('object_id', '>', after)
    .orderBy('object_id')
    .limit(limit)
    .execute()
}

/** Links that were renewed after `begun` are left as they are. */
export async function markLinks(
  tx: Tx,
  storageId: StorageId,
  objectIds: readonly number[],
  begun: Date,
): Promise<void> {
  await sql`update lfs_link set unreferenced_since = ${begun} from (${locked(storageId, objectIds)}) as chosen
    where lfs_link.storage_id = chosen.storage_id and lfs_link.object_id = chosen.object_id
      and unreferenced_since is null and created_at <= ${begun}`.execute(tx)
}

export async function unmarkLinks(tx: Tx, storageId: StorageId, objectIds: readonly number[]): Promise<void> {
  await sql`update lfs_link set unreferenced_since = null from (${locked(storageId, objectIds)}) as chosen
    where lfs_link.storage_id = chosen.storage_id and lfs_link.object_id = chosen.object_id`.execute(tx)
}

/** Those marked before; the caller holds the lock of the storage. */
export async function deleteLinks(
  tx: Tx,
  storageId: StorageId,
  objectIds: readonly number[],
  before: Date,
): Promise<{ readonly links: number; readonly bytes: number }> {
  const { rows } = await sql<{ links: number; bytes: number }>`with gone as (
      delete from lfs_link using (${locked(storageId, objectIds)}) as chosen
      where lfs_link.storage_id = chosen.storage_id and lfs_link.object_id = chosen.object_id
        and unreferenced_since < ${before}
      returning lfs_link.object_id)
    select count(*) as links, coalesce(sum(bytes), 0)::bigint as bytes
    from gone join lfs_object on lfs_object.id = gone.object_id`.execute(tx)
  return rows[0] ?? { links: 0, bytes: 0 }
}

/** In one order for all writers, so that none wait for each other in a circle. */
function locked(storageId: StorageId, objectIds: readonly number[]) {
  return sql`select storage_id, object_id from lfs_link
    where storage_id = ${storageId} and object_id = any(${[...objectIds]}::bigint[])
    order by object_id for update`
}
