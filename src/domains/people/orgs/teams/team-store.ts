/** SQL on `team`, `team_unit` and `team_member`. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { NewTeamRow, TeamPatch, TeamRecord, UnitLevels } from '../tables.ts'

/** The one way to read teams: all columns with units. */
export function selectTeams(db: Db) {
  return db
    .selectFrom('team')
    .selectAll('team')
    .select(
      sql<UnitLevels>`(select coalesce(jsonb_object_agg(team_unit.unit, team_unit.level), '{}'::jsonb)
        from team_unit where team_unit.team_id = team.id)`.as('units'),
    )
}

export function findTeam(db: Db, id: number): Promise<TeamRecord | undefined> {
  return selectTeams(db).where('team.id', '=', id).executeTakeFirst()
}

export function findTeamByName(
  db: Db,
  organizationId: number,
  name: string,
): Promise<TeamRecord | undefined> {
  return selectTeams(db)
    .where('organization_id', '=', organizationId)
    .where('name_key', '=', name.toLowerCase())
    .executeTakeFirst()
}

/** A user's teams in an organization. */
export function findTeamsOf(db: Db, organizationId: number, userId: number): Promise<TeamRecord[]> {
  return selectTeams(db)
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .where('team_member.user_id', '=', userId)
    .where('team_member.organization_id', '=', organizationId)
    .orderBy('team.id')
    .execute()
}

/** Those of `teamIds` that the user is in. */
export async function listTeamIdsOf(db: Db, userId: number, teamIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('team_member')
    .select('team_id')
    .where('user_id', '=', userId)
    .where('team_id', '=', sql<number>`any(${[...teamIds]}::bigint[])`)
    .execute()
  return rows.map(({ team_id }) => team_id)
}

/** By id; missing teams are not in the map. */
export async function findTeams(db: Db, ids: readonly number[]): Promise<Map<number, TeamRecord>> {
  if (ids.length === 0) return new Map()
  const teams = await selectTeams(db).where('team.id', '=', sql<number>`any(${ids}::bigint[])`).execute()
  return new Map(teams.map((team) => [team.id, team]))
}

/** The teams that have every repository of their organization. */
export function listTeamsWithAll(db: Db, organizationId: number): Promise<TeamRecord[]> {
  return selectTeams(db)
    .where('organization_id', '=', organizationId)
    .where('includes_all_repositories', '=', true)
    .orderBy('team.id')
    .execute()
}

export async function hasPublicTeam(db: Db, organizationId: number): Promise<boolean> {
  const found = await db
    .selectFrom('team')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('visibility', '=', 'public')
    .executeTakeFirst()
  return found !== undefined
}

/** Undefined when the name is taken. */
export async function insertTeam(
  tx: Tx,
  row: NewTeamRow,
  units: UnitLevels,
): Promise<TeamRecord | undefined> {
  const team = await tx
    .insertInto('team')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'name_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (team === undefined) return undefined
  await insertUnits(tx, team.id, units)
  return { ...team, units }
}

export async function updateTeam(tx: Tx, id: number, patch: TeamPatch): Promise<void> {
  await tx.updateTable('team').set(patch).where('id', '=', id).execute()
}

export async function replaceUnits(tx: Tx, teamId: number, units: UnitLevels): Promise<void> {
  await tx.deleteFrom('team_unit').where('team_id', '=', teamId).execute()
  await insertUnits(tx, teamId, units)
}

/** Deletes units and members, too. False when the team is already gone. */
export async function deleteTeamRow(tx: Tx, id: number): Promise<boolean> {
  const deleted = await tx.deleteFrom('team').where('id', '=', id).executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

export async function isInTeam(db: Db, teamId: number, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('team_member')
    .select('user_id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}

/** False when the user is already a member. */
export async function insertTeamMember(tx: Tx, team: TeamRecord, userId: number): Promise<boolean> {
  const inserted = await tx
    .insertInto('team_member')
    .values({ organization_id: team.organization_id, team_id: team.id, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

export async function deleteTeamMember(tx: Tx, teamId: number, userId: number): Promise<void> {
  await tx.deleteFrom('team_member').where('team_id', '=', teamId).where('user_id', '=', userId).execute()
}

export async function deleteFromTeams(tx: Tx, organizationId: number, userId: number): Promise<void> {
  await tx
    .deleteFrom('team_member')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}

export async function listTeamMemberIds(db: Db, teamId: number): Promise<number[]> {
  const rows = await db.selectFrom('team_member').select('user_id').where('team_id', '=', teamId).execute()
  return rows.map((row) => row.user_id)
}

/** The users among `userIds` who are in no team of the organization. */
export async function findTeamless(
  db: Db,
  organizationId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from unnest(${[...userIds]}::bigint[]) as asked (user_id)
    where not exists (select from team_member
      where team_member.organization_id = ${organizationId} and team_member.user_id = asked.user_id)`.execute(
    db,
  )
  return rows.map((row) => row.user_id)
}

/** Whether the user is the only owner of the organization. */
export async function isOnlyOwner(db: Db, organizationId: number, userId: number): Promise<boolean> {
  const owners = await db
    .selectFrom('team')
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .select('team_member.user_id')
    .where('team.organization_id', '=', organizationId)
    .where('team.level', '=', 'owner')
    .limit(2)
    .execute()
  return owners.length === 1 && owners[0]?.user_id === userId
}

async function insertUnits(tx: Tx, teamId: number, units: UnitLevels): Promise<void> {
  const rows = Object.entries(units).map(([unit, level]) => ({
    team_id: teamId,
    unit: unit as keyof UnitLevels,
    level,
  }))
  if (rows.length > 0) await tx.insertInto('team_unit').values(rows).execute()
}
