/** Rights that users have through teams, for slices that decide about repositories and accounts. */
import { type RawBuilder, sql } from 'kysely'
import { atLeast, type Level, type Unit } from '#domains/people/access'
import { lacksSecondFactor } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { findRole, selectOrgs } from './organizations/store.ts'
import type { OrgRecord } from './tables.ts'

export async function isOrgOwner(db: Db, organizationId: number, userId: number): Promise<boolean> {
  return (await findRole(db, organizationId, userId)) === 'owner'
}

/** True for members of teams with `can_create_repository`, such as the owners' team, and for site administrators. */
export async function mayCreateRepository(
  { db, actor }: Context,
  org: Pick<OrgRecord, 'id'>,
): Promise<boolean> {
  if (actor === null) return false
  if (actor.isAdmin) return true
  const found = await db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select('team.id')
    .where('team_member.user_id', '=', actor.id)
    .where('team_member.organization_id', '=', org.id)
    .where('team.can_create_repository', '=', true)
    .$if(lacksSecondFactor(actor.account), (query) => query.where(isUndemanding(org.id)))
    .executeTakeFirst()
  return found !== undefined
}

/** True by a team with this level on the unit or with the level `admin`; always for site administrators. */
export async function hasUnitInOrg(
  { db, actor }: Context,
  org: Pick<OrgRecord, 'id'>,
  unit: Unit,
  level: Level,
): Promise<boolean> {
  if (actor === null) return false
  if (actor.isAdmin) return true
  const teams = await db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .leftJoin('team_unit', (join) =>
      join.onRef('team_unit.team_id', '=', 'team.id').on('team_unit.unit', '=', unit),
    )
    .select(['team.level', 'team_unit.level as unit_level'])
    .where('team_member.user_id', '=', actor.id)
    .where('team_member.organization_id', '=', org.id)
    .$if(lacksSecondFactor(actor.account), (query) => query.where(isUndemanding(org.id)))
    .execute()
  return teams.some((team) => atLeast(team.level, 'admin') || atLeast(team.unit_level ?? 'none', level))
}

/** Without the second factor that the organization demands, teams give nothing. */
function isUndemanding(id: number): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from account where id = ${id} and requires_second_factor)`
}

declare const proven: unique symbol
/** An organization whose only owner is the given user. Only `ownsAsLast` creates one. */
export type OrphanOrg = OrgRecord & { readonly [proven]: 'orphan' }

export async function ownsAsLast(db: Db, userId: number): Promise<OrphanOrg[]> {
  const orgs = await selectOrgs(db)
    .innerJoin('team', 'team.organization_id', 'account.id')
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .where('team_member.user_id', '=', userId)
    .where('team.level', '=', 'owner')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('team_member as other')
            .select('other.user_id')
            .whereRef('other.team_id', '=', 'team.id')
            .where('other.user_id', '<>', userId),
        ),
      ),
    )
    .orderBy('account.id')
    .execute()
  return orgs as OrphanOrg[]
}
