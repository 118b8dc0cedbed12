/** What a person decides about an authorization request. */
import { type Context, transact } from '#platform/context'
import type { SignedIn } from '#platform/rest'
import { covers } from '../scopes.ts'
import type { ApplicationRow, GrantRow } from '../tables.ts'
import { issueCode } from './codes.ts'
import { extendGrant, findGrant } from './grants.ts'
import { type AuthorizationRequest, returnCode, returnError } from './request.ts'

export type Decided = { readonly next: 'return'; readonly to: string }

/**
 * What can be answered without asking the person: an earlier grant covers the request, or the application wants no
 * questions. Undefined otherwise.
 */
export async function answerUnasked(
  ctx: Context,
  request: AuthorizationRequest,
): Promise<Decided | undefined> {
  const { actor } = ctx
  const isSilent = request.prompts.has('none')
  const back = (error: string, description: string): Decided => ({
    next: 'return',
    to: returnError(ctx, request, error, description),
  })
  if (actor === null) return isSilent ? back('login_required', 'nobody is signed in') : undefined
  const grant = await findGrant(ctx.db, actor.id, request.client.id)
  if (isWithoutConsent(request, grant))
    return { next: 'return', to: returnCode(ctx, request, await issueCode(ctx, grant.id, request)) }
  return isSilent ? back('consent_required', 'the user has not authorized this') : undefined
}

/** The person allows it. */
export async function authorize(
  ctx: Context,
  actor: SignedIn,
  request: AuthorizationRequest,
): Promise<string> {
  return transact(ctx, async (ctx) => {
    const grant = await extendGrant(ctx, actor.id, request.client, request.scopes)
    return returnCode(ctx, request, await issueCode(ctx, grant.id, request))
  })
}

/** Any program can use the id of a public client, so its requests are always shown (RFC 6749, section 10.2). */
function isWithoutConsent(
  { client, scopes, prompts }: AuthorizationRequest,
  grant: GrantRow | undefined,
): grant is GrantRow {
  const isAsked = [...prompts].some((it) => it !== 'none')
  return !isAsked && isTrusted(client) && grant !== undefined && covers(grant.scopes, scopes)
}

function isTrusted({ is_confidential, skips_second_authorization }: ApplicationRow): boolean {
  return is_confidential || skips_second_authorization
}
