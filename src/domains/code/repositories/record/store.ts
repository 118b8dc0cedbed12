/** SQL on the tables of repositories. Reads take any handle; writes take a transaction. */

import { sql } from 'kysely'
import { countBytes } from '#domains/people/quotas'
import { count, countMany } from '#domains/people/users'
import type { StorageId } from '#git'
import type { TxContext } from '#platform/context'
import { type Db, isUniqueViolation, type Tx } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { KnownPlace } from '../access/access-sql.ts'
import type {
  NewRepositoryRow,
  RepositoryCount,
  RepositoryPatch,
  RepositoryRow,
  RepositoryUsage,
  TeamRepositoryRow,
} from '../tables.ts'

/** Undefined when the name is taken. A redirect of the same name is deleted. */
export async function insertRepository(
  tx: Tx,
  row: NewRepositoryRow,
  counts: Partial<RepositoryCount & RepositoryUsage> = {},
): Promise<RepositoryRow | undefined> {
  const repo = await tx
    .insertInto('repository')
    .values(row)
    .onConflict((conflict) => conflict.columns(['owner_id', 'name_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (repo === undefined) return undefined
  await tx
    .insertInto('repository_count')
    .values({ repository_id: repo.id, ...counts })
    .execute()
  await deleteRedirect(tx, row.owner_id, row.name_key)
  await count(tx, row.owner_id, 'repositories', 1)
  return repo
}

/** Every change of a repository takes this lock, which serializes changes. */
export async function lockRepository(tx: Tx, id: number): Promise<RepositoryRow> {
  const repo = await tx
    .selectFrom('repository')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (repo === undefined) throw notFound('repository', id)
  return repo
}

/** A shared lock: the repository row stays unchanged until the end of the transaction. */
export async function shareRepository(tx: Tx, id: number): Promise<void> {
  const repo = await tx
    .selectFrom('repository')
    .select('id')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (repo === undefined) throw notFound('repository', id)
}

/** A taken name is reported as the client's error. */
export async function updateRepository(tx: Tx, id: number, patch: RepositoryPatch): Promise<void> {
  try {
    await tx.updateTable('repository').set(patch).where('id', '=', id).execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw invalid('repository already exists', { name: patch.name })
  }
}

/** The repository that a former name redirects to. */
export async function findRedirect(db: Db, ownerId: number, nameKey: string): Promise<number | undefined> {
  const found = await db
    .selectFrom('repository_redirect')
    .select('repository_id')
    .where('owner_id', '=', ownerId)
    .where('name_key', '=', nameKey)
    .executeTakeFirst()
  return found?.repository_id
}

export async function deleteRedirect(tx: Tx, ownerId: number, nameKey: string): Promise<void> {
  await tx
    .deleteFrom('repository_redirect')
    .where('owner_id', '=', ownerId)
    .where('name_key', '=', nameKey)
    .execute()
}

/** Redirects a former name to the repository. */
export async function insertRedirect(
  tx: Tx,
  { id, owner_id, name_key }: Pick<RepositoryRow, 'id' | 'owner_id' | 'name_key'>,
): Promise<void> {
  await tx
    .insertInto('repository_redirect')
    .values({ owner_id, name_key, repository_id: id })
    .onConflict((conflict) => conflict.columns(['owner_id', 'name_key']).doUpdateSet({ repository_id: id }))
    .execute()
}

export async function insertAdmin(tx: Tx, repositoryId: number, userId: number, now: Date): Promise<void> {
  await tx
    .insertInto('collaboration')
    .values({ repository_id: repositoryId, user_id: userId, level: 'admin', created_at: now })
    .onConflict((conflict) => conflict.columns(['repository_id', 'user_id']).doUpdateSet({ level: 'admin' }))
    .execute()
}

/** Adds repositories to teams, skipping existing rows. Returns the added rows. */
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

/** Adds watches, skipping existing ones, and updates the counters. */
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

/** A user watches all repositories of a team: one statement. */
export async function watchAllOf(tx: Tx, teamId: number, userId: number, now: Date): Promise<void> {
  await sql`with added as (
      insert into watch (user_id, repository_id, created_at)
      select ${userId}, repository_id, ${now}::timestamptz from team_repository where team_id = ${teamId}
      on conflict do nothing returning repository_id)
    update repository_count set watchers = watchers + 1
    from added where repository_count.repository_id = added.repository_id`.execute(tx)
}

/** Members of the teams, once for each team. */
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

/** Changes counters in the transaction of the change that they count; returns the new values. */
export async function countChange(
  ctx: TxContext,
  id: number,
  change: Readonly<Partial<Record<Counter, number>>>,
): Promise<RepositoryCount> {
  const counters = Object.entries(change) as [Counter, number][]
  // The row before its counters, as in all transactions.
  const { owner_id } = await ctx.db
    .updateTable('repository')
    .set({ updated_at: ctx.now() })
    .where('id', '=', id)
    .returning('owner_id')
    .executeTakeFirstOrThrow()
  const { bytes = 0 } = change
  countBytes(ctx, { ownerId: owner_id, kind: 'git', bytes, refusal: 'too_large' })
  return ctx.db
    .updateTable('repository_count')
    .set((eb) => Object.fromEntries(counters.map(([name, more]) => [name, eb(name, '+', more)])))
    .where('repository_id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function setDefaultBranch(ctx: TxContext, id: number, branch: string): Promise<void> {
  await ctx.db.updateTable('repository').set({ default_branch: branch }).where('id', '=', id).execute()
}

/** Also updates the counters of stargazers, parent and owner. */
export async function deleteRepositoryRow(tx: Tx, id: number): Promise<RepositoryRow | undefined> {
  await forgetAudience(tx, [id])
  const repo = await tx.deleteFrom('repository').where('id', '=', id).returningAll().executeTakeFirst()
  if (repo === undefined) return undefined
  await count(tx, repo.owner_id, 'repositories', -1)
  if (repo.parent_id !== null) await countForks(tx, repo.parent_id, -1)
  return repo
}

/** Deletes stars and watches, and updates the counters. */
export async function forgetAudience(tx: Tx, repositoryIds: readonly number[]): Promise<void> {
  const ids = sql<number>`any(${[...repositoryIds]}::bigint[])`
  const stars = await tx.deleteFrom('star').where('repository_id', '=', ids).returning('user_id').execute()
  await tx.deleteFrom('watch').where('repository_id', '=', ids).execute()
  await tx
    .updateTable('repository_count')
    .set({ stars: 0, watchers: 0 })
    .where('repository_id', '=', ids)
    .execute()
  await countMany(
    tx,
    stars.map(({ user_id }) => user_id),
    'stars',
    -1,
  )
}

/** Changes the parent's fork count, locks its counters and returns them; undefined when the parent is gone. */
export function countForks(tx: Tx, parentId: number, by: 1 | -1): Promise<RepositoryCount | undefined> {
  return tx
    .updateTable('repository_count')
    .set((eb) => ({ forks: eb('forks', '+', by) }))
    .where('repository_id', '=', parentId)
    .returningAll()
    .executeTakeFirst()
}

export async function listIdsOf(db: Db, ownerId: number): Promise<number[]> {
  const rows = await db.selectFrom('repository').select('id').where('owner_id', '=', ownerId).execute()
  return rows.map(({ id }) => id)
}

export function setWikiStorage(ctx: TxContext, repositoryId: number, storageId: StorageId): Promise<unknown> {
  return updateRepository(ctx.db, repositoryId, { wiki_storage_id: storageId })
}

/**
 * The columns that decide who may read the repository. `for key share` prevents its deletion until the transaction
 * ends.
 */
export function findPlace(tx: Tx, id: number): Promise<KnownPlace | undefined> {
  return tx
    .selectFrom('repository')
    .select(['id', 'owner_id', 'units', 'audience', 'is_private', 'is_quarantined'])
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
}

export async function getStorageId(db: Db, id: number): Promise<StorageId> {
  const { storage_id } = await db
    .selectFrom('repository')
    .select('storage_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return storage_id
}
