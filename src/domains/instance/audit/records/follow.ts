/** New records as they appear, for `bloomery audit --follow`. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#platform/context'
import type { AuditRecord } from '../tables.ts'
import { listRecords } from './list-records.ts'

const POLL_MS = 1_000
const AT_ONCE = 1_000
/** A transaction commits this long after its record got its id, at most. */
const LATE_MS = 60_000

/** The newest records, oldest first, and then new ones, until the signal of the context aborts. */
export async function* followRecords(
  ctx: Context,
  { limit, follows }: { readonly limit: number; readonly follows: boolean },
): AsyncGenerator<AuditRecord> {
  const newest = await listRecords(ctx.db, {}, limit)
  yield* newest.toReversed()
  if (!follows) return
  // Transactions commit in another order than their records got ids, so ids seen lately are read again.
  const seen = new Map(newest.map(({ id }) => [id, performance.now()]))
  let floor = newest.length === 0 ? await findNewestId(ctx) : Math.min(...seen.keys()) - 1
  while (!ctx.signal.aborted) {
    const records = await ctx.db
      .selectFrom('audit_record')
      .selectAll()
      .where('id', '>', floor)
      .orderBy('id')
      .limit(AT_ONCE + seen.size)
      .execute()
    for (const record of records) {
      if (seen.has(record.id)) continue
      seen.set(record.id, performance.now())
      yield record
    }
    floor = forget(seen, floor)
    if (records.length < AT_ONCE)
      await sleep(POLL_MS, undefined, { signal: ctx.signal }).catch(() => undefined)
  }
}

async function findNewestId({ db }: Context): Promise<number> {
  const row = await db
    .selectFrom('audit_record')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

/** Returns the new floor: the largest id below which all that was seen is old. */
function forget(seen: Map<number, number>, floor: number): number {
  const before = performance.now() - LATE_MS
  let rising = floor
  for (const [id, at] of [...seen].toSorted(([one], [other]) => one - other)) {
    if (at > before) break
    seen.delete(id)
    rising = id
  }
  return rising
}
