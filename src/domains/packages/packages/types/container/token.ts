/**
 * Tokens of `/v2/token`. Registry clients exchange their credentials (a password, an access token or none) for a
 * token that they send with every request. It contains the credentials, sealed for an hour: nothing is stored, and a
 * request with it is authenticated, limited and refused like one with the original credentials.
 */
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Seal } from '#platform/seal'

const PURPOSE = 'package registry token'
const LIVES_S = 3_600
const AUTHORIZATION_MAX = 2_048

interface Sealed {
  readonly authorization: string
  readonly expires_ms: number
}

export function issueRegistryToken(ctx: Context, authorization: string) {
  if (authorization.length > AUTHORIZATION_MAX) throw new Problem('malformed', 'credentials are too long')
  const now = ctx.now()
  const sealed: Sealed = { authorization, expires_ms: now.getTime() + LIVES_S * 1_000 }
  const token = ctx.seal.seal(PURPOSE, JSON.stringify(sealed))
  return { token, access_token: token, expires_in: LIVES_S, issued_at: now.toISOString() }
}

/** Undefined if it is not a registry token or has expired. */
export function readRegistryToken(ctx: Context, token: string): string | undefined {
  const sealed = openSealed(ctx.seal, token)
  return sealed !== undefined && sealed.expires_ms > ctx.now().getTime() ? sealed.authorization : undefined
}

function openSealed(seal: Seal, token: string): Sealed | undefined {
  try {
    return JSON.parse(seal.open(PURPOSE, token)) as Sealed
  } catch {
    return undefined
  }
}
