/** Access tokens: issue, list and revoke. The token is returned once and never stored. */
import { randomBytes } from 'node:crypto'
import type { Account } from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import { type Paged, takePage } from '#platform/db'
import { forbidden, invalid, notFound, Problem } from '#platform/problem'
import type { Page, SignedIn } from '#platform/rest'
import { digestOf } from '../bearer.ts'
import type { KeyOwner } from '../open-owner.ts'
import type { TokenLimits } from '../schemas.ts'
import {
  type CurrentTokenRow,
  deleteTokenById,
  deleteTokenByName,
  findCurrentToken,
  insertToken,
  selectTokens,
} from '../store.ts'
import type { AccessTokenRow } from '../tables.ts'
import { readLimits, storedAs } from './limits.ts'
import { exceeds, normalizeScopes } from './scopes.ts'

const TOKEN_BYTES = 20
export const LAST_SHOWN = 8

export interface TokenWish {
  readonly name: string
  readonly scopes: readonly string[]
  readonly limits?: TokenLimits
  /** Null for a token without an end. */
  readonly endsAt?: Date | null
}

export function listTokens(ctx: Context, owner: KeyOwner, page: Page): Promise<Paged<AccessTokenRow>> {
  return takePage(selectTokens(ctx.db, owner.id), page)
}

/** Issues a token. The caller has checked the right to do so for this account. */
export async function issueToken(
  ctx: Context,
  account: Account,
  wish: TokenWish,
): Promise<{ row: AccessTokenRow; token: string }> {
  const scopes = normalizeScopes(wish.scopes)
  const token = newToken()
  const { limits = {}, endsAt = null } = wish
  if (endsAt !== null && endsAt <= ctx.now()) throw invalid('expires_at is in the past')
  return transact(ctx, async (ctx) => {
    await assertWithinOwnReach(ctx, scopes)
    const restriction = await readLimits(ctx, account, limits, endsAt)
    const row = await insertToken(ctx.db, {
      account_id: account.id,
      name: wish.name,
      digest: digestOf(token),
      last_eight: token.slice(-LAST_SHOWN),
      scopes,
      created_at: ctx.now(),
      last_used_at: null,
      expires_at: endsAt,
      restriction: storedAs(restriction),
    })
    // Compat: 400, not a conflict.
    if (row === undefined) throw new Problem('malformed', 'access token name has been used already')
    // The row locks the account: sessions and tokens that an administrator ended meanwhile issue nothing.
    await ctx.reopen?.(ctx)
    return { row, token }
  })
}

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex')
}

/** Compat: digits are always an id, never a name. */
export async function revokeToken(ctx: Context, owner: KeyOwner, nameOrId: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    const isGone = /^\d+$/.test(nameOrId)
      ? await deleteTokenById(ctx.db, owner.id, Number(nameOrId))
      : await deleteTokenByName(ctx.db, owner.id, nameOrId)
    if (!isGone) throw notFound('access token', nameOrId)
  })
}

/** The token of the current request. */
export async function getCurrentToken(ctx: Context, actor: SignedIn): Promise<CurrentTokenRow> {
  const token = actor.tokenId === null ? undefined : await findCurrentToken(ctx.db, actor.tokenId)
  if (token === undefined) throw new Problem('not_found', 'request has no access token')
  return token
}

export async function revokeCurrentToken(ctx: Context, actor: SignedIn): Promise<void> {
  const { id, account_id } = await getCurrentToken(ctx, actor)
  await transact(ctx, (ctx) => deleteTokenById(ctx.db, account_id, id))
}

/** Invariant: a token never issues a token with more rights than its own, or one that outlives the end of its own. */
async function assertWithinOwnReach(ctx: TxContext, scopes: readonly string[]): Promise<void> {
  const tokenId = ctx.actor?.tokenId ?? null
  if (tokenId === null) return
  const own = await findCurrentToken(ctx.db, tokenId)
  if (own !== undefined && (own.expires_at !== null || own.restriction !== null))
    throw forbidden('a token that ends or is restricted cannot create tokens')
  if (own === undefined || exceeds(scopes, own.scopes))
    throw forbidden('token cannot create a token with more scopes than its own')
}
