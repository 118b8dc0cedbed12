/** SQL on scheduled merges (`pull_auto_merge`). Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { AutoMergeRow, NewAutoMergeRow } from '../tables.ts'

/** False if the pull request has a scheduled merge already. */
export async function insertAuto(tx: Tx, row: NewAutoMergeRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('pull_auto_merge')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

export function findAuto(db: Db, issueId: number): Promise<AutoMergeRow | undefined> {
  return db.selectFrom('pull_auto_merge').selectAll().where('issue_id', '=', issueId).executeTakeFirst()
}

/** False if there was no row. */
export async function deleteAuto(tx: Tx, issueId: number): Promise<boolean> {
  const deleted = await tx.deleteFrom('pull_auto_merge').where('issue_id', '=', issueId).executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/** Issue ids of the open pull requests that are scheduled with this commit as their head. */
export async function listWaiting(db: Db, repositoryId: number, oid: string): Promise<number[]> {
  const rows = await db
    .selectFrom('pull_auto_merge')
    .innerJoin('pull_request', 'pull_request.issue_id', 'pull_auto_merge.issue_id')
    .select('pull_request.issue_id')
    .where('pull_request.repository_id', '=', repositoryId)
    .where('pull_request.is_open', '=', true)
    .where(sql<boolean>`pull_auto_merge.head_oid = ${oid}`)
    .execute()
  return rows.map(({ issue_id }) => issue_id)
}
