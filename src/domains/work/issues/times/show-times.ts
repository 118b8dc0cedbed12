/** Loads tracked times with everything shown of them: a fixed number of queries. */
import { findAccountsById } from '#domains/people/users'
import type { Context } from '#platform/context'
import { showReadable } from '../records/across.ts'
import type { TrackedTimeRow } from '../tables.ts'
import { presentTime, type TrackedTime } from './wire.ts'

export async function showTimes(ctx: Context, times: readonly TrackedTimeRow[]): Promise<TrackedTime[]> {
  if (times.length === 0) return []
  const issues = await showReadable(
    ctx,
    times.map(({ issue_id }) => issue_id),
  )
  const people = await findAccountsById(ctx.db, [...new Set(times.map(({ user_id }) => user_id))])
  return times.map((time) =>
    presentTime(time, people.get(time.user_id)?.login ?? '', issues.get(time.issue_id) ?? null),
  )
}
