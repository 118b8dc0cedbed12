/** Tasks that belong to no noun: sweeping what has had its time, and the names that clients expect to find. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import type { CronTask } from '#platform/cron'

/** Longer than any job is tried, so that no event is swept from under its delivery. */
const EVENT_DAYS = 30
const SWEEP_ROWS_MAX = 50_000

async function sweepEvents(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - EVENT_DAYS * 86_400_000)
  await sql`delete from event where id in
    (select id from event where created_at < ${before} order by created_at limit ${SWEEP_ROWS_MAX})`.execute(
    ctx.db,
  )
}

/** What these look after arrives with later slices; until then there is nothing of it, and they are done at once. */
async function nothingToLookAfter(): Promise<void> {}

export const adminTasks: readonly CronTask[] = [
  { name: 'update_mirrors', schedule: '@every 10m', run: nothingToLookAfter },
  { name: 'deleted_branches_cleanup', schedule: '@midnight', run: nothingToLookAfter },
  { name: 'git_gc_repos', schedule: '', run: nothingToLookAfter },
  { name: 'start_schedule_tasks', schedule: '@every 1m', run: nothingToLookAfter },
  { name: 'sweep_events', schedule: '@midnight', run: sweepEvents },
]
