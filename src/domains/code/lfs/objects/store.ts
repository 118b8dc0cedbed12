/** SQL on objects and links. Reads take any handle; writes take a transaction. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isReadableTo } from '#domains/code/repositories'
import type { StorageId } from '#git'
import type { Actor } from '#platform/context'
import type { Db, Tables, Tx } from '#platform/db'
import type { ObjectRow } from '../tables.ts'

/** `unreferenced_since`: as of the link. */
export type LinkedObject = ObjectRow & Pick<Selectable<Tables['lfs_link']>, 'unreferenced_since'>

/** The objects among `oids` that a repository is linked to. */
export function findLinked(db: Db, storageId: StorageId, oids: readonly string[]): Promise<LinkedObject[]> {
  return db
    .selectFrom('lfs_object')
    .innerJoin('lfs_link', 'lfs_link.object_id', 'lfs_object.id')
    .selectAll('lfs_object')
    .select('lfs_link.unreferenced_since')
    .where('lfs_link.storage_id', '=', storageId)
    .where('lfs_object.oid', '=', anyOf(oids))
    .execute()
}

/** In the order of their ids, without objects that no ref needs. */
export function listLinkedSince(
  db: Db,
  storageId: StorageId,
  { after, last, limit }: { readonly after: Date; readonly last: number; readonly limit: number },
): Promise<ObjectRow[]> {
  return db
    .selectFrom('lfs_link')
    .innerJoin('lfs_object', 'lfs_object.id', 'lfs_link.object_id')
    .selectAll('lfs_object')
    .where('lfs_link.storage_id', '=', storageId)
    .where('lfs_link.object_id', '>', last)
    .where('lfs_link.created_at', '>=', after)
    .where('lfs_link.unreferenced_since', 'is', null)
    .orderBy('lfs_link.object_id')
    .limit(limit)
    .execute()
}

/** Of all objects that a repository is linked to. */
export async function sumLinked(db: Db, storageId: StorageId): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(lfs_object.bytes), 0)::bigint as bytes
    from lfs_link join lfs_object on lfs_object.id = lfs_link.object_id
    where lfs_link.storage_id = ${storageId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Whether the repository is linked to an object: without its bytes and key. */
export async function findLinkedOne(db: Db, storageId: StorageId, oid: string) {
  const [row] = await findLinked(db, storageId, [oid])
  return row
}

/** The objects among `oids` that another repository of the network has whose code the caller may read. */
export async function findInNetwork(
  db: Db,
  actor: Actor,
  repo: { readonly id: number; readonly family_id: number | null },
  oids: readonly string[],
): Promise<ObjectRow[]> {
  const family = repo.family_id ?? repo.id
  const { rows } = await sql<ObjectRow>`select distinct lfs_object.* from lfs_object
    join lfs_link on lfs_link.object_id = lfs_object.id
    join repository on repository.storage_id = lfs_link.storage_id
    where lfs_object.oid = ${anyOf(oids)} and (repository.id = ${family} or repository.family_id = ${family})
      and repository.id <> ${repo.id} and ${isReadableTo({ actor }, 'code')}`.execute(db)
  return rows
}

/** Whether another repository of the network has objects. */
export async function hasLinkedRelatives(
  db: Db,
  repo: { readonly id: number; readonly family_id: number | null },
): Promise<boolean> {
  const family = repo.family_id ?? repo.id
  const { rows } = await sql`select from repository where (repository.id = ${family}
      or repository.family_id = ${family}) and repository.id <> ${repo.id} and exists (
      select 1 from lfs_link where lfs_link.storage_id = repository.storage_id) limit 1`.execute(db)
  return rows.length > 0
}

export function findObject(db: Db, oid: string): Promise<ObjectRow | undefined> {
  return db.selectFrom('lfs_object').selectAll().where('oid', '=', oid).executeTakeFirst()
}

/** What an object belongs to, for messages to operators; undefined if the key was replaced or the object deleted. */
export async function findOwnerOf(
  db: Db,
  { key }: Pick<ObjectRow, 'key'>,
  oid: string,
): Promise<string | undefined> {
  const row = await findObject(db, oid)
  return row?.key === key ? `Git LFS object ${oid}` : undefined
}

/** Locks an object against deletion until the transaction ends; waits for a concurrent deletion. */
export function holdObject(tx: Tx, oid: string): Promise<ObjectRow | undefined> {
  return tx.selectFrom('lfs_object').selectAll().where('oid', '=', oid).forNoKeyUpdate().executeTakeFirst()
}

/** Undefined if the same object was stored concurrently. */
export function insertObject(tx: Tx, row: Omit<ObjectRow, 'id'>): Promise<ObjectRow | undefined> {
  return tx
    .insertInto('lfs_object')
    .values(row)
    .onConflict((conflict) => conflict.column('oid').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Points an object to other bytes in the store that are equal. */
export async function replaceBytes(tx: Tx, id: number, key: string): Promise<void> {
  await tx.updateTable('lfs_object').set({ key }).where('id', '=', id).execute()
}

/**
 * Links the objects that exist, and keeps the links that are there: their grace begins anew. Of those that a concurrent
 * collection deletes nothing is returned, or they are inserted again.
 */
export async function insertLinks(
  tx: Tx,
  storageId: StorageId,
  objectIds: readonly number[],
  now: Date,
): Promise<{ readonly object_id: number; readonly is_new: boolean }[]> {
  if (objectIds.length === 0) return []
  // `xmax` is 0 in a row that was inserted.
  const { rows } = await sql<{ object_id: number; is_new: boolean }>`insert into lfs_link
      (storage_id, object_id, created_at)
    select ${storageId}, id, ${now}::timestamptz from lfs_object where id = any(${[...objectIds]}::bigint[])
    order by id for key share
    on conflict (storage_id, object_id) do update
      set unreferenced_since = null, created_at = excluded.created_at
    returning object_id, xmax = 0 as is_new`.execute(tx)
  return rows
}

/** Links one repository to all objects of another; returns their bytes. */
export async function copyLinks(tx: Tx, from: StorageId, to: StorageId, now: Date): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`with copied as (
      insert into lfs_link (storage_id, object_id, created_at)
      select ${to}, lfs_object.id, ${now} from lfs_link join lfs_object on lfs_object.id = lfs_link.object_id
      where storage_id = ${from} for key share of lfs_object
      on conflict do nothing returning object_id)
    select coalesce(sum(lfs_object.bytes), 0)::bigint as bytes
    from copied join lfs_object on lfs_object.id = copied.object_id`.execute(tx)
  return rows[0]?.bytes ?? 0
}

/** Returns the ids of those that the collection has not deleted. */
export async function renewLinks(
  tx: Tx,
  storageId: StorageId,
  objectIds: readonly number[],
  now: Date,
): Promise<number[]> {
  const { rows } = await sql<{ object_id: number }>`update lfs_link
    set unreferenced_since = null, created_at = ${now}
    where (storage_id, object_id) in (select storage_id, object_id from lfs_link
      where storage_id = ${storageId} and object_id = any(${[...objectIds]}::bigint[])
      order by object_id for update)
    returning object_id`.execute(tx)
  return rows.map(({ object_id }) => object_id)
}

/** Deletes objects that no repository is linked to; returns their keys. */
export async function deleteUnlinked(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const { rows: locked } = await sql<{ id: number }>`select id from lfs_object
    where created_at < ${before} and not ${IS_LINKED} order by id limit ${limit}
    for update skip locked`.execute(tx)
  // Checked again: a link may have been added before the lock.
  const { rows } = await sql<{ key: string }>`delete from lfs_object
    where id = any(${locked.map(({ id }) => id)}::bigint[]) and not ${IS_LINKED} returning key`.execute(tx)
  return rows.map(({ key }) => key)
}

const IS_LINKED: RawBuilder<boolean> = sql`exists (
  select 1 from lfs_link where lfs_link.object_id = lfs_object.id)`

function anyOf(oids: readonly string[]) {
  return sql<string>`any(${[...oids]}::text[])`
}
