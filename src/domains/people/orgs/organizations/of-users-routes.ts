/** REST routes of a user's organizations and teams. */
import { Type } from 'typebox'
import { type Account, openUser, UserPath } from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden } from '#platform/problem'
import { asSignedIn, listed, ok, PageQuery, pageOf, type Route, route, routesOf } from '#platform/rest'
import { listOrgsOf, listTeamsOfActor } from '../queries.ts'
import { findTeamsOf } from '../teams/team-store.ts'
import {
  Organization,
  OrganizationPermissions,
  presentOrganization,
  presentPermissions,
  presentTeam,
  Team,
} from '../wire.ts'
import { canSeeInside, openOrg, type VisibleOrg } from './open-org.ts'
import { findOrgsById } from './store.ts'

const organizationRoute = routesOf({ tag: 'organization', scopes: ['user', 'organization'] })

export const ofUserRoutes: readonly Route[] = [
  organizationRoute({
    method: 'GET',
    path: '/user/orgs',
    operationId: 'orgListCurrentUserOrgs',
    summary: "List the authenticated user's organizations",
    query: PageQuery,
    answers: { 200: Type.Array(Organization) },
    open: asSignedIn,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { items, total } = await listOrgsOf(ctx, opened, pageOf(ctx, query))
      return listed(
        visit,
        items.map((org) => presentOrganization(org, ctx.site)),
        total,
      )
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/users/:username/orgs',
    operationId: 'orgListUserOrgs',
    summary: "List a user's organizations",
    params: UserPath,
    query: PageQuery,
    answers: { 200: Type.Array(Organization) },
    open: openUserSignedIn,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { items, total } = await listOrgsOf(ctx, opened, pageOf(ctx, query))
      return listed(
        visit,
        items.map((org) => presentOrganization(org, ctx.site)),
        total,
      )
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/users/:username/orgs/:org/permissions',
    operationId: 'orgGetUserPermissions',
    summary: "Get a user's permissions in an organization",
    params: Type.Object({ username: Type.String(), org: Type.String() }),
    answers: { 200: OrganizationPermissions },
    open: openPermissions,
    handle: async ({ ctx, opened }) => {
      const teams = await findTeamsOf(ctx.db, opened.org.id, opened.user.id)
      return ok(presentPermissions(teams))
    },
  }),
  route({
    method: 'GET',
    path: '/user/teams',
    operationId: 'userListTeams',
    tag: 'user',
    summary: "List the authenticated user's teams",
    scopes: ['user'],
    query: PageQuery,
    answers: { 200: Type.Array(Team) },
    open: asSignedIn,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { items, total } = await listTeamsOfActor(ctx, opened, pageOf(ctx, query))
      const orgs = await findOrgsById(
        ctx.db,
        items.map((team) => team.organization_id),
      )
      const teams = items.map((team) => presentTeam(team, orgs.get(team.organization_id) ?? null, ctx.site))
      return listed(visit, teams, total)
    },
  }),
]

async function openUserSignedIn(visit: { ctx: Context; params: { username: string } }): Promise<Account> {
  const user = await openUser(visit.ctx, visit.params.username)
  asSignedIn(visit)
  return user
}

/** Memberships may be concealed, so a user's permissions are shown only to themselves and to members. */
async function openPermissions(visit: {
  ctx: Context
  params: { username: string; org: string }
}): Promise<{ user: Account; org: VisibleOrg }> {
  const user = await openUserSignedIn(visit)
  const org = await openOrg(visit.ctx, visit.params.org)
  if (user.id !== visit.ctx.actor?.id && !canSeeInside(visit.ctx, org))
    throw forbidden('must be an organization member')
  return { user, org }
}
