/** The endpoints that applications call: token, revocation, introspection. Clients authenticate, not users. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '#platform/context'
import { asAnybody, type RawAnswer, type RawRoute, rawRoute } from '#platform/rest'
import { makeIdToken } from '../identity/id-token.ts'
import { json, Refusal, tellRefusal } from '../refusal.ts'
import type { ApplicationRow } from '../tables.ts'
import { proveClient } from './client-proof.ts'
import { type Exchanged, exchangeCode, refresh } from './exchange.ts'
import { type Form, readForm, requiredField } from './form.ts'
import { introspect, revoke } from './inspect.ts'

interface Called {
  readonly ctx: Context
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly clientAddress: string
  readonly body: Buffer
}

type AnswerClient = (ctx: Context, client: ApplicationRow, form: Form) => Promise<unknown>

const endpoint = (path: string, operationId: string, answer: AnswerClient) =>
  rawRoute({
    method: 'POST',
    path,
    operationId,
    scopes: [],
    open: asAnybody,
    // `Authorization` names a client, which `proveClient` checks, and no user.
    authenticate: async () => ({ authorization: '' }),
    handle: (visit) => answerCall(visit, answer).catch(tellRefusal),
  })

async function answerCall({ ctx, body, ...from }: Called, answer: AnswerClient): Promise<RawAnswer> {
  const form = readForm(from.headers, body)
  return json(await answer(ctx, await proveClient(ctx, from, form), form))
}

export const tokenRoutes: readonly RawRoute[] = [
  endpoint('/login/oauth/access_token', 'oauth2IssueTokens', async (ctx, client, form) => {
    const exchanged = await exchange(ctx, client, form)
    return present(exchanged, await makeIdToken(ctx, client, exchanged))
  }),
  endpoint('/login/oauth/revoke', 'oauth2RevokeToken', async (ctx, client, form) => {
    await revoke(ctx, client, requiredField(form, 'token'))
    return {}
  }),
  endpoint('/login/oauth/introspect', 'oauth2IntrospectToken', async (ctx, client, form) => {
    if (!client.is_confidential)
      throw new Refusal('unauthorized_client', 'introspection requires a confidential client')
    return introspect(ctx, client, requiredField(form, 'token'))
  }),
]

function exchange(ctx: Context, client: ApplicationRow, form: Form): Promise<Exchanged> {
  switch (requiredField(form, 'grant_type')) {
    case 'authorization_code':
      return exchangeCode(ctx, client, form)
    case 'refresh_token':
      return refresh(ctx, client, form)
    default:
      throw new Refusal('unsupported_grant_type', 'grant_type is not supported')
  }
}

function present({ accessToken, refreshToken, expiresInS, scopes }: Exchanged, idToken: string | undefined) {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresInS,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
    ...(idToken !== undefined && { id_token: idToken }),
  }
}
