/** Ends tasks: by report of the runner, or because the job was ended. Ended tasks do not change. */
import { sql } from 'kysely'
import { revokeJobTokens } from '#domains/code/keys'
import type { TxContext } from '#platform/context'
import { orderJoin } from '../logs/join-log.ts'
import type { Result } from '../record/status.ts'

/** Results of steps without a reported end: of those that were running, and of those that had not begun. */
const OPEN_STEPS: Readonly<Record<Result, readonly [running: Result, waiting: Result]>> = {
  success: ['success', 'skipped'],
  failure: ['failure', 'skipped'],
  cancelled: ['cancelled', 'cancelled'],
  skipped: ['skipped', 'skipped'],
}

/** Ends the unfinished tasks of these jobs, with their steps, tokens and logs. Callers have locked the run. */
export async function endTasks(
  ctx: TxContext,
  jobIds: readonly number[],
  status: Result,
  isLost = false,
): Promise<void> {
  if (jobIds.length === 0) return
  const now = ctx.now()
  const ended = await ctx.db
    .updateTable('action_task')
    .set({ status, is_lost: isLost, stopped_at: now })
    .where('job_id', '=', sql<number>`any(${[...jobIds]}::bigint[])`)
    .where('status', 'in', ['running', 'cancelling'])
    .returning('id')
    .execute()
  const ids = ended.map(({ id }) => id)
  if (ids.length === 0) return
  const [running, waiting] = OPEN_STEPS[status]
  await ctx.db
    .updateTable('action_step')
    .set({
      status: sql<Result>`case when status = 'running' then ${running} else ${waiting} end`,
      stopped_at: now,
      // Compat: a cancelled step has a start time.
      ...(status === 'cancelled' && { started_at: sql<Date>`coalesce(started_at, ${now}::timestamptz)` }),
    })
    .where('task_id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('status', 'in', ['running', 'waiting'])
    .execute()
  await revokeJobTokens(ctx, ids)
  await orderJoin(ctx, ids)
}
