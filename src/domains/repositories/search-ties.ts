/**
 * What ties somebody to repositories: where these are found, and which of them it is.
 *
 * The teams are looked up first, because there are few of them: what is left for the database to plan is small, and
 * nothing at all for whoever is in no team.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db'

export interface Ties {
  readonly userId: number
  /** Private organizations the user belongs to, and those in whose name they may accept repositories. */
  readonly hiddenIds: readonly number[]
  readonly acceptingIds: readonly number[]
  readonly teams: readonly TeamTie[]
}

interface TeamTie {
  readonly id: number
  /** A repository is shown by a unit that the team may read and it has itself; null: each is shown. */
  readonly units: string | null
}

/** Repositories, each of them `repository` in both: the tables they are found by, and what must hold. */
export interface Part {
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<boolean>
}

export async function loadTies(db: Db, userId: number): Promise<Ties> {
  const teams = await selectTeamsOf(db, userId).execute()
  return {
    userId,
    hiddenIds: [...new Set(teams.filter(isHidden).map((team) => team.organization_id))],
    acceptingIds: teams.filter((team) => team.can_create_repository).map((team) => team.organization_id),
    teams: teams.map(({ id, level, units }) => ({ id, units: level === 'none' ? inOrder(units) : null })),
  }
}

/** With commas between them, and the same text for the same units. */
function inOrder(units: string | null): string {
  return (units ?? '').split(',').sort().join(',')
}

const isHidden = ({ visibility }: { visibility: string }) => visibility === 'private'

/** Each with the units that it may read. */
function selectTeamsOf(db: Db, userId: number) {
  return db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .leftJoin('team_unit', (join) =>
      join.onRef('team_unit.team_id', '=', 'team.id').on('team_unit.level', '<>', 'none'),
    )
    .select(['team.id', 'team.organization_id', 'team.level', 'team.can_create_repository'])
    .select((eb) =>
      eb
        .selectFrom('account')
        .select('visibility')
        .whereRef('account.id', '=', 'team.organization_id')
        .$asScalar()
        .as('visibility'),
    )
    .select(sql<string | null>`string_agg(team_unit.unit, ',')`.as('units'))
    .where('team_member.user_id', '=', userId)
    .groupBy('team.id')
}

/** What somebody was granted. */
export function grantedBy(ties: Ties): Part[] {
  return [owned(ties), given(ties), ...byTeams(ties), offered(ties)]
}

/** What somebody owns or works on, by number. */
export function ownedOrContributed(ties: Ties): RawBuilder<number> {
  return idsOf([owned(ties), ...contributions(ties)])
}

/** What somebody works on because it was given to them, or because their organization keeps it to its members. */
export function contributed(ties: Ties): RawBuilder<number> {
  return idsOf(contributions(ties))
}

function contributions(ties: Ties): Part[] {
  return [given(ties), ...byTeams(ties), ...inside(ties)]
}

/** What is not private itself, in organizations that are. */
export function inside({ hiddenIds }: Ties): Part[] {
  if (hiddenIds.length === 0) return []
  return [
    {
      from: sql`unnest(${[...hiddenIds]}::bigint[]) as mine (organization_id)
        join repository on repository.owner_id = mine.organization_id`,
      where: sql<boolean>`repository.audience = 'private' and not repository.is_private`,
    },
  ]
}

function owned({ userId }: Ties): Part {
  return { from: sql`repository`, where: sql<boolean>`repository.owner_id = ${userId}` }
}

function given({ userId }: Ties): Part {
  return {
    from: sql`collaboration join repository on repository.id = collaboration.repository_id`,
    where: sql<boolean>`collaboration.user_id = ${userId}`,
  }
}

function byTeams({ teams }: Ties): Part[] {
  if (teams.length === 0) return []
  return [
    {
      from: sql`team_repository join repository on repository.id = team_repository.repository_id`,
      where: sql<boolean>`team_repository.team_id = any(${teams.map(({ id }) => id)}::bigint[])
        and (${sql.join(shownByTeams(teams), sql` or `)})`,
    },
  ]
}

/** Teams that may read the same are asked together: they may be many, and what they read is mostly alike. */
function shownByTeams(teams: readonly TeamTie[]): RawBuilder<boolean>[] {
  const groups = [...Map.groupBy(teams, ({ units }) => units)]
  return groups.map(([units, alike]) => {
    const isShown =
      units === null ? sql<boolean>`true` : sql<boolean>`repository.units && ${units.split(',')}::text[]`
    if (groups.length === 1) return isShown
    const ids = alike.map(({ id }) => id)
    return sql<boolean>`(team_repository.team_id = any(${ids}::bigint[]) and ${isShown})`
  })
}

/** Whoever a repository is offered to may look at it before they accept. */
function offered({ userId, acceptingIds }: Ties): Part {
  return {
    from: sql`repository_transfer join repository on repository.id = repository_transfer.repository_id`,
    where: sql<boolean>`repository_transfer.recipient_id = any(${[userId, ...acceptingIds]}::bigint[])`,
  }
}

function idsOf(parts: readonly Part[]): RawBuilder<number> {
  return sql<number>`${sql.join(
    parts.map(({ from, where }) => sql`select repository.id from ${from} where ${where}`),
    sql` union `,
  )}`
}
