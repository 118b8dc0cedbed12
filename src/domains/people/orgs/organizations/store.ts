/** SQL on `organization`. Reads take any handle; writes take a transaction. No rules here, only queries. */
import { keyOf, selectAccounts } from '#domains/people/users'
import type { Db, Tx } from '#platform/db'
import type { OrgRecord } from '../tables.ts'
import type { OrgRole } from '../teams/can-see-team.ts'

/** The one way to read organizations: whole, with their counters. */
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

/** Many at once, for lists that show them. Those that are gone are not in the map. */
export async function findOrgsById(db: Db, ids: readonly number[]): Promise<Map<number, OrgRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await selectOrgs(db)
    .where('account.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** What somebody is to an organization by its own records. */
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

/** The organizations somebody belongs to, in the order in which they are to be locked. */
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
 * Whoever changes teams or members of an organization does it alone; so does whoever blocks somebody for it, because
 * that takes the lock of the account, too. False when it is gone.
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

/** Waits also for whatever is being given to it right now, and lets nothing more be given. */
export async function lockOrgWhole(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', id).forUpdate().execute()
}
