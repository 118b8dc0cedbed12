/** Finds the account of a token, in one query, because every request does it. */
import { type Account, selectAccounts } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { type Bearer, digestOf } from '../bearer.ts'
import { findJobBearer, isJobToken } from '../jobs/job-tokens.ts'
import { isUseWorthNoting } from '../last-use.ts'

const TOKEN = /^[0-9a-f]{40}$/

/** Queries the database each time: a token revoked on one node is refused by all nodes at once. */
export async function findBearer(ctx: Context, token: string): Promise<Bearer | undefined> {
  if (isJobToken(token)) return findJobBearer(ctx.db, token)
  if (!TOKEN.test(token)) return undefined
  const row = await bearerQuery(ctx.db, token).executeTakeFirst()
  if (row === undefined) return undefined
  const { token_id, token_used_at } = row
  const now = ctx.now()
  if (isUseWorthNoting(token_used_at, now))
    await ctx.db.updateTable('access_token').set({ last_used_at: now }).where('id', '=', token_id).execute()
  return asBearer(row)
}

/** The bearer with current data. Does not record a use, so it writes nothing in the caller's transaction. */
export async function renewBearer(db: Db, token: string): Promise<Bearer | undefined> {
  if (isJobToken(token)) return findJobBearer(db, token)
  const row = await bearerQuery(db, token).executeTakeFirst()
  return row && asBearer(row)
}

function bearerQuery(db: Db, token: string) {
  return selectAccounts(db)
    .innerJoin('access_token', 'access_token.account_id', 'account.id')
    .select([
      'access_token.id as token_id',
      'access_token.scopes',
      'access_token.last_used_at as token_used_at',
    ])
    .where('access_token.digest', '=', digestOf(token))
}

type BearerRow = Account & { token_id: number; scopes: readonly string[]; token_used_at: Date | null }

function asBearer({ token_id, scopes, token_used_at: _, ...account }: BearerRow): Bearer {
  return { account, tokenId: token_id, scopes }
}
