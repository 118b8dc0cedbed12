/** Tasks end because somebody ended the job. What has ended stays as it is. */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import type { Result } from '../record/status.ts'

/** Ends the unfinished tasks of these jobs, and their steps. Whoever calls has locked the run. */
export async function endTasks(ctx: TxContext, jobIds: readonly number[], status: Result): Promise<void> {
  if (jobIds.length === 0) return
  const ended = await ctx.db
    .updateTable('action_task')
    .set({ status, stopped_at: ctx.now() })
    .where('job_id', '=', sql<number>`any(${[...jobIds]}::bigint[])`)
    .where('status', 'in', ['running', 'cancelling'])
    .returning('id')
    .execute()
  const ids = ended.map(({ id }) => id)
  await ctx.db
    .updateTable('action_step')
    .set({ status, stopped_at: ctx.now() })
    .where('task_id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('status', 'in', ['running', 'waiting'])
    .execute()
}
