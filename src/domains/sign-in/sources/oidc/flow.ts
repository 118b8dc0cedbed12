/** The authorization code flow with PKCE, state and nonce, bound to the browser by a cookie whose digest is its row. */
import type { Static } from 'typebox'
import type { Context } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { dropStep, startStep } from '../identities/steps.ts'
import { GROUPS_MAX, groupsOf, type Profile, SUBJECT_MAX, textOf } from '../profile.ts'
import { isPlainAllowed } from '../records/issuer.ts'
import type { OidcSettings } from '../records/schemas.ts'
import { callbackOf } from '../records/wire.ts'
import type { SourceOf } from '../tables.ts'
import { openClient, openid } from './client.ts'

type Provider = SourceOf<'oidc'>

interface Request {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly to: string
}

/** Where the browser goes, and the token that it keeps meanwhile. */
export async function beginOidc(
  ctx: Context,
  source: Provider,
  to: string,
): Promise<{ readonly to: string; readonly token: string }> {
  const library = await openid()
  const client = await openClient(ctx, source).catch(asFailure(ctx, source))
  const { authorization_endpoint = '' } = client.serverMetadata()
  const endpoint = URL.parse(authorization_endpoint)
  if (endpoint === null || (endpoint.protocol !== 'https:' && !isPlainAllowed(endpoint))) throw failed(source)
  const request: Request = {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
    to,
  }
  const address = library.buildAuthorizationUrl(client, {
    redirect_uri: callbackOf(source, ctx.site),
    scope: [...new Set(['openid', ...source.settings.scopes])].join(' '),
    response_type: 'code',
    state: request.state,
    nonce: request.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: 'S256',
  })
  return { to: address.href, token: await startStep(ctx, source, 'request', request) }
}

/** The person that the provider vouches for. A request is answered once, whatever the answer is. */
export async function finishOidc(
  ctx: Context,
  source: Provider,
  { token, query }: { readonly token: string; readonly query: string },
): Promise<{ readonly profile: Profile; readonly to: string }> {
  const request = (await dropStep(ctx, source, 'request', token)) as Request | undefined
  if (request === undefined) throw invalid('sign-in has expired or was begun in another browser')
  const library = await openid()
  const returned = new URL(callbackOf(source, ctx.site))
  returned.search = query
  try {
    const client = await openClient(ctx, source)
    const tokens = await library.authorizationCodeGrant(client, returned, {
      expectedState: request.state,
      expectedNonce: request.nonce,
      pkceCodeVerifier: request.verifier,
      idTokenExpected: true,
    })
    const { sub, ...claims } = { ...tokens.claims() }
    if (sub === undefined || sub === '' || sub.length > SUBJECT_MAX) throw failed(source)
    const { userinfo_endpoint } = client.serverMetadata()
    const more =
      userinfo_endpoint === undefined || !lacksClaims(claims, source.settings)
        ? {}
        : await library.fetchUserInfo(client, tokens.access_token, sub)
    return { profile: profileOf(source, sub, { ...more, ...claims }), to: request.to }
  } catch (error) {
    return asFailure(ctx, source)(error)
  }
}

type Claims = Readonly<Record<string, unknown>>

function lacksClaims(claims: Claims, { username_claim, groups_claim }: Static<typeof OidcSettings>): boolean {
  return ['email', 'name', username_claim, groups_claim].some((it) => claims[it] === undefined)
}

function profileOf({ settings }: Provider, subject: string, claims: Claims): Profile {
  const groups = groupsOf(claims[settings.groups_claim])
  if (groups === undefined) throw invalid(`a user may have at most ${GROUPS_MAX} groups`)
  return {
    subject,
    login: textOf(claims[settings.username_claim]) || textOf(claims.preferred_username),
    fullName: textOf(claims.name),
    email: claims.email_verified === true ? textOf(claims.email) || null : null,
    groups,
  }
}

function failed({ name }: Pick<Provider, 'name'>): Problem {
  return invalid('the identity provider’s answer was refused, please try again', { source: name })
}

/** What exactly was wrong is for the operator: the browser may belong to an attacker. */
function asFailure(ctx: Context, source: Provider): (error: unknown) => never {
  return (error) => {
    const causes = [error, (error as Error | undefined)?.cause]
    const problem = causes.find((it) => it instanceof Problem)
    const { message, code } = (causes.find((it) => it instanceof Error) ?? {}) as NodeJS.ErrnoException
    ctx.log.warn(
      { source: { name: source.name }, error: { message, code } },
      'answer of an authentication source was refused',
    )
    if (problem?.kind === 'unavailable')
      throw new Problem('unavailable', 'the identity provider cannot be reached, please try again later')
    if (error instanceof Problem) throw error
    throw failed(source)
  }
}
