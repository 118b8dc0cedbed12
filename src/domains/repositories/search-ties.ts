/**
 * What ties somebody to repositories, as sets of their numbers.
 *
 * The teams are looked up first, because there are few of them: what is left for the database to plan is small, and
 * nothing at all for whoever is in no team.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db'

export interface Ties {
  readonly userId: number
  /** Organizations the user belongs to, and those in whose name they may accept repositories. */
  readonly organizationIds: readonly number[]
  readonly acceptingIds: readonly number[]
  readonly teams: readonly TeamTie[]
}

interface TeamTie {
  readonly id: number
  /**
   * A repository is shown by a unit that the team may read and the repository has; null: each is shown.
   * With commas between them, because no array of the database holds arrays of different lengths.
   */
  readonly units: string | null
}

export async function loadTies(db: Db, userId: number): Promise<Ties> {
  const teams = await selectTeamsOf(db, userId).execute()
  return {
    userId,
    organizationIds: [...new Set(teams.map((team) => team.organization_id))],
    acceptingIds: teams.filter((team) => team.can_create_repository).map((team) => team.organization_id),
    teams: teams.map(({ id, level, units }) => ({ id, units: level === 'none' ? (units ?? '') : null })),
  }
}

/** Each with the units that it may read. */
function selectTeamsOf(db: Db, userId: number) {
  return db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .leftJoin('team_unit', (join) =>
      join.onRef('team_unit.team_id', '=', 'team.id').on('team_unit.level', '<>', 'none'),
    )
    .select(['team.id', 'team.organization_id', 'team.level', 'team.can_create_repository'])
    .select(sql<string | null>`string_agg(team_unit.unit, ',')`.as('units'))
    .where('team_member.user_id', '=', userId)
    .groupBy('team.id')
}

export type Ids = RawBuilder<number>
/** What is said of an audience. */
export type Audience = RawBuilder<unknown>
const ANY: Audience = sql`is not null`

/** What somebody was granted, of those audiences. */
export function grantedBy(ties: Ties, audience: Audience): Ids {
  return union([
    owned(ties, audience),
    given(ties, audience),
    ...byTeams(ties, audience),
    offered(ties, audience),
  ])
}

/** What somebody owns or works on. */
export function ownedOrContributed(ties: Ties): Ids {
  return union([owned(ties, ANY), contributed(ties)])
}

/** What somebody works on because it was given to them, or because their organization keeps it to its members. */
export function contributed(ties: Ties): Ids {
  return union([given(ties, ANY), ...byTeams(ties, ANY), ...inside(ties)])
}

/** What is not private itself, in organizations that are. */
export function inside({ organizationIds }: Ties): Ids[] {
  if (organizationIds.length === 0) return []
  return [
    sql<number>`select theirs.id from unnest(${[...organizationIds]}::bigint[]) as mine (organization_id)
      join repository as theirs on theirs.owner_id = mine.organization_id
      where theirs.audience = 'private' and not theirs.is_private`,
  ]
}

function owned({ userId }: Ties, audience: Audience): Ids {
  return sql<number>`select mine.id from repository as mine
    where mine.owner_id = ${userId} and mine.audience ${audience}`
}

function given({ userId }: Ties, audience: Audience): Ids {
  return sql<number>`select shared.id from collaboration
    join repository as shared on shared.id = collaboration.repository_id
    where collaboration.user_id = ${userId} and shared.audience ${audience}`
}

function byTeams({ teams }: Ties, audience: Audience): Ids[] {
  if (teams.length === 0) return []
  const ids = teams.map(({ id }) => id)
  const units = teams.map((team) => team.units)
  return [
    sql<number>`select held.id from unnest(${ids}::bigint[], ${units}::text[]) as mine (team_id, units)
      join team_repository on team_repository.team_id = mine.team_id
      join repository as held on held.id = team_repository.repository_id
      where held.audience ${audience}
        and (mine.units is null or held.units && string_to_array(mine.units, ','))`,
  ]
}

/** Whoever a repository is offered to may look at it before they accept. */
function offered({ userId, acceptingIds }: Ties, audience: Audience): Ids {
  return sql<number>`select coming.id from repository_transfer
    join repository as coming on coming.id = repository_transfer.repository_id
    where repository_transfer.recipient_id = any(${[userId, ...acceptingIds]}::bigint[])
      and coming.audience ${audience}`
}

function union(sets: readonly Ids[]): Ids {
  return sql<number>`${sql.join([...sets], sql` union `)}`
}
