/** SQL on imports. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { StorageId } from '#git'
import type { Db, Tx } from '#platform/db'
import type { Failure, ImportRow, LeftOut } from '../tables.ts'

/** Spelled as in the partial index `import_name`. */
const IS_UNDER_WAY = sql<boolean>`state in ('waiting', 'running')`

/** Undefined if another user is importing under this name. */
export async function insertImport(
  tx: Tx,
  row: Pick<ImportRow, 'owner_id' | 'actor_id' | 'name_key' | 'options' | 'credentials' | 'created_at'>,
): Promise<number | undefined> {
  // A repeated request cancels the user's earlier one, whose worker may be dead.
  await tx
    .updateTable('import')
    .set({ state: 'cancelled', ended_at: row.created_at })
    .where('owner_id', '=', row.owner_id)
    .where('name_key', '=', row.name_key)
    .where('actor_id', '=', row.actor_id)
    .where(IS_UNDER_WAY)
    .execute()
  const made = await tx
    .insertInto('import')
    .values({ ...row, options: JSON.stringify(row.options) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** Starts the import, or restarts it after a worker died. Undefined if nothing is left to do. */
export function claimImport(tx: Tx, id: number): Promise<ImportRow | undefined> {
  return tx
    .updateTable('import')
    .set((eb) => ({ state: 'running', attempts: eb('attempts', '+', 1), resumes_at: null }))
    .where('id', '=', id)
    .where(IS_UNDER_WAY)
    .returningAll()
    .executeTakeFirst()
}

/** Ends an attempt that is to be repeated. False if the import is no longer ours. */
export async function postponeImport(
  tx: Tx,
  { id, attempts }: ImportRow,
  { resumesAt, isFault }: { readonly resumesAt: Date; readonly isFault: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('import')
    .set((eb) => ({
      state: 'waiting',
      postponed: eb('postponed', '+', 1),
      ...(isFault && { faults: eb('faults', '+', 1) }),
      resumes_at: resumesAt,
    }))
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Called whenever something was stored: the source has recovered. */
export async function forgetFaults(tx: Tx, { id }: ImportRow): Promise<void> {
  await tx.updateTable('import').set({ faults: 0 }).where('id', '=', id).where('faults', '>', 0).execute()
}

/** The storage of this attempt, for the one after it. */
export async function noteStorage(tx: Tx, { id, attempts }: ImportRow, storageId: StorageId): Promise<void> {
  await tx
    .updateTable('import')
    .set({ storage_id: storageId })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

/** False if it was cancelled or claimed by another worker: the caller must stop. */
export async function isStillOurs(db: Db, { id, attempts }: ImportRow): Promise<boolean> {
  const found = await db
    .selectFrom('import')
    .select('id')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return found !== undefined
}

/** The same with a row lock, so that no other worker can claim it until the transaction ends. */
export async function lockOurs(tx: Tx, { id, attempts }: ImportRow): Promise<boolean> {
  const found = await tx
    .selectFrom('import')
    .select('id')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'running')
    .forShare()
    .executeTakeFirst()
  return found !== undefined
}

/** Part of the transaction that creates the repository. False if the import is no longer ours. */
export async function finishImport(
  tx: Tx,
  { id, attempts }: ImportRow,
  repositoryId: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('import')
    .set({ state: 'done', repository_id: repositoryId, ended_at: now })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'running')
    .executeTakeFirst()
  await deletePages(tx, id)
  return numUpdatedRows === 1n
}

/** For the report of the import. */
export async function keepLeftOut(tx: Tx, { id }: ImportRow, leftOut: LeftOut): Promise<void> {
  await tx
    .updateTable('import')
    .set({ left_out: JSON.stringify(leftOut) })
    .where('id', '=', id)
    .execute()
}

export async function failImport(
  tx: Tx,
  { id, attempts }: ImportRow,
  failure: Failure,
  now: Date,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('import')
    .set({ state: 'failed', failure: JSON.stringify(failure), ended_at: now })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'running')
    .executeTakeFirst()
  // Another worker that claimed the import still needs the pages.
  if (numUpdatedRows === 1n) await deletePages(tx, id)
}

async function deletePages(tx: Tx, importId: number): Promise<void> {
  await tx.deleteFrom('import_page').where('import_id', '=', importId).execute()
}

export function getImport(db: Db, id: number): Promise<ImportRow> {
  return db.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** The one that was started last under this name. */
export function findLastImport(
  db: Db,
  ownerId: number,
  nameKey: string,
): Promise<Pick<ImportRow, 'state' | 'failure' | 'left_out' | 'resumes_at'> | undefined> {
  return db
    .selectFrom('import')
    .select(['state', 'failure', 'left_out', 'resumes_at'])
    .where('owner_id', '=', ownerId)
    .where('name_key', '=', nameKey)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Ended imports are needed only while a client waits. */
export async function sweepImports(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('import').where('ended_at', '<', before).execute()
  // Of cancelled imports, whose workers may have inserted pages for a moment longer.
  await tx
    .deleteFrom('import_page')
    .where('import_id', 'in', tx.selectFrom('import').select('id').where('ended_at', 'is not', null))
    .execute()
}
