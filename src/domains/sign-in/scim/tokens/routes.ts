/** REST routes of SCIM tokens, for site administrators. */
import { type Static, Type } from 'typebox'
import { asSiteAdmin, created, noContent, ok, type Route, routesOf, Time, time } from '#platform/rest'
import type { ScimTokenRow } from '../tables.ts'
import { createScimToken, listScimTokens, revokeScimToken } from './tokens.ts'

const NAME_MAX = 100
const route = routesOf({ tag: 'admin', scopes: ['admin'] })
const SourcePath = Type.Object({ id: Type.Integer() })

const ScimToken = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    token: Type.Optional(Type.String({ description: 'shown only once, when it is created' })),
    token_last_eight: Type.String(),
    created_at: Time,
    last_used_at: Type.Union([Time, Type.Null()]),
    last_used_from: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'ScimToken' },
)

export const scimTokenRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/auths/:id/scim_tokens',
    operationId: 'adminListScimTokens',
    summary: 'List the SCIM tokens of an authentication source',
    params: SourcePath,
    answers: { 200: Type.Array(ScimToken) },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params }) =>
      ok((await listScimTokens(ctx, opened, params.id)).map((row) => presentScimToken(row))),
  }),
  route({
    method: 'POST',
    path: '/admin/auths/:id/scim_tokens',
    operationId: 'adminCreateScimToken',
    summary: 'Create a SCIM token of an authentication source, shown only once',
    params: SourcePath,
    body: Type.Object(
      { name: Type.String({ minLength: 1, maxLength: NAME_MAX }) },
      { title: 'CreateScimTokenOption' },
    ),
    answers: { 201: ScimToken },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params, body }) => {
      const { row, token } = await createScimToken(ctx, opened, params.id, body.name)
      return created(presentScimToken(row, token))
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/auths/:id/scim_tokens/:token',
    operationId: 'adminDeleteScimToken',
    summary: 'Delete a SCIM token of an authentication source',
    params: Type.Object({ id: Type.Integer(), token: Type.Integer({ description: 'ID of the token' }) }),
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params }) => {
      await revokeScimToken(ctx, opened, params.id, params.token)
      return noContent()
    },
  }),
]

function presentScimToken(row: ScimTokenRow, token?: string): Static<typeof ScimToken> {
  return {
    id: row.id,
    name: row.name,
    ...(token !== undefined && { token }),
    token_last_eight: row.last_eight,
    created_at: time(row.created_at),
    last_used_at: time(row.last_used_at),
    last_used_from: row.last_used_from,
  }
}
