/** Deletes expired logs and expired runs. */
import { sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import type { CronTask } from '#platform/cron'
import { countForgotten } from '../logs/usage.ts'
import { lockRun } from '../record/change.ts'
import { isDone } from '../record/status.ts'
import { removeRun } from '../remove/delete-run.ts'

const DAY_MS = 86_400_000
const AT_ONCE = 500
const RUNS_AT_ONCE = 50

export const retentionTasks: readonly CronTask[] = [
  // Compat: Gitea's `cleanup_actions` is the task of the artifacts slice.
  { name: 'cleanup_action_logs', schedule: '@midnight', run: forgetLogs },
  { name: 'cleanup_action_runs', schedule: '@midnight', run: forgetRuns },
]

/** Detaches the pieces; pieces without a task are swept with their objects. */
async function forgetLogs(ctx: Context): Promise<void> {
  const before = beforeDays(ctx, ctx.config['actions.log_days'])
  if (before === undefined) return
  for (let forgotten = AT_ONCE; forgotten === AT_ONCE; )
    forgotten = await transact(ctx, async (ctx) => {
      const { rows } = await sql<{
        task_id: number
        bytes: number
      }>`update action_log_piece set task_id = null
        from (select object_key, task_id from action_log_piece where task_id is not null and created_at < ${before}
          order by created_at limit ${AT_ONCE} for update) as old
        where action_log_piece.object_key = old.object_key
        returning old.task_id, action_log_piece.bytes`.execute(ctx.db)
      await countForgotten(ctx, rows)
      return rows.length
    })
}

async function forgetRuns(ctx: Context): Promise<void> {
  const before = beforeDays(ctx, ctx.config['actions.run_days'])
  if (before === undefined) return
  for (let found = RUNS_AT_ONCE; found === RUNS_AT_ONCE; ) {
    const old = await ctx.db
      .selectFrom('action_run')
      .select('id')
      .where('stopped_at', '<', before)
      .orderBy('stopped_at')
      .limit(RUNS_AT_ONCE)
      .execute()
    found = old.length
    for (const { id } of old)
      await transact(ctx, async (ctx) => {
        const run = await lockRun(ctx.db, id)
        // The run may have been rerun meanwhile.
        if (run !== undefined && isDone(run.status)) await removeRun(ctx, run)
      })
  }
}

function beforeDays(ctx: Context, days: number): Date | undefined {
  return days === 0 ? undefined : new Date(ctx.now().getTime() - days * DAY_MS)
}
