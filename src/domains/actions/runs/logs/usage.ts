/**
 * Counts the bytes of logs for their owners. A running job sends many pieces, and all jobs of an owner would wait for one
 * counter, so a log is counted once, when it has ended.
 */
import { sql } from 'kysely'
import { countRepositoryBytes } from '#domains/code/repositories'
import type { TxContext } from '#platform/context'
import type { RunRow, TaskRow } from '../record/tables.ts'

/** The caller holds the lock of the task, whose log gets no more pieces. Counting it again changes nothing. */
export async function countLog(
  ctx: TxContext,
  task: Pick<TaskRow, 'id' | 'repository_id' | 'counted_log_bytes'>,
): Promise<void> {
  const { bytes } = await ctx.db
    .selectFrom('action_log_piece')
    .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'))
    .where('task_id', '=', task.id)
    .executeTakeFirstOrThrow()
  await ctx.db
    .updateTable('action_task')
    .set({ counted_log_bytes: bytes })
    .where('id', '=', task.id)
    .execute()
  await count(ctx, task.repository_id, bytes - task.counted_log_bytes)
}

/** Before a run is deleted, and its tasks with it. */
export async function countRunLogs(
  ctx: TxContext,
  { id, repository_id }: Pick<RunRow, 'id' | 'repository_id'>,
): Promise<void> {
  const tasks = await ctx.db
    .selectFrom('action_task')
    .innerJoin('action_job', 'action_job.id', 'action_task.job_id')
    .select('counted_log_bytes')
    .where('action_job.run_id', '=', id)
    .forUpdate('action_task')
    .execute()
  await count(ctx, repository_id, -tasks.reduce((sum, task) => sum + task.counted_log_bytes, 0))
}

interface ForgottenLog {
  readonly task_id: number
  readonly bytes: number
}

/** After pieces of logs were detached from their tasks. */
export async function countForgotten(ctx: TxContext, logs: readonly ForgottenLog[]): Promise<void> {
  const { rows } = await sql<{ repository_id: number; bytes: number }>`with forgotten as (
      select task_id, sum(bytes) as bytes from unnest(${logs.map((it) => it.task_id)}::bigint[],
        ${logs.map((it) => it.bytes)}::bigint[]) as piece (task_id, bytes) group by task_id),
    tasks as (
      update action_task set counted_log_bytes = greatest(0, counted_log_bytes - forgotten.bytes)
      from forgotten where action_task.id = forgotten.task_id and counted_log_bytes > 0
      returning repository_id, forgotten.bytes)
    select repository_id, sum(bytes)::bigint as bytes from tasks group by repository_id order by repository_id`.execute(
    ctx.db,
  )
  for (const { repository_id, bytes } of rows) await count(ctx, repository_id, -bytes)
}

function count(ctx: TxContext, repositoryId: number, bytes: number): Promise<void> {
  return countRepositoryBytes(ctx, repositoryId, { counter: 'log_bytes', bytes })
}
