/** SQL on `collaboration`, and on who else works on a repository. Reads take any handle; writes a transaction. */
import { type RawBuilder, sql } from 'kysely'
import type { Collaboration } from '#domains/people/access'
import { type Account, selectAccounts } from '#domains/people/users'
import { CUSTOM_PLAN, type Db, type Tx } from '#platform/db'
import { hasTeamUnit, isTeamAtLeast } from '../access/access-sql.ts'
import type { RepositoryRow } from '../tables.ts'

export async function isCollaborator(db: Db, repositoryId: number, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('collaboration')
    .select('user_id')
    .where('repository_id', '=', repositoryId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}

/** Whoever collaborates already does so at another level from now on. */
export async function putCollaboration(
  tx: Tx,
  row: { repository_id: number; user_id: number; level: Collaboration; created_at: Date },
): Promise<void> {
  await tx
    .insertInto('collaboration')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'user_id']).doUpdateSet({ level: row.level }),
    )
    .execute()
}

/** False for whom did not collaborate. */
export async function deleteCollaboration(tx: Tx, repositoryId: number, userId: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('collaboration')
    .where('repository_id', '=', repositoryId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

export async function deleteCollaborationsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('collaboration').where('user_id', '=', userId).execute()
}

export function selectCollaborators(db: Db, repositoryId: number) {
  return selectAccounts(db)
    .innerJoin('collaboration', 'collaboration.user_id', 'account.id')
    .where('collaboration.repository_id', '=', repositoryId)
    .orderBy('collaboration.user_id')
}

/** Lists of people that clients take whole end here. */
const PEOPLE_MAX = 1000

type Place = Pick<RepositoryRow, 'id' | 'owner_id'>

/** Who has something to write, or pull requests to read, by a grant of their own; and the owner. */
export function listAssignees(db: Db, repo: Place): Promise<Account[]> {
  const isEnough = sql<boolean>`${isTeamAtLeast('write')} or ${hasTeamUnit('write')}
    or ${hasTeamUnit('read', ['pulls'])}`
  return selectPeople(db, repo, ['write', 'admin'], isEnough).execute()
}

/** Who may read pull requests by a grant of their own, and the owner. */
export function listReviewers(db: Db, repo: Place): Promise<Account[]> {
  return selectReviewers(db, repo).execute()
}

/** Whether somebody is among them. */
export async function isReviewer(db: Db, repo: Place, userId: number): Promise<boolean> {
  const found = await selectReviewers(db, repo).where('account.id', '=', userId).executeTakeFirst()
  return found !== undefined
}

function selectReviewers(db: Db, repo: Place) {
  const isEnough = sql<boolean>`${isTeamAtLeast('read')} or ${hasTeamUnit('read', ['pulls'])}`
  return selectPeople(db, repo, ['read', 'write', 'admin'], isEnough)
}

/** Those of them who may read the code by a grant of their own, and the owner. */
export function listTrusted(db: Db, repo: Place, ids: readonly number[]): Promise<Account[]> {
  const isEnough = sql<boolean>`${isTeamAtLeast('read')} or ${hasTeamUnit('read', ['code'])}`
  return selectPeople(db, repo, ['read', 'write', 'admin'], isEnough)
    .where('account.id', 'in', [...ids])
    .execute()
}

/**
 * Collaborators at some levels, members of teams that have enough, and the owner, if it is a person. Custom plan:
 * a repository has few people, or very many.
 */
export function selectPeople(
  db: Db,
  repo: Place,
  levels: readonly Collaboration[],
  hasTeamEnough: RawBuilder<boolean>,
) {
  const ids = sql<number>`(
    select collaboration.user_id from collaboration
    where collaboration.repository_id = ${repo.id} and collaboration.level = any(${levels}::text[])
    union select team_member.user_id from team_repository
      join team on team.id = team_repository.team_id
      join team_member on team_member.team_id = team.id
    where team_repository.repository_id = ${repo.id} and (${hasTeamEnough})
    union select ${repo.owner_id}::bigint)`
  return selectAccounts(db)
    .where('account.id', 'in', ids)
    .where('account.kind', '<>', 'organization')
    .where('account.is_active', '=', true)
    .orderBy('account.login_key')
    .limit(PEOPLE_MAX)
    .modifyEnd(CUSTOM_PLAN)
}
