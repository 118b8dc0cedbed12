/** Deletes events past their retention. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import { deleteInParts } from '#platform/db'

/** Longer than any job is retried, so that no event is deleted before its delivery. */
const KEPT_DAYS = 30
const DAY_MS = 86_400_000

export async function sweepEvents(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - KEPT_DAYS * DAY_MS)
  await deleteInParts(ctx.db, 'event', sql<boolean>`created_at < ${before}`)
}
