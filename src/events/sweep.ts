/** Deletes events past their retention. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'

/** Longer than any job is retried, so that no event is deleted before its delivery. */
const KEPT_DAYS = 30
const DAY_MS = 86_400_000
const AT_ONCE = 5_000

export async function sweepEvents(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - KEPT_DAYS * DAY_MS)
  for (let swept = AT_ONCE; swept === AT_ONCE; ) {
    const { numAffectedRows } = await sql`delete from event where id in
      (select id from event where created_at < ${before} order by created_at limit ${AT_ONCE})`.execute(
      ctx.db,
    )
    swept = Number(numAffectedRows)
  }
}
