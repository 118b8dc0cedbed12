/** REST routes of teams and their repositories. */
import { Type } from 'typebox'
import { openTeam, presentTeam, Team } from '#domains/people/orgs'
import { asSignedIn, noContent, ok, PageQuery, pageOf, type Route, routesOf } from '#platform/rest'
import { openToAdmin, openToSee } from '../access/open-repository.ts'
import { listedRepositories } from '../record/listed-routes.ts'
import { listOfTeam } from '../record/queries.ts'
import { inRepository, RepositoryPath } from '../schemas.ts'
import { presentRepository, Repository } from '../wire.ts'
import {
  assertHas,
  assertHasTeams,
  assertTeamHas,
  getTeamOf,
  giveToTeam,
  listTeamsOf,
  openTeamOf,
  openTeamsRepository,
  takeFromTeam,
} from './teams.ts'

const organizationRoute = routesOf({ tag: 'organization', scopes: ['organization'] })
const repositoryRoute = routesOf({
  tag: 'repository',
  scopes: ['repository'],
  alsoRefuses: ['method_not_allowed'],
})
const TeamPath = Type.Object({ id: Type.Integer() })
const TeamRepositoryPath = Type.Object({ id: Type.Integer(), org: Type.String(), repo: Type.String() })
const RepositoryTeamPath = inRepository({ team: Type.String() })

export const teamRepositoryRoutes: readonly Route[] = [
  organizationRoute({
    method: 'GET',
    path: '/teams/:id/repos',
    operationId: 'orgListTeamRepos',
    summary: "List a team's repositories",
    params: TeamPath,
    query: PageQuery,
    answers: { 200: Type.Array(Repository) },
    open: ({ ctx, params }) => openTeam(ctx, params.id),
    handle: async (visit) => {
      const { ctx, opened } = visit
      return listedRepositories(visit, await listOfTeam(ctx, opened.team.id, pageOf(ctx, visit.query)))
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/teams/:id/repos/:org/:repo',
    operationId: 'orgListTeamRepo',
    summary: 'Get a repository of a team',
    params: TeamRepositoryPath,
    answers: { 200: Repository },
    open: async ({ ctx, params }) => {
      const { team } = await openTeam(ctx, params.id)
      const repo = await openToSee(ctx, { owner: params.org, repo: params.repo })
      await assertHas(ctx, team, repo)
      return repo
    },
    handle: async ({ ctx, opened }) => ok(presentRepository(opened, ctx.site)),
  }),
  organizationRoute({
    method: 'PUT',
    path: '/teams/:id/repos/:org/:repo',
    operationId: 'orgAddTeamRepository',
    summary: 'Add a repository to a team',
    params: TeamRepositoryPath,
    answers: { 204: null },
    open: async ({ ctx, params }) =>
      openTeamsRepository(ctx, await openTeam(ctx, params.id), { owner: params.org, repo: params.repo }),
    handle: async ({ ctx, opened }) => {
      await giveToTeam(ctx, opened)
      return noContent()
    },
  }),
  organizationRoute({
    method: 'DELETE',
    path: '/teams/:id/repos/:org/:repo',
    operationId: 'orgRemoveTeamRepository',
    summary: 'Remove a repository from a team',
    params: TeamRepositoryPath,
    answers: { 204: null },
    open: async ({ ctx, params }) =>
      openTeamsRepository(ctx, await openTeam(ctx, params.id), { owner: params.org, repo: params.repo }),
    handle: async ({ ctx, opened }) => {
      await takeFromTeam(ctx, opened)
      return noContent()
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/teams',
    operationId: 'repoListTeams',
    summary: 'List teams with access to a repository',
    params: RepositoryPath,
    answers: { 200: Type.Array(Team) },
    open: async (visit) => {
      const repo = await openToSee(visit.ctx, visit.params)
      asSignedIn(visit)
      assertHasTeams(repo)
      return repo
    },
    handle: async ({ ctx, opened }) => {
      const teams = await listTeamsOf(ctx, opened)
      return ok(teams.map((team) => presentTeam(team, null, ctx.site)))
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/teams/:team',
    operationId: 'repoCheckTeam',
    summary: 'Check whether a team has access to a repository',
    params: RepositoryTeamPath,
    answers: { 200: Team },
    open: async (visit) => {
      const repo = await openToSee(visit.ctx, visit.params)
      asSignedIn(visit)
      assertHasTeams(repo)
      return repo
    },
    handle: async ({ ctx, params, opened }) =>
      ok(presentTeam(await getTeamOf(ctx, opened, params.team), null, ctx.site)),
  }),
  repositoryRoute({
    method: 'PUT',
    path: '/repos/:owner/:repo/teams/:team',
    operationId: 'repoAddTeam',
    summary: 'Add a team to a repository',
    params: RepositoryTeamPath,
    answers: { 204: null },
    open: async ({ ctx, params }) => openTeamOf(ctx, await openToAdmin(ctx, params), params.team),
    handle: async ({ ctx, opened }) => {
      await assertTeamHas(ctx, opened, false)
      await giveToTeam(ctx, opened)
      return noContent()
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/teams/:team',
    operationId: 'repoDeleteTeam',
    summary: 'Remove a team from a repository',
    params: RepositoryTeamPath,
    answers: { 204: null },
    open: async ({ ctx, params }) => openTeamOf(ctx, await openToAdmin(ctx, params), params.team),
    handle: async ({ ctx, opened }) => {
      await assertTeamHas(ctx, opened, true)
      await takeFromTeam(ctx, opened)
      return noContent()
    },
  }),
]
