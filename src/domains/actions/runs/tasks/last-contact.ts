/** Time of the last report on a task. */
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#platform/context'

/** Always later than `started_at`, so that `heard_at = started_at` means that the runner has never reported. */
export function lastContactAt(ctx: Pick<Context, 'now'>): RawBuilder<Date> {
  return sql<Date>`greatest(heard_at, ${ctx.now()}::timestamptz, started_at + interval '1 millisecond')`
}
