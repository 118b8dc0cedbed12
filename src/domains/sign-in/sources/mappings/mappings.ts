/** Which groups of a source give which team or role, as administrators set it. */

import { sql } from 'kysely'
import type { Static } from 'typebox'
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { invalid } from '#platform/problem'
import type { SourceAdmin } from '../records/sources.ts'
import { getSource, lockSource } from '../records/store.ts'
import type { Mapping } from './schemas.ts'

type MappingJson = Static<typeof Mapping>

export async function listMappings(ctx: Context, _admin: SourceAdmin, id: number): Promise<MappingJson[]> {
  await getSource(ctx.db, id)
  const rows = await ctx.db
    .selectFrom('source_mapping')
    .leftJoin('team', 'team.id', 'source_mapping.team_id')
    .leftJoin('account', 'account.id', 'team.organization_id')
    .select(['source_mapping.group_name', 'team.name', 'account.login'])
    .where('source_mapping.source_id', '=', id)
    .orderBy('source_mapping.group_name')
    .orderBy('source_mapping.id')
    .execute()
  return rows.map(({ group_name: group, name, login }) =>
    name === null || login === null ? { group, admin: true } : { group, organization: login, team: name },
  )
}

/** Replaces all. They take effect at the next sign-in of each user. */
export async function setMappings(
  ctx: Context,
  _admin: SourceAdmin,
  id: number,
  mappings: readonly MappingJson[],
): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockSource(ctx.db, id)
    const teams = await findTeamIds(ctx.db, mappings)
    const rows = mappings.map((it) => ({
      source_id: id,
      group_name: it.group,
      team_id: it.admin ? null : teamOf(it, teams),
    }))
    await assertUnmapped(ctx.db, id, rows)
    await ctx.db.deleteFrom('source_mapping').where('source_id', '=', id).execute()
    if (rows.length === 0) return
    await ctx.db
      .insertInto('source_mapping')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

const keyOf = (organization = '', team = '') => `${organization.toLowerCase()}/${team.toLowerCase()}`

async function findTeamIds(db: Db, mappings: readonly MappingJson[]): Promise<ReadonlyMap<string, number>> {
  const named = mappings.filter((it) => !it.admin)
  const organizations = named.map((it) => (it.organization ?? '').toLowerCase())
  const names = named.map((it) => (it.team ?? '').toLowerCase())
  const { rows } = await sql<{ id: number; login_key: string; name_key: string }>`
    select team.id, account.login_key, team.name_key from unnest(${organizations}::text[], ${names}::text[])
      as named (organization, team)
    join account on account.login_key = named.organization
    join team on team.organization_id = account.id and team.name_key = named.team`.execute(db)
  return new Map(rows.map(({ id, login_key, name_key }) => [keyOf(login_key, name_key), Number(id)]))
}

function teamOf({ group, organization, team }: MappingJson, teams: ReadonlyMap<string, number>): number {
  const id = teams.get(keyOf(organization, team))
  if (id === undefined) throw invalid('team of a mapping does not exist', { group, organization, team })
  return id
}

/** Two sources would take turns to add and remove the members of one team. */
async function assertUnmapped(
  db: Db,
  sourceId: number,
  rows: readonly { readonly team_id: number | null }[],
): Promise<void> {
  const ids = rows.flatMap(({ team_id }) => (team_id === null ? [] : [team_id]))
  const other = await db
    .selectFrom('source_mapping')
    .select('team_id')
    .where('team_id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('source_id', '<>', sourceId)
    .executeTakeFirst()
  if (other !== undefined) throw invalid('team is mapped by another authentication source')
}
