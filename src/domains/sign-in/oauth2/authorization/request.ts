/**
 * Reads an authorization request. A request whose application or redirect URI is wrong is refused on the page: any
 * site may have sent the browser. All other errors are returned to the application (RFC 6749, section 4.1.2.1).
 */
import type { Context } from '#platform/context'
import { defaultScopes, findClient, isRegistered, withParams } from '../applications/clients.ts'
import { parseScopes } from '../scopes.ts'
import type { ApplicationRow } from '../tables.ts'

export const REQUEST_MAX = 3_900
const STATE_MAX = 1_500
const NONCE_MAX = 500
const CHALLENGE = /^[\w-]{43}$/
const PROMPTS: ReadonlySet<string> = new Set(['none', 'login', 'consent', 'select_account'])

export interface AuthorizationRequest {
  readonly client: ApplicationRow
  /** Where the browser returns to. */
  readonly returnTo: string
  /** As sent; null where it was left out. */
  readonly redirectUri: string | null
  readonly scopes: readonly string[]
  readonly state: string | undefined
  readonly nonce: string | null
  readonly challenge: string | null
  readonly prompts: ReadonlySet<string>
}

export type ReadRequest =
  | { readonly next: 'refused'; readonly reason: 'client' | 'redirect_uri' | 'request' }
  | { readonly next: 'return'; readonly to: string }
  | { readonly next: 'ask'; readonly request: AuthorizationRequest }

export async function readRequest(ctx: Context, text: string): Promise<ReadRequest> {
  const query = new URLSearchParams(text)
  // A parameter that is sent twice could be checked as one value and used as the other.
  if (new Set(query.keys()).size < query.size) return { next: 'refused', reason: 'request' }
  const client = await findClient(ctx, query.get('client_id') ?? '')
  if (client === undefined) return { next: 'refused', reason: 'client' }
  const redirectUri = query.get('redirect_uri')
  const returnTo = redirectUri ?? soleAddress(client)
  if (returnTo === undefined || !isRegistered(client, returnTo))
    return { next: 'refused', reason: 'redirect_uri' }
  const state = query.get('state') ?? undefined
  if (state !== undefined && state.length > STATE_MAX) return { next: 'refused', reason: 'request' }
  const found = { returnTo, state }
  const refusal = refusalOf(client, query)
  if (refusal !== undefined) return { next: 'return', to: returnError(ctx, found, ...refusal) }
  const scopes = parseScopes(query.get('scope') ?? '', defaultScopes(client))
  if (scopes === undefined)
    return { next: 'return', to: returnError(ctx, found, 'invalid_scope', 'scope is unknown') }
  const request = {
    ...found,
    client,
    redirectUri,
    scopes,
    nonce: query.get('nonce'),
    challenge: query.get('code_challenge'),
    prompts: promptsOf(query),
  }
  return { next: 'ask', request }
}

type ReturnAddress = Pick<AuthorizationRequest, 'returnTo' | 'state'>

/** `iss` lets an application notice that another server answered (RFC 9207). */
export function returnError(
  { site }: Context,
  { returnTo, state }: ReturnAddress,
  error: string,
  description: string,
): string {
  return withParams(returnTo, { error, error_description: description, state, iss: site.url })
}

export function returnCode({ site }: Context, { returnTo, state }: ReturnAddress, code: string): string {
  return withParams(returnTo, { code, state, iss: site.url })
}

function soleAddress({ redirect_uris }: ApplicationRow): string | undefined {
  return redirect_uris.length === 1 ? redirect_uris[0] : undefined
}

function promptsOf(query: URLSearchParams): ReadonlySet<string> {
  return new Set((query.get('prompt') ?? '').split(' ').filter((it) => it !== ''))
}

type Refused = readonly [error: string, description: string]

function refusalOf(client: ApplicationRow, query: URLSearchParams): Refused | undefined {
  if (query.has('request')) return ['request_not_supported', 'request objects are not supported']
  if (query.has('request_uri')) return ['request_uri_not_supported', 'request objects are not supported']
  const type = query.get('response_type')
  if (type === null || type === '') return ['invalid_request', 'response_type is required']
  if (type !== 'code') return ['unsupported_response_type', 'response_type must be code']
  if ((query.get('response_mode') ?? 'query') !== 'query')
    return ['invalid_request', 'response_mode must be query']
  if ((query.get('nonce') ?? '').length > NONCE_MAX) return ['invalid_request', 'nonce is too long']
  if (query.has('max_age')) return ['invalid_request', 'max_age is not supported']
  const prompts = promptsOf(query)
  if ([...prompts].some((it) => !PROMPTS.has(it)) || (prompts.has('none') && prompts.size > 1))
    return ['invalid_request', 'prompt is invalid']
  return pkceRefusal(client, query)
}

/** Without a method, RFC 7636 means `plain`, which shows the verifier to every reader of the address (D57). */
function pkceRefusal(client: ApplicationRow, query: URLSearchParams): Refused | undefined {
  const challenge = query.get('code_challenge')
  const method = query.get('code_challenge_method')
  if (challenge === null && method === null)
    return client.is_confidential ? undefined : ['invalid_request', 'code_challenge is required']
  if (method !== 'S256') return ['invalid_request', 'code_challenge_method must be S256']
  return challenge !== null && CHALLENGE.test(challenge)
    ? undefined
    : ['invalid_request', 'code_challenge is invalid']
}
