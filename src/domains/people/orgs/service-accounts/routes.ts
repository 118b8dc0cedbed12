/** REST routes of service accounts, for owners of their organization. Tokens: `/users/:username/tokens`. */
import { Type } from 'typebox'
import { LOGIN_MAX, presentUser, User } from '#domains/people/users'
import {
  asSignedIn,
  created,
  listed,
  noContent,
  PageQuery,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { openOwnedOrg } from '../organizations/open-org.ts'
import { OrgPath } from '../schemas.ts'
import {
  createServiceAccount,
  deleteServiceAccount,
  listServiceAccounts,
  openServiceAccount,
} from './service-accounts.ts'

const route = routesOf({ tag: 'organization', scopes: ['organization'] })
const FULL_NAME_MAX = 100

const CreateServiceAccount = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: LOGIN_MAX }),
    full_name: Type.Optional(Type.String({ maxLength: FULL_NAME_MAX })),
  },
  { title: 'CreateServiceAccountOption' },
)

export const serviceAccountRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/orgs/:org/service_accounts',
    operationId: 'orgListServiceAccounts',
    summary: "List an organization's service accounts",
    params: OrgPath,
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { items, total } = await listServiceAccounts(ctx.db, opened, pageOf(ctx, query))
      return listed(
        visit,
        items.map((it) => presentUser(it, ctx.actor, ctx.site)),
        total,
      )
    },
  }),
  route({
    method: 'POST',
    path: '/orgs/:org/service_accounts',
    operationId: 'orgCreateServiceAccount',
    summary: 'Create a service account: a user with tokens and keys, without a password',
    params: OrgPath,
    body: CreateServiceAccount,
    answers: { 201: User },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened, body }) =>
      created(presentUser(await createServiceAccount(ctx, opened, body), ctx.actor, ctx.site)),
  }),
  route({
    method: 'DELETE',
    path: '/orgs/:org/service_accounts/:username',
    operationId: 'orgDeleteServiceAccount',
    summary: 'Delete a service account with its tokens and keys',
    params: Type.Object({ org: Type.String(), username: Type.String() }),
    answers: { 204: null },
    open: async (visit) => {
      const org = await openOwnedOrg(visit.ctx, visit.params.org)
      return {
        actor: asSignedIn(visit),
        account: await openServiceAccount(visit.ctx.db, org, visit.params.username),
      }
    },
    handle: async ({ ctx, opened: { actor, account } }) => {
      await deleteServiceAccount(ctx, actor, account)
      return noContent()
    },
  }),
]
