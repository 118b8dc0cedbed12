/** Storages: made, read, marked as deleted. */
import type { Db, Tx } from '#platform/db'
import { notFound } from '#platform/problem'
import type { ObjectFormat, Storage } from './tables.ts'

/** How long an object id is, and the one that stands for «none». */
export const OID_DIGITS: Readonly<Record<ObjectFormat, number>> = { sha1: 40, sha256: 64 }

export function zeroOid(format: ObjectFormat): string {
  return '0'.repeat(OID_DIGITS[format])
}

/** Whether an id says «none», in either format. */
export function isZeroOid(oid: string): boolean {
  return /^0+$/.test(oid)
}

export async function createStorage(
  tx: Tx,
  options: { objectFormat: ObjectFormat; head: string; now: Date; isAdopted?: boolean },
): Promise<number> {
  const { id } = await tx
    .insertInto('git_repository')
    .values({
      object_format: options.objectFormat,
      head: options.head,
      is_adopted: options.isAdopted ?? true,
      deleted_at: null,
      created_at: options.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What was made before its record now belongs to it; nobody sweeps it any more. Whoever took too long has lost it. */
export async function adoptStorage(tx: Tx, id: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('git_repository')
    .set({ is_adopted: true })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw notFound('git storage', id)
}

export async function getStorage(db: Db, id: number): Promise<Storage> {
  const storage = await db
    .selectFrom('git_repository')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (storage === undefined) throw notFound('git storage', id)
  return storage
}

/** Which ref HEAD stands for. */
export async function setHead(tx: Tx, id: number, head: string): Promise<void> {
  await tx
    .updateTable('git_repository')
    .set((eb) => ({ head, generation: eb('generation', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** It can be taken back until it is swept. */
export async function markDeleted(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.updateTable('git_repository').set({ deleted_at: now }).where('id', '=', id).execute()
}
