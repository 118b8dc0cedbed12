/** Finds the account of a token, in one query, because every request does it. */
import { type Restriction, UNRESTRICTED } from '#domains/people/access'
import { type Account, selectAccounts } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { Statement } from '#platform/db/statement'
import { type Bearer, digestOf } from '../bearer.ts'
import { findJobBearer, isJobToken } from '../jobs/job-tokens.ts'
import { isUseWorthNoting } from '../last-use.ts'
import type { AccessTokenRow, StoredRestriction } from '../tables.ts'
import { isFamilyToken } from './family-tokens.ts'
import { adoptOldToken } from './old-tokens.ts'

const TOKEN = /^[0-9a-f]{40}$/

/** Queries the database each time: a token revoked on one node is refused by all nodes at once. */
export async function findBearer(
  ctx: Context,
  token: string,
  address: string | null,
): Promise<Bearer | undefined> {
  if (isJobToken(token)) return findJobBearer(ctx.db, token)
  if (!TOKEN.test(token) && !isFamilyToken(token)) return undefined
  const row = (await selectBearer(ctx, token)) ?? (await findMovedIn(ctx, token))
  if (row === undefined) return undefined
  const { token_id, token_used_at } = row
  const now = ctx.now()
  if (isUseWorthNoting(token_used_at, now))
    await ctx.db
      .updateTable('access_token')
      .set({ last_used_at: now, last_used_from: address })
      .where('id', '=', token_id)
      .execute()
  return asBearer(row)
}

/** The bearer with current data. Does not record a use, so it writes nothing in the caller's transaction. */
export async function renewBearer(ctx: Context, token: string): Promise<Bearer | undefined> {
  if (isJobToken(token)) return findJobBearer(ctx.db, token)
  const row = await selectBearer(ctx, token)
  return row && asBearer(row)
}

/** A token of another forge, at its first use here. */
async function findMovedIn(ctx: Context, token: string): Promise<BearerRow | undefined> {
  if (!TOKEN.test(token) || !(await adoptOldToken(ctx, token))) return undefined
  return selectBearer(ctx, token)
}

function selectBearer(ctx: Context, token: string): Promise<BearerRow | undefined> {
  return BEARER.first(ctx.db, { digest: digestOf(token), now: ctx.now() })
}

const BEARER = new Statement((db: Db, { digest, now }: { digest: Buffer; now: Date }) =>
  selectAccounts(db)
    .innerJoin('access_token', 'access_token.account_id', 'account.id')
    .select([
      'access_token.id as token_id',
      'access_token.scopes',
      'access_token.last_used_at as token_used_at',
      'access_token.restriction',
      'access_token.expires_at as token_ends_at',
      'access_token.family_id',
    ])
    .where('access_token.digest', '=', digest)
    .where((eb) =>
      eb.or([eb('access_token.expires_at', 'is', null), eb('access_token.expires_at', '>', now)]),
    ),
)

type BearerRow = Account & {
  token_id: number
  scopes: readonly string[]
  token_used_at: Date | null
  restriction: StoredRestriction | null
  token_ends_at: Date | null
  family_id: number | null
}

function asBearer({
  token_id,
  scopes,
  token_used_at: _,
  restriction: stored,
  token_ends_at: endsAt,
  family_id,
  ...account
}: BearerRow): Bearer {
  const restriction =
    family_id === null ? restrictionOf({ restriction: stored, expires_at: endsAt }) : undefined
  return { account, tokenId: token_id, scopes, ...(restriction && { restriction }) }
}

/** Undefined for a token without limits. */
export function restrictionOf(
  row: Pick<AccessTokenRow, 'restriction' | 'expires_at'>,
): Restriction | undefined {
  if (row.restriction === null && row.expires_at === null) return undefined
  return { ...UNRESTRICTED, ...row.restriction, endsAt: row.expires_at }
}
