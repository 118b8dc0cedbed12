/**
 * Visibility for a search over all repositories: repositories open to the caller's audience are read from an index in
 * order, and the few granted ones are found through their grants.
 *
 * The grants are those of `access-sql.ts`. The few teams of the caller are looked up first, which leaves the planner a
 * small query, and no team condition at all for a caller without teams.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  atLeast,
  isLimited,
  type Level,
  type Restriction,
  type Unit,
  type Visibility,
} from '#domains/people/access'
import { lacksSecondFactor } from '#domains/people/users'
import { type Actor, type Context, once } from '#platform/context'
import type { Db } from '#platform/db'
import {
  audiencesOf,
  collaborations,
  type Grant,
  IS_SHOWN,
  idsOf,
  impliesMembership,
  isOpenTo,
  isReadableTo,
  isVisibleTo,
  isWithinPlaces,
  offers,
  owned,
  teamRepositories,
} from '../access/access-sql.ts'

export interface Visible {
  /** A condition on `repository`: its audience includes the caller. */
  readonly open: RawBuilder<boolean>
  /** The audiences of `open`; `repository_tally` has their totals. */
  readonly audiences: readonly Visibility[]
  /** Grants of repositories that are not open; one repository may be found by several. */
  readonly granted: readonly Grant[]
}

export interface VisibleOptions {
  /** Only public repositories, for any caller. */
  readonly publicOnly: boolean
  /** Only private repositories. */
  readonly isPrivate?: boolean | undefined
}

export async function loadVisible(
  ctx: Context,
  { publicOnly, isPrivate = false }: VisibleOptions,
): Promise<Visible> {
  const { actor } = ctx
  if (isLimited(actor?.restriction)) return visibleWithin(ctx, actor.restriction, publicOnly)
  const audiences = audiencesOf(publicOnly ? null : actor)
  const open = openTo(isPrivate ? audiences.filter((it) => it === 'private') : audiences)
  if (actor === null || actor.publicOnly || publicOnly || actor.isAdmin) return open
  return { ...open, granted: grantedBeyond(actor, audiences, await loadGrants(ctx, actor.id)) }
}

/** Without an audience the caller sees only granted repositories, so the table is not read for others. */
function openTo(audiences: readonly Visibility[]): Visible {
  return { open: audiences.length === 0 ? sql`false` : isOpenTo(audiences), audiences, granted: [] }
}

/** For a restricted credential no audience is open: the few repositories that it names are found by their ids. */
function visibleWithin(ctx: Context, restriction: Restriction, publicOnly: boolean): Visible {
  const isAsked = publicOnly ? isOpenTo(['public']) : sql<boolean>`true`
  const where = sql<boolean>`${isWithinPlaces(restriction)} and ${isVisibleTo(ctx)} and ${isAsked}`
  return { open: sql<boolean>`false`, audiences: [], granted: [{ where }] }
}

function grantedBeyond(
  actor: Actor,
  audiences: readonly Visibility[],
  { inside, ...grants }: Grants,
): readonly Grant[] {
  const given = [grants.owned, grants.collaborations, ...grants.teams, grants.offers]
  const granted = given.map((grant) => beyond(audiences, grant))
  return (impliesMembership(actor) ? [...granted, ...inside] : granted).map(shown)
}

/** The repositories whose units a caller may read: by audience, and by grant. */
export interface ReadableUnits<U extends Unit> {
  readonly audiences: readonly Visibility[]
  /** Ids of repositories that are not open to the caller. */
  readonly granted: Readonly<Record<U, readonly number[]>>
}

/** At most three queries for two units. Does not check whether the unit is enabled. */
export async function loadReadable<U extends Unit>(
  ctx: Context,
  units: readonly U[],
): Promise<ReadableUnits<U>> {
  const { actor } = ctx
  const isRestricted = isLimited(actor?.restriction)
  const audiences = isRestricted ? [] : audiencesOf(actor)
  const teams =
    actor === null || isRestricted || actor.publicOnly || actor.isAdmin
      ? null
      : await findTeamsOf(ctx, actor.id)
  const listGranted = async (unit: U): Promise<readonly number[]> => {
    if (isRestricted)
      return (await idsOf([{ where: isReadableTo(ctx, unit) }]).execute(ctx.db)).rows.map(({ id }) => id)
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

/** As in `decideAccess`: from the level `admin` up a team has every unit. */
function isUnitRead({ level, units }: TeamOf, unit: Unit): boolean {
  return atLeast(level, 'admin') || (units ?? '').split(',').includes(unit)
}

/** Excludes open repositories. `not in`, because the planner would apply an equality after everything else. */
function beyond(audiences: readonly Visibility[], grant: Grant): Grant {
  return { ...grant, where: sql<boolean>`not (${isOpenTo(audiences)}) and ${grant.where}` }
}

function shown(grant: Grant): Grant {
  return { ...grant, where: sql<boolean>`${grant.where} and ${IS_SHOWN}` }
}

/** A user's grants, with their teams already looked up. */
interface Grants {
  readonly owned: Grant
  readonly collaborations: Grant
  readonly teams: readonly Grant[]
  readonly offers: Grant
  readonly inside: readonly Grant[]
}

/** Ids of the repositories that a user owns or contributes to. */
export async function loadOwnedOrContributed(
  ctx: Context,
  userId: number,
): Promise<RawBuilder<{ id: number }>> {
  const grants = await loadGrants(ctx, userId)
  return idsOf([grants.owned, ...contributions(grants)])
}

/** Ids by collaboration, team, or membership in a private organization. */
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

/** `byTeam`: grants through the teams' repositories. Offers and membership are derived from `teams`. */
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
  /** The visibility of the team's organization. */
  readonly visibility: Visibility | null
  readonly is_demanding: boolean | null
  /** Readable units, separated by commas. */
  readonly units: string | null
}

/** Without those of organizations that demand a second factor, if the caller has none. */
async function findTeamsOf(ctx: Context, userId: number): Promise<TeamOf[]> {
  const teams = await once(ctx, `teams ${userId}`, () => selectTeamsOf(ctx.db, userId).execute())
  const { actor } = ctx
  if (actor?.id !== userId || !lacksSecondFactor(actor.account)) return teams
  return teams.filter(({ is_demanding }) => is_demanding !== true)
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
    .select((eb) =>
      eb
        .selectFrom('account')
        .select('requires_second_factor')
        .whereRef('account.id', '=', 'team.organization_id')
        .$asScalar()
        .as('is_demanding'),
    )
    .select(sql<string | null>`string_agg(team_unit.unit, ',' order by team_unit.unit)`.as('units'))
    .where('team_member.user_id', '=', userId)
    .groupBy('team.id')
}

function byTeams(teams: readonly TeamOf[]): Grant {
  return teamRepositories(sql<boolean>`team_repository.team_id = any(${teams.map(({ id }) => id)}::bigint[])
    and (${sql.join(shownByTeams(teams), sql` or `)})`)
}

/** Groups teams with the same units into one condition: there may be many teams, most with equal units. */
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

/** Non-private repositories of private organizations. */
function inside(hiddenIds: readonly number[]): Grant {
  return {
    from: sql`unnest(${[...hiddenIds]}::bigint[]) as mine (organization_id)`,
    on: sql<boolean>`repository.owner_id = mine.organization_id`,
    where: sql<boolean>`repository.audience = 'private' and not repository.is_private`,
  }
}
