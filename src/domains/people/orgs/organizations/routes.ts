/** REST routes of organizations. */

import { Type } from 'typebox'
import { UserPath } from '#domains/people/users'
import {
  asAnybody,
  asSiteAdmin,
  created,
  listed,
  noContent,
  ok,
  PageQuery,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { listOrgs } from '../queries.ts'
import { CreateOrg, EditOrg, OrgPath, RenameOrg } from '../schemas.ts'
import { Organization, presentOrganization } from '../wire.ts'
import { createOrganization, openFounder, openFounderFor } from './create-org.ts'
import { deleteOrganization, editOrganization, renameOrganization } from './edit-org.ts'
import { openOrg, openOwnedOrg } from './open-org.ts'

const organizationRoute = routesOf({ tag: 'organization', scopes: ['organization'] })
const adminRoute = routesOf({ tag: 'admin', scopes: ['admin'] })

export const organizationRoutes: readonly Route[] = [
  organizationRoute({
    method: 'GET',
    path: '/orgs',
    operationId: 'orgGetAll',
    summary: 'List organizations visible to the caller',
    query: PageQuery,
    answers: { 200: Type.Array(Organization) },
    open: asAnybody,
    handle: async (visit) => {
      const { items, total } = await listOrgs(visit.ctx, pageOf(visit.ctx, visit.query))
      return listed(
        visit,
        items.map((org) => presentOrganization(org, visit.ctx.site)),
        total,
      )
    },
  }),
  organizationRoute({
    method: 'POST',
    path: '/orgs',
    operationId: 'orgCreate',
    summary: 'Create an organization',
    body: CreateOrg,
    answers: { 201: Organization },
    open: openFounder,
    handle: async ({ ctx, opened, body }) =>
      created(presentOrganization(await createOrganization(ctx, opened, body), ctx.site)),
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org',
    operationId: 'orgGet',
    summary: 'Get an organization',
    params: OrgPath,
    answers: { 200: Organization },
    open: ({ ctx, params }) => openOrg(ctx, params.org),
    handle: async ({ ctx, opened }) => ok(presentOrganization(opened, ctx.site)),
  }),
  organizationRoute({
    method: 'PATCH',
    path: '/orgs/:org',
    operationId: 'orgEdit',
    summary: 'Update an organization',
    params: OrgPath,
    body: EditOrg,
    answers: { 200: Organization },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened, body }) =>
      ok(presentOrganization(await editOrganization(ctx, opened, body), ctx.site)),
  }),
  organizationRoute({
    method: 'DELETE',
    path: '/orgs/:org',
    operationId: 'orgDelete',
    summary: 'Delete an organization',
    params: OrgPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened }) => {
      await deleteOrganization(ctx, opened)
      return noContent()
    },
  }),
  organizationRoute({
    method: 'POST',
    path: '/orgs/:org/rename',
    operationId: 'renameOrg',
    summary: 'Rename an organization',
    params: OrgPath,
    body: RenameOrg,
    answers: { 204: null },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened, body }) => {
      await renameOrganization(ctx, opened, body.new_name)
      return noContent()
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/admin/orgs',
    operationId: 'adminGetAllOrgs',
    summary: 'List all organizations',
    query: PageQuery,
    answers: { 200: Type.Array(Organization) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { items, total } = await listOrgs(visit.ctx, pageOf(visit.ctx, visit.query))
      return listed(
        visit,
        items.map((org) => presentOrganization(org, visit.ctx.site)),
        total,
      )
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/admin/users/:username/orgs',
    operationId: 'adminCreateOrg',
    summary: 'Create an organization owned by a user',
    params: UserPath,
    body: CreateOrg,
    answers: { 201: Organization },
    open: (visit) => openFounderFor(visit, visit.params.username),
    handle: async ({ ctx, opened, body }) =>
      created(presentOrganization(await createOrganization(ctx, opened, body), ctx.site)),
  }),
]
