/** SQL that writes and reads pull requests in bulk. */
import type { Db, Tx } from '#platform/db'
import type { NewPullRow, NewVersionRow, PullRow } from '../tables.ts'

export async function insertPulls(tx: Tx, rows: readonly NewPullRow[]): Promise<void> {
  await tx
    .insertInto('pull_request')
    .values([...rows])
    .execute()
}

export async function insertVersions(tx: Tx, rows: readonly NewVersionRow[]): Promise<void> {
  await tx
    .insertInto('pull_version')
    .values([...rows])
    .execute()
}

/** Pull requests above a number, in order. */
export function listAfter(db: Db, repositoryId: number, number: number, limit: number): Promise<PullRow[]> {
  return db
    .selectFrom('pull_request')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('number', '>', number)
    .orderBy('number')
    .limit(limit)
    .execute()
}
