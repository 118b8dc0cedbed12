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

/** Gives the keys of those that were there. */
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

/**
 * Content that stays until the transaction ends: whoever would delete it waits, and whoever is deleting it is waited for.
 */
export function holdBlob(tx: Tx, sha256: string): Promise<BlobRow | undefined> {
  return tx
    .selectFrom('package_blob')
    .selectAll()
    .where('sha256', '=', sha256)
    .forKeyShare()
    .executeTakeFirst()
}

/** Undefined when somebody else has stored the same. */
export function insertBlob(tx: Tx, row: Omit<BlobRow, 'id'>): Promise<BlobRow | undefined> {
  return tx
    .insertInto('package_blob')
    .values(row)
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** The same content has other bytes from now on. */
export async function replaceBytes(tx: Tx, blobId: number, key: string): Promise<void> {
  await tx.updateTable('package_blob').set({ key }).where('id', '=', blobId).execute()
}

const IS_NAMED: RawBuilder<boolean> = sql`exists (
  select 1 from package_file where package_file.blob_id = package_blob.id)`

/** Content that nobody names any more, of these or of all that is older than `before`. Nobody can name it from now on. */
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

/** Asks again: between looking and locking, somebody may have named one. Gives the keys of their bytes. */
export async function deleteUnnamed(tx: Tx, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`delete from package_blob where id = any(${[...ids]}::bigint[])
    and not ${IS_NAMED} returning key`.execute(tx)
  return rows.map(({ key }) => key)
}

/** What all packages of an owner take together: content that several have is counted once. */
export async function sumBytes(db: Db, ownerId: number): Promise<number> {
  const { rows } = await sql<{
    bytes: number
  }>`select coalesce(sum(bytes), 0)::bigint as bytes from package_blob
    where id in (select blob_id from package_file join package_version on package_version.id = version_id
      join package on package.id = package_id where package.owner_id = ${ownerId})`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

export async function lockOwnerBytes(tx: Tx, ownerId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('package bytes'), ${ownerId}::int)`.execute(tx)
}

function anyOf(keys: readonly string[]) {
  return sql<string>`any(${[...keys]}::uuid[])`
}
