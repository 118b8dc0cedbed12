/** ID tokens: signed statements about who signed in, for one application. */
import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { findAccountById } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { ApplicationRow } from '../tables.ts'
import type { Exchanged } from '../tokens/exchange.ts'
import { loadClaims } from './claims.ts'
import { ALGORITHM, getSigner } from './signing-keys.ts'

const HALF_BYTES = 16

/** Undefined where the application did not ask for `openid`, or the account was deleted meanwhile. */
export async function makeIdToken(
  ctx: Context,
  client: ApplicationRow,
  { scopes, accountId, accessToken, expiresInS, nonce }: Exchanged,
): Promise<string | undefined> {
  if (!scopes.includes('openid')) return undefined
  const account = await findAccountById(ctx.db, accountId)
  if (account === undefined) return undefined
  const { kid, key } = await getSigner(ctx)
  const now = Math.floor(ctx.now().getTime() / 1000)
  const claims = {
    ...(await loadClaims(ctx, account, scopes)),
    ...(nonce !== null && { nonce }),
    at_hash: createHash('sha256').update(accessToken).digest().toString('base64url', 0, HALF_BYTES),
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
    .setIssuer(ctx.site.url)
    .setAudience(client.client_id)
    .setIssuedAt(now)
    .setExpirationTime(now + expiresInS)
    .sign(key)
}
