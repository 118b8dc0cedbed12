/** SQL on the tables of repositories. Reads take any handle; writes take a transaction. */
import { count } from '#domains/users'
import type { Db, Tx } from '#platform/db'
import type { NewRepositoryRow, RepositoryRow } from './tables.ts'

/** A name that is taken gives undefined. */
export async function insertRepository(tx: Tx, row: NewRepositoryRow): Promise<RepositoryRow | undefined> {
  const repo = await tx
    .insertInto('repository')
    .values(row)
    .onConflict((conflict) => conflict.columns(['owner_id', 'name_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (repo === undefined) return undefined
  await tx.insertInto('repository_count').values({ repository_id: repo.id }).execute()
  await count(tx, row.owner_id, 'repositories', 1)
  return repo
}

/** Gives a team some repositories; what it has already stays as it is. */
export async function insertTeamRepositories(
  tx: Tx,
  rows: readonly { team_id: number; repository_id: number; organization_id: number }[],
): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('team_repository')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteTeamRepository(tx: Tx, teamId: number, repositoryId: number): Promise<void> {
  await tx
    .deleteFrom('team_repository')
    .where('team_id', '=', teamId)
    .where('repository_id', '=', repositoryId)
    .execute()
}

export async function hasRepository(db: Db, teamId: number, repositoryId: number): Promise<boolean> {
  const found = await db
    .selectFrom('team_repository')
    .select('team_id')
    .where('team_id', '=', teamId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
  return found !== undefined
}

export async function insertWatch(tx: Tx, userId: number, repositoryId: number, now: Date): Promise<void> {
  const added = await tx
    .insertInto('watch')
    .values({ user_id: userId, repository_id: repositoryId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 0n) return
  await tx
    .updateTable('repository_count')
    .set((eb) => ({ watchers: eb('watchers', '+', 1) }))
    .where('repository_id', '=', repositoryId)
    .execute()
}

export async function deleteRepositoryRow(tx: Tx, id: number): Promise<RepositoryRow | undefined> {
  const repo = await tx.deleteFrom('repository').where('id', '=', id).returningAll().executeTakeFirst()
  if (repo !== undefined) await count(tx, repo.owner_id, 'repositories', -1)
  return repo
}

export async function listIdsOf(db: Db, ownerId: number): Promise<number[]> {
  const rows = await db.selectFrom('repository').select('id').where('owner_id', '=', ownerId).execute()
  return rows.map(({ id }) => id)
}
