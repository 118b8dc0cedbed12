/** Creates, reads and deletes storages. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import { notFound } from '#platform/problem'
import type { ObjectFormat, Storage, StorageId } from '../tables.ts'

/** Length of an object id in hexadecimal digits. */
export const OID_DIGITS: Readonly<Record<ObjectFormat, number>> = { sha1: 40, sha256: 64 }

export function zeroOid(format: ObjectFormat): string {
  return '0'.repeat(OID_DIGITS[format])
}

/** Whether an id is all zeros, in either format. */
export function isZeroOid(oid: string): boolean {
  return /^0+$/.test(oid)
}

export async function createStorage(
  tx: Tx,
  options: { objectFormat: ObjectFormat; head: string; now: Date; isAdopted?: boolean },
): Promise<StorageId> {
  const { objectFormat, head, now, isAdopted = true } = options
  const { rows } = await sql<{ id: StorageId }>`with made as (
      insert into git_storage (object_format, head, is_adopted, created_at)
      values (${objectFormat}, ${head}, ${isAdopted}, ${now}) returning id, stamp)
    insert into git_generation (stamp, storage_id, created_at) select stamp, id, ${now} from made
    returning storage_id as id`.execute(tx)
  const [made] = rows
  assert(made)
  return made.id
}

/**
 * A storage created before its record now belongs to it and is no longer swept as an orphan. Fails when the sweeper was
 * faster.
 */
export async function adoptStorage(tx: Tx, id: StorageId): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('git_storage')
    .set({ is_adopted: true })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw notFound('git storage', id)
}

export async function getStorage(db: Db, id: StorageId): Promise<Storage> {
  const storage = await db
    .selectFrom('git_storage')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (storage === undefined) throw notFound('git storage', id)
  return storage
}

/** Whether the stamp is still the one read before. Everything read in between then belongs to that generation. */
export async function isStillAt(db: Db, { id, stamp }: Pick<Storage, 'id' | 'stamp'>): Promise<boolean> {
  const row = await db
    .selectFrom('git_storage')
    .select('id')
    .where('id', '=', id)
    .where('stamp', '=', stamp)
    .executeTakeFirst()
  return row !== undefined
}

/** Sets the ref that HEAD points to. */
export async function setHead(tx: Tx, id: StorageId, head: string, now: Date): Promise<void> {
  await tx.updateTable('git_storage').set({ head }).where('id', '=', id).execute()
  await growGeneration(tx, id, { now })
}

/** The only way to a new generation, with a new stamp. Every change of refs, packs or HEAD calls this. */
export async function growGeneration(
  tx: Tx,
  id: StorageId,
  made: {
    readonly now: Date
    readonly stamp?: string
    /** For a push: the result of each ref, null where it was updated. */
    readonly results?: Readonly<Record<string, string | null>>
  },
): Promise<void> {
  const { now, stamp = randomUUID(), results } = made
  await sql`with made as (
      insert into git_generation (stamp, storage_id, results, created_at)
      values (${stamp}, ${id}, ${results === undefined ? null : JSON.stringify(results)}, ${now}))
    update git_storage set generation = generation + 1, stamp = ${stamp} where id = ${id}`.execute(tx)
}

/** Can be reverted until it is swept. A second deletion does not change `deleted_at`. */
export async function markDeleted(tx: Tx, id: StorageId, now: Date): Promise<void> {
  await tx
    .updateTable('git_storage')
    .set({ deleted_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}
