/** SQL on chunked uploads. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { ObjectRow, UploadRow } from '../tables.ts'

export async function insertUpload(tx: Tx, row: Omit<UploadRow, 'bytes'>): Promise<void> {
  await tx.insertInto('package_upload').values(row).execute()
}

export function findUpload(db: Db, id: string): Promise<UploadRow | undefined> {
  return db.selectFrom('package_upload').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Locked, no chunk can be added. */
export function lockUpload(tx: Tx, id: string): Promise<UploadRow | undefined> {
  return tx.selectFrom('package_upload').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Callers have locked the upload. */
export async function addPiece(
  tx: Tx,
  upload: UploadRow,
  key: string,
  bytes: number,
  now: Date,
): Promise<boolean> {
  const added = await tx
    .updateTable('package_object')
    .set({ upload_id: upload.id, start: upload.bytes })
    .where('key', '=', key)
    .returning('key')
    .executeTakeFirst()
  if (added === undefined) return false
  await tx
    .updateTable('package_upload')
    .set({ bytes: upload.bytes + bytes, touched_at: now })
    .where('id', '=', upload.id)
    .execute()
  return true
}

export function listPieces(db: Db, uploadId: string): Promise<ObjectRow[]> {
  return db
    .selectFrom('package_object')
    .selectAll()
    .where('upload_id', '=', uploadId)
    .orderBy('start')
    .execute()
}

export async function deleteUpload(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('package_upload').where('id', '=', id).execute()
}

/** Their objects lose their owner and are swept. */
export async function deleteStaleUploads(tx: Tx, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`delete from package_upload where id in (
      select id from package_upload where touched_at < ${before}
      order by touched_at limit ${limit} for update skip locked) returning id`.execute(tx)
  return rows.length
}
