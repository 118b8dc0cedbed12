/** SQL on `collaboration`, and on assignees and reviewers. Reads take any handle; writes take a transaction. */
import { type RawBuilder, sql } from 'kysely'
import type { Collaboration } from '#domains/people/access'
import { type Account, selectAccounts } from '#domains/people/users'
import { CUSTOM_PLAN, type Db, type Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
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

/** Inserts a collaboration, or changes its level. */
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

/** False when the user was not a collaborator. */
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

/** Bounds lists of users that are not paged. */
const PEOPLE_MAX = 1000

type Place = Pick<RepositoryRow, 'id' | 'owner_id'>

/** Users with a grant to write any unit or to read pull requests, and the owner. Public access alone does not count. */
export function listAssignees(db: Db, repo: Place): Promise<Account[]> {
  return ASSIGNEES.rows(db, { id: repo.id, owner_id: repo.owner_id })
}

const ASSIGNEES = new Statement((db: Db, repo: Place) => {
  const isEnough = sql<boolean>`${isTeamAtLeast('write')} or ${hasTeamUnit('write')}
    or ${hasTeamUnit('read', ['pulls'])}`
  return selectPeople(db, repo, ['write', 'admin'], isEnough)
})

/** Users with a grant to read pull requests, and the owner. Public access alone does not count. */
export function listReviewers(db: Db, repo: Place): Promise<Account[]> {
  return selectReviewers(db, repo).execute()
}

/** Whether a user is one of `listReviewers`. */
export async function isReviewer(db: Db, repo: Place, userId: number): Promise<boolean> {
  const found = await selectReviewers(db, repo).where('account.id', '=', userId).executeTakeFirst()
  return found !== undefined
}

function selectReviewers(db: Db, repo: Place) {
  const isEnough = sql<boolean>`${isTeamAtLeast('read')} or ${hasTeamUnit('read', ['pulls'])}`
  return selectPeople(db, repo, ['read', 'write', 'admin'], isEnough)
}

/** The users among `ids` who have a grant to read the code, and the owner. */
export function listTrusted(db: Db, repo: Place, ids: readonly number[]): Promise<Account[]> {
  const isEnough = sql<boolean>`${isTeamAtLeast('read')} or ${hasTeamUnit('read', ['code'])}`
  return selectPeople(db, repo, ['read', 'write', 'admin'], isEnough)
    .where('account.id', 'in', [...ids])
    .execute()
}

/**
 * Collaborators at the given levels, members of teams that meet `isEnough`, and the owner, if it is a user. Custom plan:
 * the number of users varies too much between repositories for a generic plan.
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
