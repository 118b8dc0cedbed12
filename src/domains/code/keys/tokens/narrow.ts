/**
 * Tokens made from tokens: within their parent in every way, for minutes, and ended with it by a foreign key. A client
 * that holds a token hands out a smaller one for one task.
 */
import { isOwnerWithin, isWithin, narrowed, type Restriction, UNRESTRICTED } from '#domains/people/access'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { digestOf } from '../bearer.ts'
import type { CreateNarrowedToken } from '../schemas.ts'
import { insertToken } from '../store.ts'
import type { AccessTokenRow } from '../tables.ts'
import { readLimits, storedAs } from './limits.ts'
import { exceeds, normalizeScopes } from './scopes.ts'
import { LAST_SHOWN, newToken } from './tokens.ts'

/** Tokens that one parent has at a time. */
const CHILDREN_MAX = 20
const NAME_MAX = 200

export async function narrowToken(
  ctx: Context,
  actor: SignedIn,
  wish: CreateNarrowedToken,
): Promise<{ row: AccessTokenRow; token: string }> {
  const token = newToken()
  const digest = digestOf(token)
  return transact(ctx, async (ctx) => {
    const parent = await lockParent(ctx, actor)
    const scopes = wish.scopes === undefined ? parent.scopes : normalizeScopes(wish.scopes)
    if (exceeds(scopes, parent.scopes))
      throw forbidden('token cannot create a token with more scopes than its own')
    const restriction = await restrict(ctx, actor, parent, wish)
    const row = await insertToken(ctx.db, {
      account_id: parent.account_id,
      name: `${parent.name.slice(0, NAME_MAX)} ${digest.toString('hex', 0, 8)}`,
      digest,
      last_eight: token.slice(-LAST_SHOWN),
      scopes: [...scopes],
      created_at: ctx.now(),
      last_used_at: null,
      expires_at: restriction.endsAt,
      restriction: storedAs(restriction),
      parent_id: parent.id,
    })
    if (row === undefined) throw new Problem('conflict', 'token was created concurrently, please try again')
    return { row, token }
  })
}

/** With its row locked, the parent can neither be revoked nor get another child until the transaction ends. */
async function lockParent(ctx: TxContext, actor: SignedIn): Promise<AccessTokenRow> {
  const parent =
    actor.tokenId === null
      ? undefined
      : await ctx.db
          .selectFrom('access_token')
          .selectAll()
          .where('id', '=', actor.tokenId)
          .forUpdate()
          .executeTakeFirst()
  if (parent === undefined) throw new Problem('not_found', 'request has no access token')
  if (parent.parent_id !== null) throw forbidden('a token that a token made cannot make another one')
  await ctx.db
    .deleteFrom('access_token')
    .where('parent_id', '=', parent.id)
    .where('expires_at', '<=', ctx.now())
    .execute()
  const { held } = await ctx.db
    .selectFrom('access_token')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('parent_id', '=', parent.id)
    .executeTakeFirstOrThrow()
  if (Number(held) >= CHILDREN_MAX)
    throw new Problem('too_many', 'token has too many tokens of its own, try again later', {
      retryAfterS: 60,
    })
  return parent
}

/** What the parent and the request both permit. A request for more is refused, and not silently cut. */
async function restrict(
  ctx: TxContext,
  actor: SignedIn,
  parent: AccessTokenRow,
  wish: CreateNarrowedToken,
): Promise<Restriction> {
  const outer: Restriction = { ...UNRESTRICTED, ...parent.restriction, endsAt: parent.expires_at }
  const endsAt = new Date(ctx.now().getTime() + wish.seconds * 1000)
  const limits = await readLimits(ctx, actor.account, wish, endsAt)
  const inner = narrowed(outer, limits)
  const asked: Restriction = {
    ...inner,
    units: limits.units ?? inner.units,
    refs: limits.refs.length === 0 ? inner.refs : limits.refs,
    addresses: limits.addresses.length === 0 ? inner.addresses : limits.addresses,
  }
  const isElsewhere = limits.places.some(({ owners }) => owners.some((id) => !isOwnerWithin(outer, id)))
  if (isElsewhere || !isWithin(asked, outer))
    throw forbidden('token cannot create a token that permits more than itself')
  return inner
}
