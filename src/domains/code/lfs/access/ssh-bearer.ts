/**
 * Tokens of `git-lfs-authenticate`: who has proven an SSH key gets a token for one repository and one operation. It is
 * sealed and short-lived, and says only which key was proven: every request with it looks up the key, its account and
 * their rights again.
 */
import { createHash } from 'node:crypto'
import {
  bearerOf,
  type DeployBearer,
  findPublicKeyByFingerprint,
  type PublicKeyRow,
} from '#domains/code/keys'
import {
  actorOf,
  FACTOR_REQUIRED,
  findAccountById,
  lacksDemandedFactor,
  refusalOf,
} from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden, Problem } from '#platform/problem'
import type { RawBearer } from '#platform/rest'

export type Operation = 'download' | 'upload'

const PURPOSE = 'git lfs token'
const PREFIX = 'glt_'
/** Long enough for a batch; a client asks for another token when it is over. */
export const LIVES_S = 1_800

interface Claims {
  readonly fingerprint: string
  /** Null for a deploy key. */
  readonly accountId: number | null
  readonly repositoryId: number
  readonly operation: Operation
  readonly expiresMs: number
}

export interface SshBearer extends RawBearer {
  readonly claims: Claims
}

/** For a caller who has just proven the key, and may do the operation. */
export function issueSshToken(ctx: Context, claims: Omit<Claims, 'expiresMs'>): string {
  const sealed: Claims = { ...claims, expiresMs: ctx.now().getTime() + LIVES_S * 1_000 }
  return PREFIX + ctx.seal.seal(PURPOSE, JSON.stringify(sealed))
}

export function findSshBearer(ctx: Context, token: string): SshBearer | undefined {
  if (!token.startsWith(PREFIX)) return undefined
  const claims = open(ctx, token.slice(PREFIX.length))
  if (claims === undefined || claims.expiresMs <= ctx.now().getTime())
    throw new Problem('unauthenticated', 'token is not valid any more')
  const name = `lfs ${createHash('sha256').update(claims.fingerprint).digest('hex').slice(0, 16)}`
  return { name, claims, renew: async (ctx) => findSshBearer(ctx, token) }
}

/** The key's account or the deploy key, as of now. */
export async function identifyBySsh(
  ctx: Context,
  { fingerprint, accountId }: Claims,
  operation: Operation,
): Promise<{ readonly ctx: Context; readonly key: DeployBearer | null }> {
  const key = await findPublicKeyByFingerprint(ctx.db, fingerprint)
  // The key may have been deleted and added again, for another account.
  if (key === undefined || key.account_id !== accountId) throw deleted()
  if (key.account_id === null) return { ctx, key: bearerOf(ctx, { ...key, account_id: null }) }
  if (operation === 'upload' && key.is_read_only)
    throw forbidden('the key is read-only: permission to push denied')
  return { ctx: { ...ctx, actor: await actorBy(ctx, key) }, key: null }
}

async function actorBy(ctx: Context, { account_id }: PublicKeyRow) {
  const account = account_id === null ? undefined : await findAccountById(ctx.db, account_id)
  if (account === undefined) throw deleted()
  const refusal = refusalOf(account)
  if (refusal !== null) throw forbidden(refusal)
  if (lacksDemandedFactor(ctx, account)) throw forbidden(FACTOR_REQUIRED)
  return actorOf(account, { publicOnly: false, via: 'token', tokenId: null })
}

function deleted(): Problem {
  return new Problem('unauthenticated', 'public key was deleted')
}

function open(ctx: Context, sealed: string): Claims | undefined {
  try {
    return JSON.parse(ctx.seal.open(PURPOSE, sealed)) as Claims
  } catch {
    return undefined
  }
}
