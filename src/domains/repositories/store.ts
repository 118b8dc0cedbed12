/** SQL on the tables of repositories. Reads take any handle; writes take a transaction. */
import { count } from '#domains/users'
import type { TxContext } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import type { NewRepositoryRow, RepositoryCount, RepositoryRow, TeamRepositoryRow } from './tables.ts'

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

/** Gives repositories to teams; what a team has already stays as it is. Returns what was new. */
export function insertTeamRepositories(
  tx: Tx,
  rows: readonly TeamRepositoryRow[],
): Promise<TeamRepositoryRow[]> {
  if (rows.length === 0) return Promise.resolve([])
  return tx
    .insertInto('team_repository')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
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

/** Makes people watch repositories, and counts those who did not before. */
export async function insertWatches(
  tx: Tx,
  rows: readonly { user_id: number; repository_id: number; created_at: Date }[],
): Promise<void> {
  if (rows.length === 0) return
  const added = await tx
    .insertInto('watch')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .returning('repository_id')
    .execute()
  const counts = new Map<number, number>()
  for (const { repository_id } of added) counts.set(repository_id, (counts.get(repository_id) ?? 0) + 1)
  for (const [id, watchers] of counts)
    await tx
      .updateTable('repository_count')
      .set((eb) => ({ watchers: eb('watchers', '+', watchers) }))
      .where('repository_id', '=', id)
      .execute()
}

/** Who is in some teams, once for each team. */
export function listMembersOf(
  db: Db,
  teamIds: readonly number[],
): Promise<{ team_id: number; user_id: number }[]> {
  if (teamIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('team_member')
    .select(['team_id', 'user_id'])
    .where('team_id', 'in', [...teamIds])
    .execute()
}

type Counter = Exclude<keyof RepositoryCount, symbol>

/** Moves counters in the transaction of what they count, and says what they are now. */
export async function countChange(
  ctx: TxContext,
  id: number,
  change: Readonly<Partial<Record<Counter, number>>>,
): Promise<RepositoryCount> {
  const counters = Object.entries(change) as [Counter, number][]
  const counts = await ctx.db
    .updateTable('repository_count')
    .set((eb) => Object.fromEntries(counters.map(([name, more]) => [name, eb(name, '+', more)])))
    .where('repository_id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await ctx.db.updateTable('repository').set({ updated_at: ctx.now() }).where('id', '=', id).execute()
  return counts
}

export async function setDefaultBranch(ctx: TxContext, id: number, branch: string): Promise<void> {
  await ctx.db.updateTable('repository').set({ default_branch: branch }).where('id', '=', id).execute()
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
