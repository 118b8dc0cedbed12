/** Deletes acts and feed entries after `activity.keep_days`. */
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#platform/context'
import type { CronTask } from '#platform/cron'

const DAY_MS = 86_400_000
const AT_ONCE = 5_000

export const activityTasks: readonly CronTask[] = [
  // Compat: the name of the same task in Gitea.
  { name: 'delete_old_actions', schedule: '@midnight', run: deleteOld },
]

interface Deleted {
  readonly entries: number
  readonly last: Date | null
}

/** Feeds first: an entry without its act is not shown, and would be counted. */
export async function deleteOld(ctx: Context): Promise<void> {
  const days = ctx.config['activity.keep_days']
  if (days === 0) return
  const before = new Date(ctx.now().getTime() - days * DAY_MS)
  await deleteAll(ctx, (from) => deleteEntries({ from, before, limit: AT_ONCE }))
  await deleteAll(ctx, (from) => deleteActs({ from, before, limit: AT_ONCE }))
}

async function deleteAll(ctx: Context, some: (from: Date) => RawBuilder<Deleted>): Promise<void> {
  // Where the last statement ended: its rows stay in the index until the next vacuum, and are not passed over again.
  for (let from = new Date(0); ; ) {
    const { rows } = await some(from).execute(ctx.db)
    const [{ entries, last } = { entries: 0, last: null }] = rows
    if (entries < AT_ONCE || last === null) return
    from = last
  }
}

export interface Range {
  readonly from: Date
  readonly before: Date
  readonly limit: number
}

export function deleteEntries({ from, before, limit }: Range): RawBuilder<Deleted> {
  return sql<Deleted>`with old as materialized (
      select recipient_id, created_at, activity_id from activity_feed
      where created_at >= ${from} and created_at < ${before} order by created_at limit ${limit}),
    gone as (delete from activity_feed using old where activity_feed.recipient_id = old.recipient_id
      and activity_feed.created_at = old.created_at and activity_feed.activity_id = old.activity_id)
    select count(*) as entries, max(created_at) as last from old`
}

export function deleteActs({ from, before, limit }: Range): RawBuilder<Deleted> {
  return sql<Deleted>`with old as materialized (
      select repository_id, id, created_at from activity
      where created_at >= ${from} and created_at < ${before} order by created_at limit ${limit}),
    gone as (delete from activity using old
      where activity.repository_id = old.repository_id and activity.id = old.id)
    select count(*) as entries, max(created_at) as last from old`
}
