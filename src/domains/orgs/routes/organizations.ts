/** Organizations over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
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
  route,
} from '#platform/rest'
import { createOrganization, openFounder, openFounderFor } from '../create-org.ts'
import { deleteOrganization, editOrganization, renameOrganization } from '../edit-org.ts'
import { openOrg, openOwnedOrg } from '../open-org.ts'
import { listOrgs } from '../queries.ts'
import { CreateOrg, EditOrg, RenameOrg } from '../schemas.ts'
import { Organization, presentOrganization } from '../wire.ts'

const OrgPath = Type.Object({ org: Type.String() })

export const organizationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/orgs',
    operationId: 'orgGetAll',
    tag: 'organization',
    summary: 'List organizations visible to the caller',
    scopes: ['organization'],
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
  route({
    method: 'POST',
    path: '/orgs',
    operationId: 'orgCreate',
    tag: 'organization',
    summary: 'Create an organization',
    scopes: ['organization'],
    body: CreateOrg,
    answers: { 201: Organization },
    open: openFounder,
    handle: async ({ ctx, opened, body }) =>
      created(presentOrganization(await createOrganization(ctx, opened, body), ctx.site)),
  }),
  route({
    method: 'GET',
    path: '/orgs/:org',
    operationId: 'orgGet',
    tag: 'organization',
    summary: 'Get an organization',
    scopes: ['organization'],
    params: OrgPath,
    answers: { 200: Organization },
    open: ({ ctx, params }) => openOrg(ctx, params.org),
    handle: async ({ ctx, opened }) => ok(presentOrganization(opened, ctx.site)),
  }),
  route({
    method: 'PATCH',
    path: '/orgs/:org',
    operationId: 'orgEdit',
    tag: 'organization',
    summary: 'Update an organization',
    scopes: ['organization'],
    params: OrgPath,
    body: EditOrg,
    answers: { 200: Organization },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened, body }) =>
      ok(presentOrganization(await editOrganization(ctx, opened, body), ctx.site)),
  }),
  route({
    method: 'DELETE',
    path: '/orgs/:org',
    operationId: 'orgDelete',
    tag: 'organization',
    summary: 'Delete an organization',
    scopes: ['organization'],
    params: OrgPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened }) => {
      await deleteOrganization(ctx, opened)
      return noContent()
    },
  }),
  route({
    method: 'POST',
    path: '/orgs/:org/rename',
    operationId: 'renameOrg',
    tag: 'organization',
    summary: 'Rename an organization',
    scopes: ['organization'],
    params: OrgPath,
    body: RenameOrg,
    answers: { 204: null },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened, body }) => {
      await renameOrganization(ctx, opened, body.new_name)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/admin/orgs',
    operationId: 'adminGetAllOrgs',
    tag: 'admin',
    summary: 'List all organizations',
    scopes: ['admin'],
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
  route({
    method: 'POST',
    path: '/admin/users/:username/orgs',
    operationId: 'adminCreateOrg',
    tag: 'admin',
    summary: 'Create an organization owned by a user',
    scopes: ['admin'],
    params: Type.Object({ username: Type.String() }),
    body: CreateOrg,
    answers: { 201: Organization },
    open: (visit) => openFounderFor(visit, visit.params.username),
    handle: async ({ ctx, opened, body }) =>
      created(presentOrganization(await createOrganization(ctx, opened, body), ctx.site)),
  }),
]
