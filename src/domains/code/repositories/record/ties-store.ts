/**
 * SQL on `star` and `watch`, two tables of the same shape, which tie users to repositories. Reads take any handle;
 * writes take a transaction and update the counters.
 */
import { sql } from 'kysely'
import { count, selectAccounts, visibleTo } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'

export type TieKind = 'star' | 'watch'

export interface Tie {
  readonly user_id: number
  readonly repository_id: number
}
export interface DatedTie extends Tie {
  readonly created_at: Date
}

const COUNTERS = { star: 'stars', watch: 'watchers' } as const

export function findTie(db: Db, kind: TieKind, tie: Tie): Promise<DatedTie | undefined> {
  return FOUND[kind].first(db, tie)
}

const FOUND = { star: foundIn('star'), watch: foundIn('watch') }

function foundIn(kind: TieKind) {
  return new Statement((db: Db, { user_id, repository_id }: Tie) =>
    db
      .selectFrom(kind)
      .select(['user_id', 'repository_id', 'created_at'])
      .where('user_id', '=', user_id)
      .where('repository_id', '=', repository_id),
  )
}

export async function findTies(db: Db, tie: Tie): Promise<{ isStarred: boolean; isWatched: boolean }> {
  const { isStarred = false, isWatched = false } = (await BOTH.first(db, tie)) ?? {}
  return { isStarred, isWatched }
}

const BOTH = new Statement((_db: Db, { user_id, repository_id }: Tie) => {
  const isTied = (kind: TieKind) => sql<boolean>`exists (select 1 from ${sql.table(kind)}
    where user_id = ${user_id} and repository_id = ${repository_id})`
  return sql<{ isStarred: boolean; isWatched: boolean }>`select ${isTied('star')} as "isStarred",
    ${isTied('watch')} as "isWatched"`
})

/** False when the tie already existed. */
export async function insertTie(tx: Tx, kind: TieKind, tie: DatedTie): Promise<boolean> {
  const inserted = await tx
    .insertInto(kind)
    .values(tie)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n) return false
  await countTie(tx, kind, tie, 1)
  return true
}

export async function deleteTie(tx: Tx, kind: TieKind, tie: Tie): Promise<void> {
  const deleted = await tx
    .deleteFrom(kind)
    .where('user_id', '=', tie.user_id)
    .where('repository_id', '=', tie.repository_id)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 1n) await countTie(tx, kind, tie, -1)
}

/** For a user who is being deleted. */
export async function deleteTiesOf(tx: Tx, kind: TieKind, userId: number): Promise<void> {
  const deleted = await tx.deleteFrom(kind).where('user_id', '=', userId).returning('repository_id').execute()
  const ids = deleted.map(({ repository_id }) => repository_id)
  const counter = COUNTERS[kind]
  await tx
    .updateTable('repository_count')
    .set((eb) => ({ [counter]: eb(counter, '-', 1) }))
    .where('repository_id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

/** The users tied to a repository who are visible to the caller. */
export function selectTied(ctx: Context, kind: TieKind, repositoryId: number) {
  return selectAccounts(ctx.db)
    .innerJoin(sql<DatedTie>`${sql.table(kind)}`.as('tie'), 'tie.user_id', 'account.id')
    .where('tie.repository_id', '=', repositoryId)
    .where(visibleTo(ctx.actor))
    .orderBy('tie.user_id')
}

/** Invariant: the repository's counter is locked before the user's. */
async function countTie(tx: Tx, kind: TieKind, { user_id, repository_id }: Tie, by: 1 | -1): Promise<void> {
  const counter = COUNTERS[kind]
  await tx
    .updateTable('repository_count')
    .set((eb) => ({ [counter]: eb(counter, '+', by) }))
    .where('repository_id', '=', repository_id)
    .execute()
  if (kind === 'star') await count(tx, user_id, 'stars', by)
}
