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

/** Teams that have every repository get the new one, too. */
export async function addToAllTeams(tx: Tx, repo: RepositoryRow): Promise<void> {
  await tx
    .insertInto('team_repository')
    .columns(['team_id', 'repository_id', 'organization_id'])
    .expression((eb) =>
      eb
        .selectFrom('team')
        .select((it) => ['id as team_id', it.val(repo.id).as('repository_id'), 'organization_id'])
        .where('organization_id', '=', repo.owner_id)
        .where('includes_all_repositories', '=', true),
    )
    .execute()
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
