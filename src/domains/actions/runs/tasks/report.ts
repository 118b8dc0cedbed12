/**
 * Reports of runners on tasks: heartbeats, steps, outputs and the end. Only the end changes the job, so only then is
 * its run locked.
 */
import { sql } from 'kysely'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { notFound } from '#platform/problem'
import { hideSecrets } from '../logs/hide-secrets.ts'
import { changeJobs, lockRun } from '../record/change.ts'
import { isDone, type Result } from '../record/status.ts'
import type { TaskRow } from '../record/tables.ts'
import { endTasks } from './end-tasks.ts'
import { lastContactAt } from './last-contact.ts'
import { OUTPUT_LENGTH_MAX, OUTPUT_NAME_MAX, OUTPUTS_LENGTH_MAX, OUTPUTS_MAX, STEPS_MAX } from './limits.ts'

export interface StepReport {
  readonly position: number
  /** Undefined while the step runs. */
  readonly result: Result | undefined
  readonly started_at: Date | null
  readonly stopped_at: Date | null
  readonly log_index: number
  readonly log_length: number
}

export interface TaskReport {
  readonly task_id: number
  readonly result: Result | undefined
  readonly steps: readonly StepReport[]
  readonly outputs: Readonly<Record<string, string>>
}

export interface Told {
  /** Set if the runner has to stop or has ended the task; undefined while it runs. */
  readonly result: Result | undefined
  /** Names of outputs that need not be sent again. */
  readonly outputs: readonly string[]
}

type Task = Pick<TaskRow, 'id' | 'status' | 'job_id' | 'sealed_masks'> & {
  readonly run_id: number
  readonly outputs: Readonly<Record<string, string>>
}

export async function reportTask(ctx: Context, runnerId: number, report: TaskReport): Promise<Told> {
  const task = await findTask(ctx.db, runnerId, report.task_id)
  if (task === undefined) throw notFound('task', report.task_id)
  if (isDone(task.status)) return tell(task.status, task.outputs, report)
  const said = await withoutSecrets(ctx, task, report.outputs)
  const isNews =
    report.result !== undefined || Object.keys(said).some((name) => !Object.hasOwn(task.outputs, name))
  return transact(ctx, async (ctx) => {
    const run = isNews ? await lockRun(ctx.db, task.run_id) : undefined
    if (!(await touch(ctx, task.id))) {
      // The task ended meanwhile, so the report is ignored.
      const ended = await findTask(ctx.db, runnerId, task.id)
      return tell(ended?.status ?? 'cancelled', ended?.outputs ?? {}, report)
    }
    await updateSteps(ctx.db, task.id, report.steps)
    if (run === undefined) return tell(task.status, task.outputs, report)
    const job = await ctx.db
      .selectFrom('action_job')
      .select(['id', 'status', 'attempt', 'outputs'])
      .where('id', '=', task.job_id)
      .executeTakeFirstOrThrow()
    // Merged with the current outputs: a concurrent report of the same task may have added some.
    const outputs = keptOutputs(job.outputs, said)
    await ctx.db
      .updateTable('action_job')
      .set({ outputs: JSON.stringify(outputs) })
      .where('id', '=', job.id)
      .execute()
    if (report.result === undefined) return tell(task.status, outputs, report)
    // A job that is being cancelled ends as cancelled, even if the runner reports success.
    const result = job.status === 'cancelling' ? 'cancelled' : report.result
    await endTasks(ctx, [job.id], result)
    await changeJobs(ctx, run, [{ job, set: { status: result } }])
    return tell(result, outputs, report)
  })
}

/** A task that is being cancelled gets the same answer as a cancelled one: the runner has to stop. */
function tell(status: TaskRow['status'], stored: Readonly<Record<string, string>>, report: TaskReport): Told {
  const result = status === 'running' ? undefined : status === 'cancelling' ? 'cancelled' : status
  // Includes the names of dropped outputs: a runner sends again what is not acknowledged.
  return { result, outputs: [...new Set([...Object.keys(stored), ...Object.keys(report.outputs)])] }
}

function findTask(db: Db, runnerId: number, taskId: number): Promise<Task | undefined> {
  return db
    .selectFrom('action_task')
    .innerJoin('action_job', 'action_job.id', 'action_task.job_id')
    .select(['action_task.id', 'action_task.status', 'action_task.job_id', 'action_task.sealed_masks'])
    .select(['action_job.run_id', 'action_job.outputs'])
    .where('action_task.id', '=', taskId)
    .where('action_task.runner_id', '=', runnerId)
    .executeTakeFirst()
}

/** False if the task has ended. */
async function touch(ctx: TxContext, id: number): Promise<boolean> {
  const touched = await ctx.db
    .updateTable('action_task')
    .set({ heard_at: lastContactAt(ctx) })
    .where('id', '=', id)
    .where('status', 'in', ['running', 'cancelling'])
    .returning('id')
    .executeTakeFirst()
  return touched !== undefined
}

/** Steps that the workflow does not have are ignored. */
async function updateSteps(tx: Tx, taskId: number, steps: readonly StepReport[]): Promise<void> {
  if (steps.length === 0) return
  const rows = steps.slice(0, STEPS_MAX).map((step) => ({
    ...step,
    status: step.result ?? (step.started_at === null ? 'waiting' : 'running'),
  }))
  await sql`update action_step set status = said.status, started_at = said.started_at, stopped_at = said.stopped_at,
      log_index = said.log_index, log_length = said.log_length
    from json_to_recordset(${JSON.stringify(rows)}::json) as said (position bigint, status text,
      started_at timestamptz, stopped_at timestamptz, log_index bigint, log_length bigint)
    where action_step.task_id = ${taskId} and action_step.position = said.position
      and (action_step.status, action_step.log_index, action_step.log_length)
        is distinct from (said.status, said.log_index, said.log_length)`.execute(tx)
}

/** Drops outputs that contain a secret, because other jobs and reruns can read them. */
async function withoutSecrets(
  ctx: Context,
  { sealed_masks }: Task,
  outputs: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const said = Object.entries(outputs)
  // No secret contains a NUL character, so no match spans two outputs.
  const values = said.flatMap(([, value]) => [value, '\0'])
  const { lines } = await hideSecrets(ctx, sealed_masks, values)
  return Object.fromEntries(said.filter(([, value], i) => lines[2 * i] === value))
}

/** The first value of an output wins. */
function keptOutputs(
  stored: Readonly<Record<string, string>>,
  said: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept: Record<string, string> = { ...stored }
  let length = Object.entries(stored).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  for (const [name, value] of Object.entries(said)) {
    if (Object.hasOwn(kept, name) || Object.keys(kept).length >= OUTPUTS_MAX) continue
    if (name.length > OUTPUT_NAME_MAX || value.length > OUTPUT_LENGTH_MAX || value.includes('\0')) continue
    length += name.length + value.length
    if (length > OUTPUTS_LENGTH_MAX) break
    kept[name] = value
  }
  return kept
}
