/** Refused sign-ins beyond the bound of a network and a minute: one record for all of them, once the minute is over. */
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import { insertRecord, REFUSALS_MAX } from './insert.ts'

const AT_ONCE = 1_000

/** Run by cron. */
export async function recordExcess(ctx: Context): Promise<void> {
  while ((await recordSome(ctx)) === AT_ONCE);
}

function recordSome(ctx: Context): Promise<number> {
  return transact(ctx, async (ctx) => {
    const over = ctx.db
      .selectFrom('audit_refusal')
      .select(['network', 'minute'])
      .where('minute', '<', sql<Date>`date_trunc('minute', ${ctx.now()}::timestamptz)`)
      .orderBy('minute')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
    const rows = await ctx.db
      .deleteFrom('audit_refusal')
      .where(sql<boolean>`(network, minute) in (${over})`)
      .returningAll()
      .execute()
    for (const { network, minute, refused } of rows)
      if (refused > REFUSALS_MAX)
        await insertRecord(ctx.db, { ...EXCESS, at: minute, address: network, times: refused - REFUSALS_MAX })
    return rows.length
  })
}

const EXCESS = {
  operation: 'signIn',
  outcome: 'refused',
  problem: 'unauthenticated',
  account_id: null,
  account: null,
  as_id: null,
  as_account: null,
  via: 'anonymous',
  credential: null,
  request_id: null,
  node: hostname(),
  repository_id: null,
  owner_id: null,
  target: '{}',
} as const
