/**
 * Cron: every task is a row of `cron_task`, so that it runs once in the cluster, whatever the number of nodes.
 *
 * A node that finds a due task locks its row, sets its next time and adds the job, in one transaction; a second node
 * finds the row locked or no longer due.
 */
import { sql } from 'kysely'
import { type Context, type TxContext, transact } from '#platform/context'
import { type CronTask, nextRun } from '#platform/cron'
import { type Paged, takePage } from '#platform/db'
import { notFound } from '#platform/problem'
import { addJobs } from '#platform/queue'
import type { Page, SiteAdmin } from '#platform/rest'
import type { CronTaskRow } from './tables.ts'

/** The kind of job that runs a cron task. */
export const CRON_JOB = 'cron'

/** Syncs the rows with the code. Unknown rows are kept: a newer version may be running at the same time. */
export async function planTasks(ctx: Context, tasks: readonly CronTask[]): Promise<void> {
  await transact(ctx, async (ctx) => {
    for (const [position, { name, schedule }] of tasks.entries()) {
      const next_at = nextRun(schedule, ctx.now())
      await ctx.db
        .insertInto('cron_task')
        .values({ name, position, schedule, next_at, prev_at: null })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({
            position,
            schedule,
            next_at: sql`case when cron_task.schedule = ${schedule} then cron_task.next_at else ${next_at} end`,
          }),
        )
        .execute()
    }
  })
}

/** Starts due tasks. Every worker calls it every few seconds. */
export async function startDueTasks(ctx: Context): Promise<void> {
  const next = await ctx.db
    .selectFrom('cron_task')
    .select('name')
    .where('next_at', '<=', ctx.now())
    .limit(1)
    .executeTakeFirst()
  if (next === undefined) return
  await transact(ctx, async (ctx) => {
    const due = await ctx.db
      .selectFrom('cron_task')
      .selectAll()
      .where('next_at', '<=', ctx.now())
      .orderBy('next_at')
      .limit(20)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const task of due) await start(ctx, task, nextRun(task.schedule, ctx.now()))
  })
}

export function listTasks(ctx: Context, page: Page): Promise<Paged<CronTaskRow>> {
  return takePage(ctx.db.selectFrom('cron_task').selectAll().orderBy('position'), page)
}

/** Runs a task now, without changing its schedule. */
export async function runTask(ctx: Context, _admin: SiteAdmin, name: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    const task = await ctx.db
      .selectFrom('cron_task')
      .selectAll()
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirst()
    if (task === undefined) throw notFound('task', name)
    await start(ctx, task, task.next_at)
  })
}

/** The job key keeps a task from being queued twice. */
async function start(ctx: TxContext, task: CronTaskRow, next_at: Date | null): Promise<void> {
  await ctx.db
    .updateTable('cron_task')
    .set({ prev_at: ctx.now(), next_at, runs: task.runs + 1 })
    .where('name', '=', task.name)
    .execute()
  const job = { kind: CRON_JOB, payload: { task: task.name }, key: `cron:${task.name}`, attemptsMax: 1 }
  await addJobs(ctx, [job])
}
