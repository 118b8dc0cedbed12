/** Internal operations for web pages: authorization requests, and applications that the user has authorized. */
import { Type } from 'typebox'
import { findAccountById } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { asAnybody, asSignedIn, internalOperation, time } from '#platform/rest'
import { answerUnasked, authorize } from './authorize.ts'
import { deleteGrant, listGrants } from './grants.ts'
import { type AuthorizationRequest, REQUEST_MAX, readRequest, returnError } from './request.ts'

/** The query of the page. */
const Sent = Type.Object({ request: Type.String({ maxLength: REQUEST_MAX }) })

export const authorizationOperations = [
  /**
   * What the page does next: refuse, send the browser back, or ask. For an application that was authorized before this
   * inserts a code, although it is a GET: browsers begin the protocol with one.
   */
  internalOperation({
    operationId: 'oauth2GetRequest',
    method: 'GET',
    query: Sent,
    open: asAnybody,
    handle: async ({ ctx, query }) => {
      const read = await readRequest(ctx, query.request)
      if (read.next !== 'ask') return read
      return (await answerUnasked(ctx, read.request)) ?? describe(ctx, read.request)
    },
  }),
  internalOperation({
    operationId: 'oauth2Authorize',
    method: 'POST',
    body: Sent,
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => authorize(ctx, opened, await getRequest(ctx, body.request)),
  }),
  internalOperation({
    operationId: 'oauth2Deny',
    method: 'POST',
    body: Sent,
    open: asSignedIn,
    handle: async ({ ctx, body }) =>
      returnError(ctx, await getRequest(ctx, body.request), 'access_denied', 'the user denied the request'),
  }),
  internalOperation({
    operationId: 'oauth2ListGrants',
    method: 'GET',
    open: asSignedIn,
    handle: async ({ ctx, opened }) =>
      (await listGrants(ctx.db, opened.id)).map(({ id, name, owner, scopes, created_at, last_used_at }) => ({
        id,
        name,
        owner,
        scopes,
        created_at: time(created_at),
        last_used_at: time(last_used_at),
      })),
  }),
  internalOperation({
    operationId: 'oauth2RevokeGrant',
    method: 'POST',
    params: Type.Object({ id: Type.Integer() }),
    open: asSignedIn,
    handle: async ({ ctx, opened, params }) =>
      transact(ctx, async (ctx) => {
        if (!(await deleteGrant(ctx.db, opened.id, params.id))) throw notFound('authorization', params.id)
      }),
  }),
] as const

async function getRequest(ctx: Context, text: string): Promise<AuthorizationRequest> {
  const read = await readRequest(ctx, text)
  if (read.next !== 'ask') throw new Problem('invalid', 'authorization request is invalid')
  return read.request
}

async function describe(ctx: Context, { client, returnTo, scopes, prompts }: AuthorizationRequest) {
  const owner = client.account_id === null ? undefined : await findAccountById(ctx.db, client.account_id)
  return {
    next: 'ask' as const,
    application: client.name,
    /** Login of the account that registered it; null for an application of the forge itself. */
    owner: owner?.login ?? null,
    returnTo,
    scopes,
    /** The application wants the password again. */
    needsPassword: prompts.has('login'),
  }
}
