/** SQL on locks. Reads take any handle; writes take a transaction. */
import type { Db, Tx } from '#platform/db'
import type { LockRow } from '../tables.ts'

/** A lock with the name of its owner. */
export type Lock = LockRow & { readonly login: string }

export interface LockFilter {
  readonly path?: string | undefined
  readonly id?: number | undefined
  /** Locks after this id. */
  readonly after: number
}

/** In the order of their creation. */
export function listLocks(db: Db, repositoryId: number, filter: LockFilter, limit: number): Promise<Lock[]> {
  const { path, id, after } = filter
  return selectLocks(db)
    .where('lfs_lock.repository_id', '=', repositoryId)
    .where('lfs_lock.id', '>', after)
    .$if(path !== undefined, (query) => query.where('lfs_lock.path', '=', path ?? ''))
    .$if(id !== undefined, (query) => query.where('lfs_lock.id', '=', id ?? 0))
    .orderBy('lfs_lock.id')
    .limit(limit)
    .execute()
}

export function findLockOf(db: Db, repositoryId: number, path: string): Promise<Lock | undefined> {
  return selectLocks(db)
    .where('lfs_lock.repository_id', '=', repositoryId)
    .where('lfs_lock.path', '=', path)
    .executeTakeFirst()
}

/** Undefined if the path is locked. */
export function insertLock(tx: Tx, row: Omit<LockRow, 'id'>): Promise<{ id: number } | undefined> {
  return tx
    .insertInto('lfs_lock')
    .values(row)
    .onConflict((conflict) => conflict.columns(['repository_id', 'path']).doNothing())
    .returning('id')
    .executeTakeFirst()
}

export function lockForDeletion(tx: Tx, repositoryId: number, id: number): Promise<Lock | undefined> {
  return selectLocks(tx)
    .where('lfs_lock.repository_id', '=', repositoryId)
    .where('lfs_lock.id', '=', id)
    .forUpdate('lfs_lock')
    .executeTakeFirst()
}

export async function deleteLock(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('lfs_lock').where('id', '=', id).execute()
}

export async function countLocks(db: Db, repositoryId: number, most: number): Promise<number> {
  const rows = await db
    .selectFrom('lfs_lock')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .limit(most)
    .execute()
  return rows.length
}

function selectLocks(db: Db) {
  return db
    .selectFrom('lfs_lock')
    .innerJoin('account', 'account.id', 'lfs_lock.owner_id')
    .selectAll('lfs_lock')
    .select('account.login')
}
