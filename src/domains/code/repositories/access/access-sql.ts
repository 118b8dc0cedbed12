/**
 * Who sees a repository, as SQL: the rule of `decideAccess`, for lists that page in the database.
 *
 * A caller sees what is open to their kind, and what one of the grants below gives them. Each grant is written once
 * and read in two ways: as a condition on a row of `repository`, or as the rows that it gives. Search looks the teams
 * of a caller up first (`search-visibility.ts`) and puts its own conditions on them into the same grants.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  type Collaboration,
  LEVELS,
  type Level,
  type TeamGrant,
  type Unit,
  type Visibility,
} from '#domains/people/access'
import type { Actor } from '#platform/context'

/** A value, or what stands for it in a statement. */
type Sql<T> = T | RawBuilder<T>

/** A repository: a record, or the row of `repository` that a statement looks at. */
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

/** Whether the caller may see it: a condition on `repository`, for every list whatever it joins. */
export function isVisibleTo({ actor }: { readonly actor: Actor | null }): RawBuilder<boolean> {
  const audiences = audiencesOf(actor)
  if (actor === null || actor.publicOnly || audiences.length === EVERYBODYS.length) return isOpenTo(audiences)
  return sql<boolean>`(${isOpenTo(audiences)} or ${isGrantedTo(actor.id)} or ${isOfferedTo(actor.id)}
    or ${impliesMembership(actor) ? holds(inside(actor.id)) : sql`false`})`
}

/** Whether the caller may read a unit of it: a condition on `repository`, too. */
export function isReadableTo(
  { actor }: { readonly actor: Actor | null },
  unit: Sql<Unit>,
): RawBuilder<boolean> {
  const isOn = sql<boolean>`${unit} = any(repository.units)`
  const audiences = audiencesOf(actor)
  if (actor === null || actor.publicOnly || audiences.length === EVERYBODYS.length)
    return sql<boolean>`(${isOn} and ${isOpenTo(audiences)})`
  const grants = [owned(actor.id), collaborations(actor.id), byTeamsWith(actor.id, unit)]
  const implied = impliesMembership(actor) ? [inside(actor.id)] : []
  return sql<boolean>`(${isOn} and (${isOpenTo(audiences)} or ${isOfferedTo(actor.id)}
    or ${sql.join([...grants, ...implied].map(holds), sql` or `)}))`
}

const EVERYBODYS: readonly Visibility[] = ['public', 'limited', 'private']

/** Who is meant when a repository is open to the caller without any grant. */
export function audiencesOf(actor: Actor | null): readonly Visibility[] {
  if (actor === null || actor.publicOnly) return ['public']
  if (actor.isAdmin) return EVERYBODYS
  return actor.isRestricted ? ['public'] : ['public', 'limited']
}

/** `repository.audience` is kept by triggers: private, or what the visibility of the owner is. */
export function isOpenTo(audiences: readonly Visibility[]): RawBuilder<boolean> {
  if (audiences.length === EVERYBODYS.length) return sql<boolean>`true`
  return sql<boolean>`repository.audience in (${sql.join(audiences.map((audience) => sql.lit(audience)))})`
}

/** A restricted user is implied nothing beyond what everybody sees, not even in an own organization. */
export function impliesMembership(actor: Actor): boolean {
  return !actor.isRestricted
}

/** Whether somebody has it by a grant that stays: their own, one to them, or one to a team of theirs. */
export function isGrantedTo(user: Sql<number>, repo: Place = ROW): RawBuilder<boolean> {
  const grants = [owned(user, repo), collaborations(user, repo), byTeams(user, repo)]
  return sql<boolean>`(${sql.join(grants.map(holds), sql` or `)})`
}

/** A repository, as it is known to whoever asks who may read it. */
export interface KnownPlace extends Place {
  readonly id: number
  readonly owner_id: number
  readonly units: readonly string[]
  readonly audience: Visibility
  readonly is_private: boolean
}

/** Whether somebody may read a unit of a repository that stays where it is: a condition on `account`. */
export function isReaderOf(repo: KnownPlace, unit: Unit): RawBuilder<boolean> {
  if (!repo.units.includes(unit)) return sql<boolean>`false`
  if (repo.audience === 'public') return sql<boolean>`true`
  const user = sql<number>`account.id`
  const grants = [owned(user, repo), collaborations(user, repo), byTeamsWith(user, unit, repo)].map(holds)
  const isMember = sql<boolean>`exists (select 1 from membership
    where membership.organization_id = ${repo.owner_id} and membership.user_id = account.id)`
  const isImplied = repo.audience === 'limited' ? sql`true` : repo.is_private ? sql`false` : isMember
  return sql<boolean>`(account.is_admin or (${isImplied} and not account.is_restricted)
    or ${sql.join(grants, sql` or `)})`
}

/** What somebody has by a grant that stays, by number: each part from an index of its own. */
export function grantedIds(userId: number): RawBuilder<{ id: number }> {
  return idsOf([owned(userId), collaborations(userId), byTeams(userId)])
}

/** What gives somebody a repository. */
export interface Grant {
  /** The table that says so; none when the repository itself does. */
  readonly from?: RawBuilder<unknown>
  /** Which repository is meant. */
  readonly on?: RawBuilder<boolean>
  /** To whom, and under which conditions. */
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

/** By a team that has anything to read there. */
function byTeams(user: Sql<number>, repo: Place = ROW): Grant {
  return {
    from: sql`team_repository join team_member using (team_id) join team on team.id = team_repository.team_id`,
    on: sql<boolean>`team_repository.repository_id = ${repo.id}`,
    where: sql<boolean>`team_member.user_id = ${user}
      and (${isTeamAtLeast('read')} or ${hasTeamUnit('read', repo.units)})`,
  }
}

/** By a team that has one unit, or administers it. */
function byTeamsWith(user: Sql<number>, unit: Sql<Unit>, repo: Place = ROW): Grant {
  return {
    from: sql`team_repository join team_member using (team_id) join team on team.id = team_repository.team_id`,
    on: sql<boolean>`team_repository.repository_id = ${repo.id}`,
    where: sql<boolean>`team_member.user_id = ${user}
      and (${isTeamAtLeast('admin')} or ${hasTeamUnit('read', sql`array[${unit}]`)})`,
  }
}

/** The same, by a condition on `team_repository`, for who has looked the teams up. */
export function teamRepositories(where: RawBuilder<boolean>): Grant {
  return {
    from: sql`team_repository`,
    on: sql<boolean>`team_repository.repository_id = repository.id`,
    where,
  }
}

/** Whoever a repository is offered to may look at it before they accept: a condition on `repository`. */
export function isOfferedTo(userId: number): RawBuilder<boolean> {
  return holds(
    offers(sql<boolean>`(offer.recipient_id = ${userId} or exists (
      select 1 from team_member join team on team.id = team_member.team_id
      where team_member.user_id = ${userId} and team_member.organization_id = offer.recipient_id
        and team.can_create_repository))`),
  )
}

/** By a condition on the `offer`. */
export function offers(where: RawBuilder<boolean>): Grant {
  return {
    from: sql`repository_transfer as offer`,
    on: sql<boolean>`offer.repository_id = repository.id`,
    where,
  }
}

/** What an organization does not keep to its teams is for all its members, also if it hides itself. */
function inside(userId: number): Grant {
  return {
    from: sql`membership`,
    on: sql<boolean>`membership.organization_id = repository.owner_id`,
    where: sql<boolean>`membership.user_id = ${userId} and not repository.is_private`,
  }
}

/** As a condition. */
function holds({ from, on, where }: Grant): RawBuilder<boolean> {
  if (from === undefined || on === undefined) return where
  return sql<boolean>`exists (select 1 from ${from} where ${on} and ${where})`
}

/** As rows: the tables in which each is `repository`. */
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

/** A condition on `team`: what it has as a whole. */
export function isTeamAtLeast(level: Level): RawBuilder<boolean> {
  return sql<boolean>`team.level in (${atLeast(level)})`
}

/** A condition on `team`: what it has on one of these units, or on any. */
export function hasTeamUnit(level: Level, units?: Sql<readonly string[]>): RawBuilder<boolean> {
  const isAsked = units === undefined ? sql`true` : sql`team_unit.unit = any(${units}::text[])`
  return sql<boolean>`exists (select 1 from team_unit
    where team_unit.team_id = team.id and team_unit.level in (${atLeast(level)}) and ${isAsked})`
}

function atLeast(level: Level): RawBuilder<unknown> {
  return sql.join(LEVELS.slice(LEVELS.indexOf(level)).map((it) => sql.lit(it)))
}

/** What was granted to somebody, as `decideAccess` wants to know it. Offers are not among it. */
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
