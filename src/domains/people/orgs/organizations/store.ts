/** SQL on `organization`. Reads take any handle; writes take a transaction. */
import { keyOf, selectAccounts } from '#domains/people/users'
import type { Db, Tx } from '#platform/db'
import type { OrgRecord } from '../tables.ts'
import type { OrgRole } from '../teams/can-see-team.ts'

/** The one way to read organizations: all columns with counters. */
export function selectOrgs(db: Db) {
  return selectAccounts(db)
    .innerJoin('organization', 'organization.account_id', 'account.id')
    .select('organization.repo_admin_change_team_access')
}

export function findOrg(db: Db, name: string): Promise<OrgRecord | undefined> {
  return selectOrgs(db).where('login_key', '=', keyOf(name)).executeTakeFirst()
}

export function findOrgById(db: Db, id: number): Promise<OrgRecord | undefined> {
  return selectOrgs(db).where('account.id', '=', id).executeTakeFirst()
}

/** Many organizations, for lists. Deleted ones are not in the map. */
export async function findOrgsById(db: Db, ids: readonly number[]): Promise<Map<number, OrgRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await selectOrgs(db)
    .where('account.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** A user's role in an organization, without regard to site administrators. */
export async function findRole(db: Db, organizationId: number, userId: number): Promise<OrgRole> {
  const { is_owner, is_member } = await db
    .selectNoFrom((eb) => [
      eb
        .exists(
          eb
            .selectFrom('team_member')
            .innerJoin('team', 'team.id', 'team_member.team_id')
            .select('team.id')
            .where('team_member.user_id', '=', userId)
            .where('team_member.organization_id', '=', organizationId)
            .where('team.level', '=', 'owner'),
        )
        .as('is_owner'),
      eb
        .exists(
          eb
            .selectFrom('membership')
            .select('user_id')
            .where('organization_id', '=', organizationId)
            .where('user_id', '=', userId),
        )
        .as('is_member'),
    ])
    .executeTakeFirstOrThrow()
  if (is_owner) return 'owner'
  return is_member ? 'member' : 'stranger'
}

/** The organizations of a user, in locking order. */
export async function listOrgIdsOf(db: Db, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('membership')
    .select('organization_id')
    .where('user_id', '=', userId)
    .orderBy('organization_id')
    .execute()
  return rows.map((row) => row.organization_id)
}

export async function insertOrg(tx: Tx, accountId: number, mayRepoAdminChange: boolean): Promise<void> {
  await tx
    .insertInto('organization')
    .values({ account_id: accountId, repo_admin_change_team_access: mayRepoAdminChange })
    .execute()
}

export async function updateOrg(tx: Tx, accountId: number, mayRepoAdminChange: boolean): Promise<void> {
  await tx
    .updateTable('organization')
    .set({ repo_admin_change_team_access: mayRepoAdminChange })
    .where('account_id', '=', accountId)
    .execute()
}

/**
 * Serializes changes of teams and members, and blocks by the organization, which lock its account row, too. False when
 * the organization is gone.
 */
export async function lockOrg(tx: Tx, id: number): Promise<boolean> {
  const locked = await tx
    .selectFrom('account')
    .innerJoin('organization', 'organization.account_id', 'account.id')
    .select('account.id')
    .where('account.id', '=', id)
    .forNoKeyUpdate('account')
    .executeTakeFirst()
  return locked !== undefined
}

/** Also waits for transactions that give something to the organization, and prevents new ones. */
export async function lockOrgWhole(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', id).forUpdate().execute()
}
