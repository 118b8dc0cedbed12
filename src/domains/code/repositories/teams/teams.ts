/** The repositories of teams. */

import { may } from '#domains/people/access'
import {
  findTeamByName,
  listTeamsWithAll,
  lookUpOrg,
  selectTeams,
  type TeamRecord,
  type VisibleTeam,
} from '#domains/people/orgs'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, invalid, notFound, Problem } from '#platform/problem'
import {
  type Administered,
  lookUpRepository,
  type RepositoryPath,
  type Visible,
} from '../access/open-repository.ts'
import type { Repository } from '../record/load.ts'
import {
  deleteTeamRepository,
  hasRepository,
  insertTeamRepositories,
  insertWatches,
  listIdsOf,
  listMembersOf,
  watchAllOf,
} from '../record/store.ts'
import type { RepositoryRow, TeamRepositoryRow } from '../tables.ts'

declare const proven: unique symbol
/** A team and a repository of its organization, proven to be changeable by the caller. */
export interface TeamsRepository {
  readonly team: TeamRecord
  readonly repo: Repository
  readonly [proven]: true
}

/** An administrator of the repository may add it to a team of its organization. */
export async function openTeamsRepository(
  ctx: Context,
  { team, org }: VisibleTeam,
  path: RepositoryPath,
): Promise<TeamsRepository> {
  // Compat: a member of the team gets 403 even for a repository that they do not see yet.
  const repo = await lookUpRepository(ctx, path)
  if (repo.owner_id !== org.id) throw notFound('repository', `${path.owner}/${path.repo}`)
  if (!may(repo.access, 'admin')) throw forbidden('user is neither an admin of the repository nor an owner')
  return { team, repo } as TeamsRepository
}

/** Only a repository of an organization has teams. */
export function assertHasTeams(repo: Repository): void {
  if (repo.owner.kind !== 'organization')
    throw new Problem('method_not_allowed', 'repo is not owned by an organization')
}

/** Owners, and administrators of the repository if the organization allows it, may change its teams. */
export async function openTeamOf(ctx: Context, repo: Administered, name: string): Promise<TeamsRepository> {
  assertHasTeams(repo)
  const { repo_admin_change_team_access } = await lookUpOrg(ctx, repo.owner.login)
  if (!repo_admin_change_team_access && !may(repo.access, 'own'))
    throw forbidden('user is neither an admin of the repository nor an owner')
  const team = await findTeamByName(ctx.db, repo.owner_id, name)
  if (team === undefined) throw notFound('team', name)
  return { team, repo: repo as Repository } as TeamsRepository
}

/** Compat: adding an existing or removing a missing team is an error here. */
export async function assertTeamHas(
  ctx: Context,
  { team, repo }: TeamsRepository,
  expected: boolean,
): Promise<void> {
  if ((await hasRepository(ctx.db, team.id, repo.id)) === expected) return
  throw invalid(expected ? 'team was not added to repo' : 'team is already added to repo', {
    team: team.name,
  })
}

export async function giveToTeam(ctx: Context, { team, repo }: TeamsRepository): Promise<void> {
  const row = { team_id: team.id, repository_id: repo.id, organization_id: repo.owner_id }
  await transact(ctx, (ctx) => give(ctx, [row]))
}

export async function takeFromTeam(ctx: Context, { team, repo }: TeamsRepository): Promise<void> {
  await transact(ctx, (ctx) => deleteTeamRepository(ctx.db, team.id, repo.id))
}

/** Gives a team that now includes all repositories the existing ones. */
export async function giveAllRepositories(
  ctx: TxContext,
  { team_id, organization_id }: Pick<TeamRepositoryRow, 'team_id' | 'organization_id'>,
): Promise<void> {
  const ids = await listIdsOf(ctx.db, organization_id)
  await give(
    ctx,
    ids.map((repository_id) => ({ team_id, repository_id, organization_id })),
  )
}

/** Adds a new repository to the teams that include all repositories. */
export async function giveToAllTeams(ctx: TxContext, repo: RepositoryRow): Promise<void> {
  const teams = await listTeamsWithAll(ctx.db, repo.owner_id)
  await give(
    ctx,
    teams.map((team) => ({ team_id: team.id, repository_id: repo.id, organization_id: repo.owner_id })),
  )
}

/** For teams of the current owner. */
export async function giveToTeams(
  ctx: TxContext,
  repo: RepositoryRow,
  teamIds: readonly number[],
): Promise<void> {
  const { id: repository_id, owner_id: organization_id } = repo
  await give(
    ctx,
    teamIds.map((team_id) => ({ team_id, repository_id, organization_id })),
  )
}

/** For a repository that leaves the organization. */
export async function takeFromTeams(ctx: TxContext, repo: RepositoryRow): Promise<void> {
  await ctx.db.deleteFrom('team_repository').where('repository_id', '=', repo.id).execute()
}

/** Compat: members of a team watch the repositories that the team is given. */
async function give(ctx: TxContext, rows: readonly TeamRepositoryRow[]): Promise<void> {
  const added = await insertTeamRepositories(ctx.db, rows)
  const members = await listMembersOf(ctx.db, [...new Set(added.map(({ team_id }) => team_id))])
  const created_at = ctx.now()
  await insertWatches(
    ctx.db,
    added.flatMap(({ team_id, repository_id }) =>
      members
        .filter((member) => member.team_id === team_id)
        .map(({ user_id }) => ({ user_id, repository_id, created_at })),
    ),
  )
}

/** Compat: a new member watches the team's repositories. */
export function watchWithTeam(ctx: TxContext, teamId: number, userId: number): Promise<void> {
  return watchAllOf(ctx.db, teamId, userId, ctx.now())
}

/** Throws not found when the team does not have the repository. */
export async function assertHas(ctx: Context, team: TeamRecord, repo: Visible): Promise<void> {
  if (!(await hasRepository(ctx.db, team.id, repo.id))) throw notFound('repository', repo.name)
}

export async function getTeamOf(ctx: Context, repo: Visible, name: string): Promise<TeamRecord> {
  const team = await findTeamByName(ctx.db, repo.owner_id, name)
  if (team === undefined || !(await hasRepository(ctx.db, team.id, repo.id))) throw notFound('team', name)
  return team
}

/** The teams of a repository: the owners' team, then by name. */
export function listTeamsOf(ctx: Context, repo: Visible): Promise<TeamRecord[]> {
  return selectTeams(ctx.db)
    .innerJoin('team_repository', 'team_repository.team_id', 'team.id')
    .where('team_repository.repository_id', '=', repo.id)
    .orderBy((eb) => eb('team.level', '<>', 'owner'))
    .orderBy('team.name_key')
    .execute()
}
