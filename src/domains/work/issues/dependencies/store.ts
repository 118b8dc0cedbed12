/** SQL on dependencies between issues. Reads take any handle; writes take a transaction. */
import { type RawBuilder, sql } from 'kysely'
import type { TxContext } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { Placed } from '../records/across.ts'
import type { Dependency } from '../tables.ts'

/** The issues that an issue blocks, or that block it. */
export type Side = 'blocked' | 'blockers'

/** Per issue and side. */
export const DEPENDENCIES_MAX = 500
/** Issues searched for a cycle before a new dependency is refused as too large to check. */
export const REACHED_MAX = 10_000
/** Key of the advisory lock for adding dependencies. */
const GRAPH_LOCK = 4_871_204

/**
 * Invariant: dependencies are added one at a time in the whole forge, because a cycle may span repositories: four users
 * who each add one side of a square lock two issues each and do not see each other's rows. The lock is taken after both
 * issue locks, and its holder waits for no other lock; so it is held for three short statements and cannot deadlock.
 */
export async function lockGraph(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${GRAPH_LOCK}::bigint)`.execute(tx)
}

/** False if it exists already. */
export async function insertDependency(ctx: TxContext, dependency: Dependency): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('issue_dependency')
    .values({ ...dependency, created_at: ctx.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False if it does not exist. */
export async function deleteDependency(tx: Tx, { blocker_id, blocked_id }: Dependency): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('issue_dependency')
    .where('blocker_id', '=', blocker_id)
    .where('blocked_id', '=', blocked_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export function listLinked(db: Db, { id, repository_id }: Placed, side: Side) {
  return LINKED.rows(db, { id, repository_id, isBlocked: side === 'blocked' })
}

const LINKED = new Statement((db: Db, { isBlocked, ...issue }: Located & { isBlocked: boolean }) =>
  selectLinked(db, issue, isBlocked ? 'blocked' : 'blockers'),
)

type Located = Pick<Placed, 'id' | 'repository_id'>

/** Issues of the same repository first, then by repository; within one, latest first. */
export function selectLinked(db: Db, issue: Located, side: Side) {
  const [own, other] = side === 'blocked' ? OWN_FIRST : OWN_LAST
  return db
    .selectFrom('issue_dependency')
    .innerJoin('issue', 'issue.id', other)
    .select(['issue.id', 'issue.repository_id', 'issue.is_pull', 'issue.is_hidden'])
    .where(own, '=', issue.id)
    .orderBy((eb) => eb('issue.repository_id', '=', issue.repository_id), 'desc')
    .orderBy('issue.repository_id')
    .orderBy('issue.created_at', 'desc')
    .orderBy('issue.id', 'desc')
    .limit(DEPENDENCIES_MAX)
}

const OWN_FIRST = ['issue_dependency.blocker_id', 'issue_dependency.blocked_id'] as const
const OWN_LAST = ['issue_dependency.blocked_id', 'issue_dependency.blocker_id'] as const

export async function countLinked(db: Db, { blocker_id, blocked_id }: Dependency): Promise<number> {
  const { rows } = await sql<{ linked: number }>`select greatest(
      (select count(*) from issue_dependency where blocker_id = ${blocker_id}),
      (select count(*) from issue_dependency where blocked_id = ${blocked_id})) as linked`.execute(db)
  return rows[0]?.linked ?? 0
}

export async function hasOpenBlocker(db: Db, issueId: number): Promise<boolean> {
  return (await selectOpenBlocker(db, issueId).executeTakeFirst()) !== undefined
}

/** Those of these issues that an open issue blocks. */
export async function findWithOpenBlocker(db: Db, issueIds: readonly number[]): Promise<number[]> {
  if (issueIds.length === 0) return []
  const rows = await db
    .selectFrom('issue_dependency')
    .innerJoin('issue', 'issue.id', 'issue_dependency.blocker_id')
    .select('issue_dependency.blocked_id')
    .where('issue_dependency.blocked_id', '=', sql<number>`any(${[...issueIds]}::bigint[])`)
    .where('issue.is_closed', '=', false)
    .execute()
  return rows.map(({ blocked_id }) => blocked_id)
}

export function selectOpenBlocker(db: Db, issueId: number) {
  return db
    .selectFrom('issue_dependency')
    .innerJoin('issue', 'issue.id', 'issue_dependency.blocker_id')
    .select('issue.id')
    .where('issue_dependency.blocked_id', '=', issueId)
    .where('issue.is_closed', '=', false)
    .limit(1)
}

export type Reach = 'reached' | 'not reached' | 'too far to tell'

/** Whether `to` is reachable from `from` over blocked issues. The caller holds the graph lock. */
export async function reach(tx: Tx, from: number, to: number): Promise<Reach> {
  const { rows } = await selectReach(from, to).execute(tx)
  if (rows[0]?.is_reached) return 'reached'
  return (rows[0]?.seen ?? 0) > REACHED_MAX ? 'too far to tell' : 'not reached'
}

/**
 * PostgreSQL evaluates no more than the limit. `offset 0` keeps the planner from joining the whole table at each step:
 * a chain of 10,000 takes 60 ms, and 20 s without it.
 */
export function selectReach(from: number | RawBuilder<unknown>, to: number | RawBuilder<unknown>) {
  return sql<{ seen: number; is_reached: boolean }>`with recursive reached (id) as (
      select ${from}::bigint
      union
      select next.blocked_id from reached cross join lateral (
        select blocked_id from issue_dependency where blocker_id = reached.id offset 0) as next
    ) select count(*) as seen, bool_or(id = ${to}) as is_reached
    from (select id from reached limit ${REACHED_MAX + 1}) as first`
}
