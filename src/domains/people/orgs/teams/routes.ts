/** REST routes of teams. */
import { Type } from 'typebox'
import {
  created,
  listed,
  noContent,
  ok,
  PageQuery,
  pageFields,
  pageHeaders,
  pageOf,
  type Route,
  route,
} from '#platform/rest'
import { openOwnedOrg } from '../organizations/open-org.ts'
import { listTeams } from '../queries.ts'
import { CreateTeam, EditTeam } from '../schemas.ts'
import { presentTeam, Team } from '../wire.ts'
import { openOrgTeams, openOwnedTeam, openTeam } from './open-team.ts'
import { createTeam, deleteTeam, editTeam } from './teams.ts'

const OrgPath = Type.Object({ org: Type.String() })
const TeamPath = Type.Object({ id: Type.Integer() })
const TeamSearchResults = Type.Object({ data: Type.Array(Team), ok: Type.Boolean() })

export const teamRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/orgs/:org/teams',
    operationId: 'orgListTeams',
    tag: 'organization',
    summary: "List an organization's teams",
    scopes: ['organization'],
    params: OrgPath,
    query: PageQuery,
    answers: { 200: Type.Array(Team) },
    open: ({ ctx, params }) => openOrgTeams(ctx, params.org),
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { items, total } = await listTeams(ctx, opened, pageOf(ctx, query))
      return listed(
        visit,
        items.map((team) => presentTeam(team, null, ctx.site)),
        total,
      )
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/:org/teams/search',
    operationId: 'teamSearch',
    tag: 'organization',
    summary: 'Search for teams in an organization',
    scopes: ['organization'],
    params: OrgPath,
    query: Type.Object({
      q: Type.Optional(Type.String({ description: 'keyword: part of the name or description' })),
      include_desc: Type.Optional(
        Type.Boolean({ description: 'search in descriptions as well (default true)' }),
      ),
      ...pageFields,
    }),
    answers: { 200: TeamSearchResults },
    open: ({ ctx, params }) => openOrgTeams(ctx, params.org),
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const search = { keyword: (query.q ?? '').trim(), inDescription: query.include_desc ?? true }
      const { items, total } = await listTeams(ctx, opened, pageOf(ctx, query), search)
      const data = items.map((team) => presentTeam(team, null, ctx.site))
      return { ...ok({ data, ok: true }), headers: pageHeaders(visit, total) }
    },
  }),
  route({
    method: 'GET',
    path: '/teams/:id',
    operationId: 'orgGetTeam',
    tag: 'organization',
    summary: 'Get a team',
    scopes: ['organization'],
    params: TeamPath,
    answers: { 200: Team },
    open: ({ ctx, params }) => openTeam(ctx, params.id),
    handle: async ({ ctx, opened: { team, org } }) => ok(presentTeam(team, org, ctx.site)),
  }),
  route({
    method: 'DELETE',
    path: '/teams/:id',
    operationId: 'orgDeleteTeam',
    tag: 'organization',
    summary: 'Delete a team',
    scopes: ['organization'],
    params: TeamPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openOwnedTeam(ctx, params.id),
    handle: async ({ ctx, opened }) => {
      await deleteTeam(ctx, opened)
      return noContent()
    },
  }),
  route({
    method: 'POST',
    path: '/orgs/:org/teams',
    operationId: 'orgCreateTeam',
    tag: 'organization',
    summary: 'Create a team',
    scopes: ['organization'],
    params: OrgPath,
    body: CreateTeam,
    answers: { 201: Team },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened, body }) =>
      created(presentTeam(await createTeam(ctx, opened, body), opened, ctx.site)),
  }),
  route({
    method: 'PATCH',
    path: '/teams/:id',
    operationId: 'orgEditTeam',
    tag: 'organization',
    summary: 'Update a team',
    scopes: ['organization'],
    params: TeamPath,
    body: EditTeam,
    answers: { 200: Team },
    open: ({ ctx, params }) => openOwnedTeam(ctx, params.id),
    handle: async ({ ctx, opened, body }) =>
      ok(presentTeam(await editTeam(ctx, opened, body), null, ctx.site)),
  }),
]
