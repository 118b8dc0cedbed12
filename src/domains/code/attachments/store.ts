/** SQL on attachments. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import { countRows, type Db, type Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { AttachableKind } from '#slices'
import type { AttachmentRow } from './tables.ts'

/** The row that a file is attached to. */
export interface Owner {
  readonly kind: AttachableKind
  readonly id: number
}

export const COLUMNS = { release: 'release_id', issue: 'issue_id', comment: 'comment_id' } as const
const NOBODY = { release_id: null, issue_id: null, comment_id: null }
const IS_ORPHAN = sql<boolean>`release_id is null and issue_id is null and comment_id is null`

/** Inserts the row without an owner. */
export async function insertAttachment(
  tx: Tx,
  facts: Pick<AttachmentRow, 'uuid' | 'name' | 'uploader_id' | 'created_at'>,
): Promise<void> {
  await tx
    .insertInto('attachment')
    .values({ ...NOBODY, ...facts, bytes: 0, picture_type: '' })
    .execute()
}

export async function updateStored(
  tx: Tx,
  uuid: string,
  facts: Pick<AttachmentRow, 'bytes' | 'picture_type'>,
): Promise<void> {
  await tx.updateTable('attachment').set(facts).where('uuid', '=', uuid).execute()
}

/** Returns the rows that existed and had no owner. */
export function updateOwner(tx: Tx, owner: Owner, uuids: readonly string[]): Promise<AttachmentRow[]> {
  return tx
    .updateTable('attachment')
    .set({ [COLUMNS[owner.kind]]: owner.id })
    .where('uuid', 'in', [...uuids])
    .where(IS_ORPHAN)
    .returningAll()
    .execute()
}

/** Of these files without an owner: those that are there, which the sweep leaves alone for as long as new ones. */
export async function holdStored(tx: Tx, uuids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  if (uuids.length === 0) return new Set()
  const rows = await tx
    .updateTable('attachment')
    .set({ created_at: now })
    .where('uuid', '=', sql<string>`any(${[...uuids]}::uuid[])`)
    .where(IS_ORPHAN)
    .returning('uuid')
    .execute()
  return new Set(rows.map(({ uuid }) => uuid))
}

export function updateName(tx: Tx, id: number, name: string): Promise<AttachmentRow> {
  return tx
    .updateTable('attachment')
    .set({ name })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function orphan(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('attachment').set(NOBODY).where('id', '=', id).execute()
}

export async function countDownload(db: Db, id: number): Promise<void> {
  await db
    .updateTable('attachment')
    .set((eb) => ({ downloads: eb('downloads', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Deletes rows without an owner that are older than `before`; returns their uuids. */
export async function deleteOrphans(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`delete from attachment where id in (
      select id from attachment where ${IS_ORPHAN} and created_at < ${before}
      order by created_at limit ${limit})
    and ${IS_ORPHAN} returning uuid`.execute(tx)
  return rows.map(({ uuid }) => uuid)
}

export function selectAttachments(db: Db, kind: AttachableKind, ids: readonly number[]) {
  return db.selectFrom('attachment').where(COLUMNS[kind], '=', sql<number>`any(${ids}::bigint[])`)
}

export function countAttachments(db: Db, { kind, id }: Owner): Promise<number> {
  return countRows(selectAttachments(db, kind, [id]))
}

/** Attachments of many releases, issues or comments, in one query, in the order in which they were added. */
export async function listAttachments(
  db: Db,
  kind: AttachableKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AttachmentRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await LISTED[kind].rows(db, { ids })
  return Map.groupBy(rows, (row) => row[COLUMNS[kind]] ?? 0)
}

const LISTED = { release: listedOf('release'), issue: listedOf('issue'), comment: listedOf('comment') }

function listedOf(kind: AttachableKind) {
  return new Statement((db: Db, { ids }: { ids: readonly number[] }) =>
    selectAttachments(db, kind, ids).selectAll().orderBy('id'),
  )
}

export function findAttachment(db: Db, { kind, id }: Owner, fileId: number) {
  return selectAttachments(db, kind, [id]).selectAll().where('id', '=', fileId).executeTakeFirst()
}

/** The newest attachment with this name. */
export function findByName(db: Db, { kind, id }: Owner, name: string): Promise<AttachmentRow | undefined> {
  return selectAttachments(db, kind, [id])
    .selectAll()
    .where('name', '=', name)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function findByUuid(db: Db, uuid: string): Promise<AttachmentRow | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)) return undefined
  return db.selectFrom('attachment').selectAll().where('uuid', '=', uuid).executeTakeFirst()
}
