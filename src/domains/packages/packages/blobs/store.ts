/** SQL on `package_blob` and `package_object`. Reads take any handle; writes take a transaction. */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { BlobRow, ObjectRow } from '../tables.ts'

export async function insertObject(
  tx: Tx,
  row: Omit<ObjectRow, 'upload_id' | 'start'> & Partial<Pick<ObjectRow, 'upload_id' | 'start'>>,
): Promise<void> {
  await tx.insertInto('package_object').values(row).execute()
}

/** Returns the keys that existed. */
export async function deleteObjects(tx: Tx, keys: readonly string[]): Promise<string[]> {
  const gone = await tx.deleteFrom('package_object').where('key', '=', anyOf(keys)).returning('key').execute()
  return gone.map(({ key }) => key)
}

export async function deleteStaleObjects(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`delete from package_object where key in (
      select key from package_object where upload_id is null and created_at < ${before}
      order by created_at limit ${limit} for update skip locked)
    and upload_id is null returning key`.execute(tx)
  return rows.map(({ key }) => key)
}

export function findBlob(db: Db, sha256: string): Promise<BlobRow | undefined> {
  return db.selectFrom('package_blob').selectAll().where('sha256', '=', sha256).executeTakeFirst()
}

/** What a blob belongs to, for messages to operators; undefined if its bytes were replaced or its files deleted. */
export async function findBlobOwner(
  db: Db,
  { key, sha256 }: Pick<BlobRow, 'key' | 'sha256'>,
): Promise<string | undefined> {
  const { rows } = await sql<{
    owner: string
  }>`select account.login || '/' || package.type || '/' || package.name
      || ' ' || package_version.version || ' ' || package_file.name as owner
    from package_blob join package_file on package_file.blob_id = package_blob.id
    join package_version on package_version.id = package_file.version_id
    join package on package.id = package_version.package_id join account on account.id = package.owner_id
    where package_blob.sha256 = ${sha256} and package_blob.key = ${key} limit 1`.execute(db)
  return rows[0] && `package ${rows[0].owner}`
}

/** What a part of an upload belongs to, for messages to operators. */
export async function findUploadOf(db: Db, key: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('package_object')
    .select('upload_id')
    .where('key', '=', key)
    .executeTakeFirst()
  return found && `upload ${found.upload_id} of a package`
}

/** Locks a blob against deletion until the transaction ends; waits for a concurrent deletion. */
export function holdBlob(tx: Tx, sha256: string): Promise<BlobRow | undefined> {
  return tx
    .selectFrom('package_blob')
    .selectAll()
    .where('sha256', '=', sha256)
    .forKeyShare()
    .executeTakeFirst()
}

/** Undefined if equal content was stored concurrently. */
export function insertBlob(tx: Tx, row: Omit<BlobRow, 'id'>): Promise<BlobRow | undefined> {
  return tx
    .insertInto('package_blob')
    .values(row)
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Points a blob to another object with the same content. */
export async function replaceBytes(tx: Tx, blobId: number, key: string): Promise<void> {
  await tx.updateTable('package_blob').set({ key }).where('id', '=', blobId).execute()
}

const IS_NAMED: RawBuilder<boolean> = sql`exists (
  select 1 from package_file where package_file.blob_id = package_blob.id)`

/** Locks blobs without references, among `ids` or older than `before`, so that none can be added. */
export async function lockUnnamed(
  tx: Tx,
  which: { readonly ids: readonly number[] } | { readonly before: Date; readonly limit: number },
): Promise<number[]> {
  const { rows } =
    'ids' in which
      ? await sql<{ id: number }>`select id from package_blob where id = any(${[...which.ids]}::bigint[])
          and not ${IS_NAMED} order by id for update`.execute(tx)
      : await sql<{ id: number }>`select id from package_blob where created_at < ${which.before}
          and not ${IS_NAMED} order by id limit ${which.limit} for update skip locked`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Checks again: a reference may have been added before the lock. Returns the keys of the deleted objects. */
export async function deleteUnnamed(tx: Tx, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`delete from package_blob where id = any(${[...ids]}::bigint[])
    and not ${IS_NAMED} returning key`.execute(tx)
  return rows.map(({ key }) => key)
}

function anyOf(keys: readonly string[]) {
  return sql<string>`any(${[...keys]}::uuid[])`
}
