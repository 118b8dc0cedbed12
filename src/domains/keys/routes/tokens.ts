/** Access tokens over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
import {
  asSignedIn,
  created,
  listed,
  listOf,
  noContent,
  ok,
  PageQuery,
  pageOf,
  type Route,
  route,
} from '#platform/rest'
import { openOwnerOfTokens } from '../open-owner.ts'
import { CreateAccessToken } from '../schemas.ts'
import { getCurrentToken, issueToken, listTokens, revokeCurrentToken, revokeToken } from '../tokens.ts'
import {
  AccessToken,
  CurrentAccessToken,
  presentCurrentToken,
  presentNewToken,
  presentToken,
} from '../wire.ts'

const UserPath = Type.Object({ username: Type.String() })
const TokenPath = Type.Object({
  username: Type.String(),
  token: Type.String({ description: 'token ID or name' }),
})

export const tokenRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/users/:username/tokens',
    operationId: 'userGetTokens',
    tag: 'user',
    summary: "List a user's access tokens",
    scopes: ['user'],
    params: UserPath,
    query: PageQuery,
    answers: { 200: listOf(AccessToken) },
    open: openOwnerOfTokens,
    handle: async (visit) => {
      const { items, total } = await listTokens(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))
      return listed(visit, items.map(presentToken), total, { links: false })
    },
  }),
  route({
    method: 'POST',
    path: '/users/:username/tokens',
    operationId: 'userCreateToken',
    tag: 'user',
    summary: 'Create an access token, shown only once',
    scopes: ['user'],
    params: UserPath,
    body: CreateAccessToken,
    answers: { 201: AccessToken },
    open: openOwnerOfTokens,
    handle: async ({ ctx, opened, body }) => {
      const { row, token } = await issueToken(ctx, opened, { name: body.name, scopes: body.scopes ?? [] })
      return created(presentNewToken(row, token))
    },
  }),
  route({
    method: 'DELETE',
    path: '/users/:username/tokens/:token',
    operationId: 'userDeleteAccessToken',
    tag: 'user',
    summary: 'Delete an access token',
    scopes: ['user'],
    params: TokenPath,
    answers: { 204: null },
    open: openOwnerOfTokens,
    handle: async ({ ctx, opened, params }) => {
      await revokeToken(ctx, opened, params.token)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/token',
    operationId: 'getCurrentToken',
    tag: 'miscellaneous',
    summary: 'Get the access token used for this request',
    scopes: [],
    answers: { 200: CurrentAccessToken },
    open: asSignedIn,
    handle: async ({ ctx, opened }) => ok(presentCurrentToken(await getCurrentToken(ctx, opened))),
  }),
  route({
    method: 'DELETE',
    path: '/token',
    operationId: 'deleteCurrentToken',
    tag: 'miscellaneous',
    summary: 'Delete the access token used for this request',
    scopes: [],
    answers: { 204: null },
    open: asSignedIn,
    handle: async ({ ctx, opened }) => {
      await revokeCurrentToken(ctx, opened)
      return noContent()
    },
  }),
]
