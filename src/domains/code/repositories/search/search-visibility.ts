/**
 * Which repositories a caller sees, in the shape that a search over all of them wants: those that are open to the
 * caller's kind come from an index in order, and the few that were granted are found by what granted them.
 *
 * The grants are those of `access-sql.ts`. The teams are looked up first, because there are few of them: what is left
 * for the database to plan is small, and nothing at all for whoever is in no team.
 */
import { type RawBuilder, sql } from 'kysely'
import { atLeast, type Level, type Unit, type Visibility } from '#domains/people/access'
import { type Actor, type Context, once } from '#platform/context'
import type { Db } from '#platform/db'
import {
  audiencesOf,
  collaborations,
  type Grant,
  idsOf,
  impliesMembership,
  isOpenTo,
  offers,
  owned,
  teamRepositories,
} from '../access/access-sql.ts'

export interface Visible {
  /** A condition on `repository`: what is open to the caller. */
  readonly open: RawBuilder<boolean>
  /** The audiences that condition means: how many repositories they have is known already. */
  readonly audiences: readonly Visibility[]
  /** What was granted to the caller and is not open; one repository may be found in several. */
  readonly granted: readonly Grant[]
}

/** `publicOnly` leaves out whatever is not for everybody, whoever asks. */
export async function loadVisible(ctx: Context, { publicOnly }: { publicOnly: boolean }): Promise<Visible> {
  const { actor } = ctx
  const audiences = audiencesOf(publicOnly ? null : actor)
  const open = { open: isOpenTo(audiences), audiences, granted: [] }
  if (actor === null || actor.publicOnly || publicOnly || actor.isAdmin) return open
  return { ...open, granted: grantedBeyond(actor, audiences, await loadGrants(ctx, actor.id)) }
}

function grantedBeyond(
  actor: Actor,
  audiences: readonly Visibility[],
  { inside, ...grants }: Grants,
): readonly Grant[] {
  const given = [grants.owned, grants.collaborations, ...grants.teams, grants.offers]
  const granted = given.map((grant) => beyond(audiences, grant))
  return impliesMembership(actor) ? [...granted, ...inside] : granted
}

/** What a caller may read of units in all repositories: where it is open to their kind, and where it was granted. */
export interface ReadableUnits<U extends Unit> {
  readonly audiences: readonly Visibility[]
  /** Repositories that are not open, by number. */
  readonly granted: Readonly<Record<U, readonly number[]>>
}

/** Three queries at most for two units. Whether a unit is on is not asked here. */
export async function loadReadable<U extends Unit>(
  ctx: Context,
  units: readonly U[],
): Promise<ReadableUnits<U>> {
  const { actor } = ctx
  const audiences = audiencesOf(actor)
  const teams = actor === null || actor.publicOnly || actor.isAdmin ? null : await findTeamsOf(ctx, actor.id)
  const listGranted = async (unit: U): Promise<readonly number[]> => {
    if (actor === null || teams === null) return []
    const reading = teams.filter((team) => isUnitRead(team, unit)).map(({ id }) => id)
    const byTeam = teamRepositories(sql<boolean>`team_repository.team_id = any(${reading}::bigint[])`)
    const granted = grantedBeyond(actor, audiences, grantsTo(actor.id, teams, [byTeam]))
    const { rows } = await idsOf(granted).execute(ctx.db)
    return rows.map(({ id }) => id)
  }
  const listOnce = (unit: U) => once(ctx, `granted ${actor?.id} ${unit}`, () => listGranted(unit))
  const granted = await Promise.all(units.map(async (unit) => [unit, await listOnce(unit)] as const))
  return { audiences, granted: Object.fromEntries(granted) as Record<U, readonly number[]> }
}

/** As `decideAccess` has it: from `admin` upward a team has everything. */
function isUnitRead({ level, units }: TeamOf, unit: Unit): boolean {
  return atLeast(level, 'admin') || (units ?? '').split(',').includes(unit)
}

/** Those that are not open. `not in`, because the planner would apply an equality after everything else. */
function beyond(audiences: readonly Visibility[], grant: Grant): Grant {
  return { ...grant, where: sql<boolean>`not (${isOpenTo(audiences)}) and ${grant.where}` }
}

/** What somebody was granted, each with the teams looked up. */
interface Grants {
  readonly owned: Grant
  readonly collaborations: Grant
  readonly teams: readonly Grant[]
  readonly offers: Grant
  readonly inside: readonly Grant[]
}

/** What somebody owns or works on, by number. */
export async function loadOwnedOrContributed(
  ctx: Context,
  userId: number,
): Promise<RawBuilder<{ id: number }>> {
  const grants = await loadGrants(ctx, userId)
  return idsOf([grants.owned, ...contributions(grants)])
}

/** What somebody works on because it was given to them, or because their organization keeps it to its members. */
export async function loadContributed(ctx: Context, userId: number): Promise<RawBuilder<{ id: number }>> {
  return idsOf(contributions(await loadGrants(ctx, userId)))
}

function contributions({ collaborations, teams, inside }: Grants): Grant[] {
  return [collaborations, ...teams, ...inside]
}

async function loadGrants(ctx: Context, userId: number): Promise<Grants> {
  const teams = await findTeamsOf(ctx, userId)
  return grantsTo(userId, teams, teams.length === 0 ? [] : [byTeams(teams)])
}

/** `byTeam` is what the teams give of repositories; the rest comes with being in them. */
function grantsTo(userId: number, teams: readonly TeamOf[], byTeam: readonly Grant[]): Grants {
  const accepting = teams.filter((team) => team.can_create_repository).map((team) => team.organization_id)
  const hidden = teams.filter((team) => team.visibility === 'private').map((team) => team.organization_id)
  return {
    owned: owned(userId),
    collaborations: collaborations(userId),
    teams: byTeam,
    offers: offers(sql<boolean>`offer.recipient_id = any(${[userId, ...accepting]}::bigint[])`),
    inside: hidden.length === 0 ? [] : [inside([...new Set(hidden)])],
  }
}

interface TeamOf {
  readonly id: number
  readonly organization_id: number
  readonly level: Level
  readonly can_create_repository: boolean
  /** Of its organization. */
  readonly visibility: Visibility | null
  /** Those it may read, with commas between them. */
  readonly units: string | null
}

function findTeamsOf(ctx: Context, userId: number): Promise<TeamOf[]> {
  return once(ctx, `teams ${userId}`, () => selectTeamsOf(ctx.db, userId).execute())
}

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
    .select(sql<string | null>`string_agg(team_unit.unit, ',' order by team_unit.unit)`.as('units'))
    .where('team_member.user_id', '=', userId)
    .groupBy('team.id')
}

function byTeams(teams: readonly TeamOf[]): Grant {
  return teamRepositories(sql<boolean>`team_repository.team_id = any(${teams.map(({ id }) => id)}::bigint[])
    and (${sql.join(shownByTeams(teams), sql` or `)})`)
}

/** Teams that may read the same are asked together: they may be many, and what they read is mostly alike. */
function shownByTeams(teams: readonly TeamOf[]): RawBuilder<boolean>[] {
  const groups = [...Map.groupBy(teams, ({ level, units }) => (level === 'none' ? (units ?? '') : null))]
  return groups.map(([units, alike]) => {
    const isShown =
      units === null ? sql<boolean>`true` : sql<boolean>`repository.units && ${units.split(',')}::text[]`
    if (groups.length === 1) return isShown
    const ids = alike.map(({ id }) => id)
    return sql<boolean>`(team_repository.team_id = any(${ids}::bigint[]) and ${isShown})`
  })
}

/** What is not private itself, in organizations that are. */
function inside(hiddenIds: readonly number[]): Grant {
  return {
    from: sql`unnest(${[...hiddenIds]}::bigint[]) as mine (organization_id)`,
    on: sql<boolean>`repository.owner_id = mine.organization_id`,
    where: sql<boolean>`repository.audience = 'private' and not repository.is_private`,
  }
}
