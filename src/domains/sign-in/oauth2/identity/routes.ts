/** What the forge tells applications about itself (discovery, keys), and about the person of a token (user info). */
import { CATEGORIES, findFamilyTokenById } from '#domains/code/keys'
import { findAccountById } from '#domains/people/users'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { asAnybody, asSignedIn, type RawRoute, rawRoute } from '#platform/rest'
import { json } from '../refusal.ts'
import { IDENTITY_SCOPES } from '../scopes.ts'
import { loadClaims } from './claims.ts'
import { ALGORITHM, listKeys } from './signing-keys.ts'

/** Applications request these again now and then; a new key is published days before it signs. */
const KEPT = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' }

const open = {
  method: 'GET',
  scopes: [],
  open: asAnybody,
  // For everybody, so credentials are not read.
  authenticate: async () => ({ authorization: '' }),
} as const

const discovery = (path: string, operationId: string) =>
  rawRoute({
    ...open,
    path,
    operationId,
    handle: async ({ ctx }) => json(metadataOf(ctx), KEPT),
  })

const userInfo = (method: 'GET' | 'POST') =>
  rawRoute({
    method,
    path: '/login/oauth/userinfo',
    operationId: method === 'GET' ? 'oauth2GetUserInfo' : 'oauth2PostUserInfo',
    scopes: [],
    onlyReads: true,
    challenge: 'Bearer realm="OAuth2"',
    open: asSignedIn,
    handle: async ({ ctx, opened }) => {
      const token = opened.tokenId === null ? undefined : await findFamilyTokenById(ctx.db, opened.tokenId)
      if (!token?.scopes.includes('openid')) throw new Problem('forbidden', 'token lacks the scope openid')
      const account = await findAccountById(ctx.db, token.account_id)
      if (account === undefined) throw new Problem('unauthenticated', 'account was deleted')
      return json(await loadClaims(ctx, account, token.scopes))
    },
  })

export const identityRoutes: readonly RawRoute[] = [
  discovery('/.well-known/openid-configuration', 'oauth2GetOpenIdConfiguration'),
  discovery('/.well-known/oauth-authorization-server', 'oauth2GetServerMetadata'),
  rawRoute({
    ...open,
    path: '/login/oauth/keys',
    operationId: 'oauth2GetKeys',
    handle: async ({ ctx }) =>
      json({ keys: (await listKeys(ctx)).map(({ public_jwk }) => public_jwk) }, KEPT),
  }),
  userInfo('GET'),
  userInfo('POST'),
]

function metadataOf({ site: { url } }: Context) {
  const methods = ['client_secret_basic', 'client_secret_post', 'none']
  return {
    issuer: url,
    authorization_endpoint: `${url}/login/oauth/authorize`,
    token_endpoint: `${url}/login/oauth/access_token`,
    jwks_uri: `${url}/login/oauth/keys`,
    userinfo_endpoint: `${url}/login/oauth/userinfo`,
    introspection_endpoint: `${url}/login/oauth/introspect`,
    revocation_endpoint: `${url}/login/oauth/revoke`,
    scopes_supported: [
      ...IDENTITY_SCOPES,
      'all',
      'public-only',
      ...CATEGORIES.flatMap((it) => [`read:${it}`, `write:${it}`]),
    ],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods.slice(0, 2),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [ALGORITHM],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_supported: [
      ...['iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'at_hash', 'name', 'preferred_username', 'profile'],
      ...['picture', 'website', 'locale', 'updated_at', 'email', 'email_verified', 'groups'],
    ],
  }
}
