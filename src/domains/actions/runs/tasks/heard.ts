/** When a task was last heard of. */
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#platform/context'

/** Later than its start, however soon that is: one that was heard of is never taken for one that was not. */
export function heardAt(ctx: Pick<Context, 'now'>): RawBuilder<Date> {
  return sql<Date>`greatest(heard_at, ${ctx.now()}::timestamptz, started_at + interval '1 millisecond')`
}
