/** Runs all due jobs and returns: for tests. */
import { randomUUID } from 'node:crypto'
import type { Context } from '#platform/context'
import { type Db, openDb } from '#platform/db'
import type { Pool } from '#platform/pool'
import { lookAhead, takeJobs } from '#platform/queue'
import { runTask } from './run-task.ts'
import { slotsOf, type Task, type Work } from './tasks.ts'

export async function runJobsOnce(ctx: Context, pool: Pool, work: Work): Promise<void> {
  const db = openDb(pool)
  const all = slotsOf(ctx, work).flatMap(({ tasks }) => tasks)
  const tasks = [...all.filter(({ isLate }) => !isLate), ...all.filter(({ isLate }) => isLate)]
  const kinds = tasks.map(({ kind }) => kind)
  const idle = new Set<string>()
  for (;;) {
    const ahead = (await lookAhead(db, kinds)).filter(({ in_ms }) => in_ms <= 0).map(({ kind }) => kind)
    const task = tasks.find(({ kind }) => ahead.includes(kind) && !idle.has(kind))
    if (task === undefined) return
    if (await runSome(ctx, db, task)) idle.clear()
    else idle.add(task.kind)
  }
}

/** False when no job of this task can be taken. */
async function runSome(ctx: Context, db: Db, task: Task): Promise<boolean> {
  const worker = `once-${randomUUID()}`
  const jobs = await takeJobs(db, { kind: task.kind, worker, count: task.jobsAtOnce, after: null })
  if (jobs.length === 0) return false
  await runTask(ctx, db, task, jobs)
  return true
}
