/**
 * Repository visibility as SQL: the rules of `decideAccess`, for lists that are paged in the database.
 *
 * A caller sees repositories whose audience includes them, and repositories that one of the grants below gives them.
 * Each grant is written once and used in two ways: as a condition on a row of `repository`, or as a set of rows. Search
 * looks up the caller's teams first (`search-visibility.ts`) and adds conditions on them to the same grants.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  type Collaboration,
  isJob,
  isLimited,
  LEVELS,
  type Level,
  levelOf,
  type RestrictedPlaces,
  type Restriction,
  type TeamGrant,
  UNITS,
  type Unit,
  type Visibility,
} from '#domains/people/access'
import { lacksSecondFactor, type Viewer } from '#domains/people/users'

/** A value, or an SQL expression for it. */
type Sql<T> = T | RawBuilder<T>

/** A repository: a loaded record, or the columns of `repository` in the current statement. */
export interface Place {
  readonly id: Sql<number>
  readonly owner_id: Sql<number>
  readonly units: Sql<readonly string[]>
}

const ROW: Place = {
  id: sql<number>`repository.id`,
  owner_id: sql<number>`repository.owner_id`,
  units: sql<readonly string[]>`repository.units`,
}

/** Whether the caller may see the repository: a condition on `repository`, usable with any joins. */
export function isVisibleTo({ actor }: { readonly actor: Viewer | null }): RawBuilder<boolean> {
  const isOwn = actor !== null && isJob(actor) ? IS_SHOWN : isVisibleToAccount(actor)
  return isLimited(actor?.restriction)
    ? sql<boolean>`(${isWithinPlaces(actor.restriction)} and ${isOwn})`
    : isOwn
}

function isVisibleToAccount(actor: Viewer | null): RawBuilder<boolean> {
  const audiences = audiencesOf(actor)
  if (actor === null || actor.publicOnly || audiences.length === EVERYBODYS.length) return isOpenTo(audiences)
  const lacks = lacksSecondFactor(actor.account)
  const grants = [owned(actor.id), collaborations(actor.id), demanding(byTeams(actor.id), lacks)]
  const implied = impliesMembership(actor) ? [demanding(inside(actor.id), lacks)] : []
  return sql<boolean>`(${isOpenTo(audiences)} or ${IS_SHOWN} and (${isOfferedTo(actor.id)}
    or ${sql.join([...grants, ...implied].map(holds), sql` or `)}))`
}

/** Whether the caller may read a unit of the repository: a condition on `repository`. */
export function isReadableTo(
  { actor }: { readonly actor: Viewer | null },
  unit: Sql<Unit>,
): RawBuilder<boolean> {
  const isOn = sql<boolean>`${unit} = any(repository.units)`
  const isOwn =
    actor !== null && isJob(actor)
      ? sql<boolean>`(${isOn} and ${IS_SHOWN})`
      : isReadableToAccount(actor, unit)
  if (!isLimited(actor?.restriction)) return isOwn
  const { restriction } = actor
  const units = UNITS.filter((it) => levelOf(restriction, it) !== 'none')
  return sql<boolean>`(${isWithinPlaces(restriction)} and ${unit} = any(${units}::text[]) and ${isOwn})`
}

function isReadableToAccount(actor: Viewer | null, unit: Sql<Unit>): RawBuilder<boolean> {
  const isOn = sql<boolean>`${unit} = any(repository.units)`
  const audiences = audiencesOf(actor)
  if (actor === null || actor.publicOnly || audiences.length === EVERYBODYS.length)
    return sql<boolean>`(${isOn} and ${isOpenTo(audiences)})`
  const lacks = lacksSecondFactor(actor.account)
  const grants = [owned(actor.id), collaborations(actor.id), demanding(byTeamsWith(actor.id, unit), lacks)]
  const implied = impliesMembership(actor) ? [demanding(inside(actor.id), lacks)] : []
  return sql<boolean>`(${isOn} and (${isOpenTo(audiences)} or ${IS_SHOWN} and (${isOfferedTo(actor.id)}
    or ${sql.join([...grants, ...implied].map(holds), sql` or `)})))`
}

const EVERYBODYS: readonly Visibility[] = ['public', 'limited', 'private']

/** The audiences that the caller belongs to without any grant. */
export function audiencesOf(actor: Viewer | null): readonly Visibility[] {
  if (actor === null || actor.publicOnly) return ['public']
  if (actor.isAdmin) return EVERYBODYS
  return actor.isRestricted ? ['public'] : ['public', 'limited']
}

/** Whether the repository is one that a restricted credential names: a condition on `repository`. */
export function isWithinPlaces({ places }: Restriction): RawBuilder<boolean> {
  const isIn = ({ repositories, owners }: RestrictedPlaces) =>
    sql<boolean>`(repository.id = any(${repositories}::bigint[]) or repository.owner_id = any(${owners}::bigint[]))`
  return places.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(places.map(isIn), sql` and `)})`
}

/** No grant shows a quarantined repository. */
export const IS_SHOWN = sql<boolean>`not repository.is_quarantined`

/**
 * Triggers maintain `repository.audience`: `private` for a private or quarantined repository, otherwise the owner's
 * visibility.
 */
export function isOpenTo(audiences: readonly Visibility[]): RawBuilder<boolean> {
  if (audiences.length === EVERYBODYS.length) return sql<boolean>`true`
  return sql<boolean>`repository.audience in (${sql.join(audiences.map((audience) => sql.lit(audience)))})`
}

/** A restricted user sees only public repositories without a grant, even in their own organization. */
export function impliesMembership(actor: Viewer): boolean {
  return !actor.isRestricted
}

/** Whether a user owns the repository, collaborates on it, or has it by a team. Offers do not count. */
export function isGrantedTo(user: Sql<number>, repo: Place = ROW): RawBuilder<boolean> {
  const grants = [owned(user, repo), collaborations(user, repo), byTeams(user, repo)]
  return sql<boolean>`(${sql.join(grants.map(holds), sql` or `)})`
}

/** A loaded repository with the columns that decide who may read it. */
export interface KnownPlace extends Place {
  readonly id: number
  readonly owner_id: number
  readonly units: readonly string[]
  readonly audience: Visibility
  readonly is_private: boolean
  readonly is_quarantined: boolean
}

/** Whether a user may read a unit of the repository: a condition on `account`. Offers do not count. */
export function isReaderOf(repo: KnownPlace, unit: Unit): RawBuilder<boolean> {
  if (!repo.units.includes(unit)) return sql<boolean>`false`
  if (repo.is_quarantined) return sql<boolean>`account.is_admin`
  if (repo.audience === 'public') return sql<boolean>`true`
  const user = sql<number>`account.id`
  const mayTakePart = sql<boolean>`(account.has_second_factor or account.kind <> 'user' or not exists (
    select 1 from account as demanding where demanding.id = ${repo.owner_id} and demanding.requires_second_factor))`
  const byTeam = byTeamsWith(user, unit, repo)
  const grants = [
    owned(user, repo),
    collaborations(user, repo),
    { ...byTeam, where: sql<boolean>`${byTeam.where} and ${mayTakePart}` },
  ].map(holds)
  const isMember = sql<boolean>`exists (select 1 from membership
    where membership.organization_id = ${repo.owner_id} and membership.user_id = account.id and ${mayTakePart})`
  const isImplied = repo.audience === 'limited' ? sql`true` : repo.is_private ? sql`false` : isMember
  return sql<boolean>`(account.is_admin or (${isImplied} and not account.is_restricted)
    or ${sql.join(grants, sql` or `)})`
}

/** Ids of the repositories that a user owns, collaborates on or has by a team; each part uses its own index. */
export function grantedIds(userId: number): RawBuilder<{ id: number }> {
  return idsOf([owned(userId), collaborations(userId), byTeams(userId)])
}

/** A reason for which a user has a repository. */
export interface Grant {
  /** The table that holds the grant; undefined when the condition is on `repository` alone. */
  readonly from?: RawBuilder<unknown>
  /** Joins the table to the repository. */
  readonly on?: RawBuilder<boolean>
  /** The user, and further conditions. */
  readonly where: RawBuilder<boolean>
}

export function owned(user: Sql<number>, repo: Place = ROW): Grant {
  return { where: sql<boolean>`${repo.owner_id} = ${user}` }
}

export function collaborations(user: Sql<number>, repo: Place = ROW): Grant {
  return {
    from: sql`collaboration`,
    on: sql<boolean>`collaboration.repository_id = ${repo.id}`,
    where: sql<boolean>`collaboration.user_id = ${user}`,
  }
}

/** By a team that may read at least one enabled unit. */
function byTeams(user: Sql<number>, repo: Place = ROW): Grant {
  return {
    from: sql`team_repository join team_member using (team_id) join team on team.id = team_repository.team_id`,
    on: sql<boolean>`team_repository.repository_id = ${repo.id}`,
    where: sql<boolean>`team_member.user_id = ${user}
      and (${isTeamAtLeast('read')} or ${hasTeamUnit('read', repo.units)})`,
  }
}

/** By a team that may read the unit, or has the level `admin`. */
function byTeamsWith(user: Sql<number>, unit: Sql<Unit>, repo: Place = ROW): Grant {
  return {
    from: sql`team_repository join team_member using (team_id) join team on team.id = team_repository.team_id`,
    on: sql<boolean>`team_repository.repository_id = ${repo.id}`,
    where: sql<boolean>`team_member.user_id = ${user}
      and (${isTeamAtLeast('admin')} or ${hasTeamUnit('read', sql`array[${unit}]`)})`,
  }
}

/** By a condition on `team_repository`, for callers that have looked up the teams. */
export function teamRepositories(where: RawBuilder<boolean>): Grant {
  return {
    from: sql`team_repository`,
    on: sql<boolean>`team_repository.repository_id = repository.id`,
    where,
  }
}

/** The recipient of a transfer may read the repository before accepting: a condition on `repository`. */
export function isOfferedTo(userId: number): RawBuilder<boolean> {
  return holds(
    offers(sql<boolean>`(offer.recipient_id = ${userId} or exists (
      select 1 from team_member join team on team.id = team_member.team_id
      where team_member.user_id = ${userId} and team_member.organization_id = offer.recipient_id
        and team.can_create_repository))`),
  )
}

/** By a condition on `offer`. */
export function offers(where: RawBuilder<boolean>): Grant {
  return {
    from: sql`repository_transfer as offer`,
    on: sql<boolean>`offer.repository_id = repository.id`,
    where,
  }
}

/** Members see all non-private repositories of their organization, even of a private organization. */
function inside(userId: number): Grant {
  return {
    from: sql`membership`,
    on: sql<boolean>`membership.organization_id = repository.owner_id`,
    where: sql<boolean>`membership.user_id = ${userId} and not repository.is_private`,
  }
}

/** A grant by membership, which counts for nothing where the organization demands a factor that the user lacks. */
function demanding(grant: Grant, lacks: boolean): Grant {
  return lacks ? { ...grant, where: sql<boolean>`${grant.where} and ${IS_UNDEMANDING}` } : grant
}

const IS_UNDEMANDING = sql<boolean>`not exists (select 1 from account as demanding
  where demanding.id = repository.owner_id and demanding.requires_second_factor)`

/** The grant as a condition. */
function holds({ from, on, where }: Grant): RawBuilder<boolean> {
  if (from === undefined || on === undefined) return where
  return sql<boolean>`exists (select 1 from ${from} where ${on} and ${where})`
}

/** The grant as a from clause whose rows contain `repository`. */
export function rowsOf({ from, on }: Grant): RawBuilder<unknown> {
  if (from === undefined || on === undefined) return sql`repository`
  return sql`${from} join repository on ${on}`
}

export function idsOf(grants: readonly Grant[]): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`${sql.join(
    grants.map((grant) => sql`select repository.id from ${rowsOf(grant)} where ${grant.where}`),
    sql` union `,
  )}`
}

/** A condition on `team`: its overall level. */
export function isTeamAtLeast(level: Level): RawBuilder<boolean> {
  return sql<boolean>`team.level in (${atLeast(level)})`
}

/** A condition on `team`: its level on one of these units, or on any unit. */
export function hasTeamUnit(level: Level, units?: Sql<readonly string[]>): RawBuilder<boolean> {
  const isAsked = units === undefined ? sql`true` : sql`team_unit.unit = any(${units}::text[])`
  return sql<boolean>`exists (select 1 from team_unit
    where team_unit.team_id = team.id and team_unit.level in (${atLeast(level)}) and ${isAsked})`
}

function atLeast(level: Level): RawBuilder<unknown> {
  return sql.join(LEVELS.slice(LEVELS.indexOf(level)).map((it) => sql.lit(it)))
}

/** A user's grants in the form that `decideAccess` takes. Offers are not included. */
export function grantsOf(user: Sql<number>, repo: Place = ROW) {
  return {
    collaboration: sql<Collaboration | null>`(select level from collaboration
      where collaboration.repository_id = ${repo.id} and collaboration.user_id = ${user})`,
    is_member: sql<boolean>`exists (select 1 from membership
      where membership.organization_id = ${repo.owner_id} and membership.user_id = ${user})`,
    teams: sql<TeamGrant[] | null>`(
      select json_agg(json_build_object('level', team.level, 'units', coalesce(
        (select json_object_agg(unit, level) from team_unit where team_unit.team_id = team.id), '{}'::json)))
      from team_repository
      join team_member on team_member.team_id = team_repository.team_id and team_member.user_id = ${user}
      join team on team.id = team_repository.team_id
      where team_repository.repository_id = ${repo.id})`,
  }
}
