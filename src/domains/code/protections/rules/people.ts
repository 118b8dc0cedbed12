/** Resolves users and teams of allowlists: names to ids on write, ids to names on read. */
import { sql } from 'kysely'
import { grantsOf, isGrantedTo, type Repository } from '#domains/code/repositories'
import { atLeast, decideAccess, type Level, may, type Unit } from '#domains/people/access'
import { visibleTo } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { invalid } from '#platform/problem'
import type { ReviewingPerson } from '../refs/decide.ts'

/** A user named for an allowlist. */
export interface Candidate {
  readonly id: number
  readonly mayWrite: boolean
  readonly mayReview: boolean
}

/**
 * Keyed by lowercase login. Refuses unknown names, and names of users who are invisible to the caller, except
 * collaborators of the repository.
 */
export async function findPeople(
  ctx: Context,
  repo: Repository,
  names: readonly string[],
): Promise<Map<string, Candidate>> {
  const keys = [...new Set(names.map((name) => name.toLowerCase()))]
  const people = new Map<string, Candidate>()
  if (keys.length === 0) return people
  for (const person of await selectPeople(ctx, repo, keys).execute())
    people.set(person.login_key, candidateOf(repo, person))
  const missing = names.find((name) => !people.has(name.toLowerCase()))
  if (missing !== undefined) throw invalid(`user does not exist: ${missing}`)
  return people
}

/** Users by id, with their write access and their teams of the repository's owner. */
export async function findReviewers(
  db: Db,
  repo: Repository,
  ids: readonly number[],
): Promise<ReviewingPerson[]> {
  const rows = await selectGranted(db, repo)
    .select(
      sql<number[]>`array(select team_id from team_member
        where team_member.user_id = account.id and team_member.organization_id = ${repo.owner_id})`.as(
        'team_ids',
      ),
    )
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute()
  return rows.map((row) => ({ ...candidateOf(repo, row), teamIds: row.team_ids }))
}

function selectPeople(ctx: Context, repo: Repository, keys: readonly string[]) {
  const { collaboration } = grantsOf(sql<number>`account.id`, repo)
  return selectGranted(ctx.db, repo)
    .where((eb) => eb.or([visibleTo(ctx.actor), sql<boolean>`${collaboration} is not null`]))
    .where('login_key', '=', sql<string>`any(${[...keys]}::text[])`)
}

function selectGranted(db: Db, repo: Repository) {
  const { collaboration, is_member, teams } = grantsOf(sql<number>`account.id`, repo)
  return db
    .selectFrom('account')
    .select(['id', 'login_key', 'is_admin', 'is_restricted'])
    .select([collaboration.as('collaboration'), is_member.as('is_member'), teams.as('teams')])
}

type Person = Awaited<ReturnType<ReturnType<typeof selectPeople>['execute']>>[number]

function candidateOf(repo: Repository, person: Person): Candidate {
  const { id, is_admin, is_restricted, collaboration } = person
  const teams = person.teams ?? []
  const access = decideAccess({
    actor: { id, isAdmin: is_admin, isRestricted: is_restricted, publicOnly: false },
    owner: {
      id: repo.owner_id,
      kind: isOrgs(repo) ? 'organization' : 'user',
      visibility: repo.owner.visibility,
    },
    repository: {
      isPrivate: repo.is_private,
      isArchived: repo.archived_at !== null,
      isQuarantined: repo.is_quarantined,
      enabledUnits: new Set(repo.units as Unit[]),
    },
    collaboration,
    teams,
    isOrganizationMember: person.is_member,
  })
  // Public read access alone does not make a user a reviewer.
  const isGranted = is_admin || id === repo.owner_id || collaboration !== null || teams.length > 0
  return { id, mayWrite: may(access, 'write', 'code'), mayReview: isGranted && may(access, 'read', 'pulls') }
}

/**
 * Ids of the owner's teams that have access to the repository's code or pull requests, keyed by lowercase name; null for
 * teams without access. An unknown name is refused.
 *
 * Compat: for a repository owned by a user, team names are ignored, even unknown ones.
 */
export async function findTeams(
  db: Db,
  repo: Repository,
  names: readonly string[],
): Promise<Map<string, number | null>> {
  const teams = new Map<string, number | null>()
  if (names.length === 0 || !isOrgs(repo)) return teams
  const rows = await db
    .selectFrom('team')
    .select(['id', 'name_key', 'level'])
    .select([
      sql<boolean>`exists (select 1 from team_repository
        where team_id = team.id and repository_id = ${repo.id})`.as('has_repository'),
      sql<Level[]>`array(select level from team_unit
        where team_id = team.id and unit in ('code', 'pulls'))`.as('levels'),
    ])
    .where('organization_id', '=', repo.owner_id)
    .where('name_key', '=', sql<string>`any(${names.map((name) => name.toLowerCase())}::text[])`)
    .execute()
  for (const { id, name_key, level, has_repository, levels } of rows) {
    const mayRead = atLeast(level, 'admin') || levels.some((it) => atLeast(it, 'read'))
    teams.set(name_key, has_repository && mayRead ? id : null)
  }
  const missing = names.find((name) => !teams.has(name.toLowerCase()))
  if (missing !== undefined) throw invalid(`team does not exist: ${missing}`)
  return teams
}

export interface Names {
  readonly users: ReadonlyMap<number, string>
  readonly teams: ReadonlyMap<number, string>
}

/** Omits users and teams who have lost access to the repository. Two queries, whatever the number of ids. */
export async function loadNames(
  db: Db,
  repo: Repository,
  ids: { readonly users: readonly number[]; readonly teams: readonly number[] },
): Promise<Names> {
  const users = ids.users.length === 0 ? [] : await selectUserNames(db, repo, ids.users).execute()
  const teams = ids.teams.length === 0 ? [] : await selectTeamNames(db, repo, ids.teams).execute()
  return {
    users: new Map(users.map(({ id, login }) => [id, login])),
    teams: new Map(teams.map(({ id, name }) => [id, name])),
  }
}

function selectUserNames(db: Db, repo: Repository, ids: readonly number[]) {
  return db
    .selectFrom('account')
    .select(['id', 'login'])
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .where(isGrantedTo(sql<number>`account.id`, repo))
    .orderBy('login_key')
}

function selectTeamNames(db: Db, repo: Repository, ids: readonly number[]) {
  return db
    .selectFrom('team')
    .innerJoin('team_repository', 'team_repository.team_id', 'team.id')
    .select(['team.id', 'team.name'])
    .where('team.id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .where('team_repository.repository_id', '=', repo.id)
    .orderBy('team.name_key')
}

function isOrgs(repo: Repository): boolean {
  return repo.owner.kind === 'organization'
}
