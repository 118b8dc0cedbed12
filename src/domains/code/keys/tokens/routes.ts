/** REST routes of access tokens. */

import { Type } from 'typebox'
import { UserPath } from '#domains/people/users'
import {
  asSignedIn,
  created,
  instantOf,
  listed,
  listOf,
  noContent,
  ok,
  PageQuery,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { openOwnerOfTokens } from '../open-owner.ts'
import { CreateAccessToken, CreateNarrowedToken, NarrowAccessToken } from '../schemas.ts'
import {
  AccessToken,
  CurrentAccessToken,
  presentCurrentToken,
  presentNewToken,
  presentToken,
} from '../wire.ts'
import { narrowToken } from './narrow.ts'
import { getCurrentToken, issueToken, listTokens, revokeCurrentToken, revokeToken } from './tokens.ts'
import { narrowOwnToken, reportUse } from './use.ts'
import { AccessTokenUse, presentTokenUse } from './use-wire.ts'

const userRoute = routesOf({ tag: 'user', scopes: ['user'] })
const miscellaneousRoute = routesOf({ tag: 'miscellaneous', scopes: [] })
const TokenPath = Type.Object({
  username: Type.String(),
  token: Type.String({ description: 'token ID or name' }),
})

export const tokenRoutes: readonly Route[] = [
  userRoute({
    method: 'GET',
    path: '/users/:username/tokens',
    operationId: 'userGetTokens',
    summary: "List a user's access tokens",
    params: UserPath,
    query: PageQuery,
    answers: { 200: listOf(AccessToken) },
    open: openOwnerOfTokens,
    handle: async (visit) => {
      const { items, total } = await listTokens(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))
      return listed(visit, items.map(presentToken), total, { links: false })
    },
  }),
  userRoute({
    method: 'POST',
    path: '/users/:username/tokens',
    operationId: 'userCreateToken',
    summary: 'Create an access token, shown only once',
    params: UserPath,
    body: CreateAccessToken,
    answers: { 201: AccessToken },
    open: openOwnerOfTokens,
    handle: async ({ ctx, opened, body }) => {
      const { name, scopes = [], expires_at, ...limits } = body
      const endsAt = instantOf('expires_at', expires_at)
      const { row, token } = await issueToken(ctx, opened, { name, scopes, limits, endsAt })
      return created(presentNewToken(row, token))
    },
  }),
  userRoute({
    method: 'DELETE',
    path: '/users/:username/tokens/:token',
    operationId: 'userDeleteAccessToken',
    summary: 'Delete an access token',
    params: TokenPath,
    answers: { 204: null },
    open: openOwnerOfTokens,
    handle: async ({ ctx, opened, params }) => {
      await revokeToken(ctx, opened, params.token)
      return noContent()
    },
  }),
  userRoute({
    method: 'GET',
    path: '/users/:username/tokens/:token/use',
    operationId: 'userGetAccessTokenUse',
    summary: 'Get what an access token did in 90 days, and the limits that permit just that',
    params: TokenPath,
    answers: { 200: AccessTokenUse },
    open: openOwnerOfTokens,
    handle: async ({ ctx, opened, params }) =>
      ok(presentTokenUse(await reportUse(ctx, opened, params.token))),
  }),
  userRoute({
    method: 'POST',
    path: '/users/:username/tokens/:token/limits',
    operationId: 'userNarrowAccessToken',
    summary: 'Update the limits of an access token, only to narrow it',
    params: TokenPath,
    body: NarrowAccessToken,
    answers: { 200: AccessToken },
    open: openOwnerOfTokens,
    handle: async ({ ctx, opened, params, body }) =>
      ok(presentToken(await narrowOwnToken(ctx, opened, params.token, body))),
  }),
  miscellaneousRoute({
    method: 'GET',
    path: '/token',
    operationId: 'getCurrentToken',
    summary: 'Get the access token used for this request',
    answers: { 200: CurrentAccessToken },
    open: asSignedIn,
    handle: async ({ ctx, opened }) => ok(presentCurrentToken(await getCurrentToken(ctx, opened))),
  }),
  miscellaneousRoute({
    method: 'POST',
    path: '/token/narrowed',
    operationId: 'createNarrowedToken',
    summary: 'Create a token within the one used for this request, for minutes',
    body: CreateNarrowedToken,
    alsoRefuses: ['not_found', 'too_many'],
    answers: { 201: AccessToken },
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => {
      const { row, token } = await narrowToken(ctx, opened, body)
      return created(presentNewToken(row, token))
    },
  }),
  miscellaneousRoute({
    method: 'DELETE',
    path: '/token',
    operationId: 'deleteCurrentToken',
    summary: 'Delete the access token used for this request',
    answers: { 204: null },
    open: asSignedIn,
    handle: async ({ ctx, opened }) => {
      await revokeCurrentToken(ctx, opened)
      return noContent()
    },
  }),
]
