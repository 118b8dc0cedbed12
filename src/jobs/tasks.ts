/** What the queue can be asked to do: deliver an event to a consumer, run a cron task, look after a repository. */
import type { TaskList } from 'graphile-worker'
import { CRON_JOB } from '#domains/admin'
import { DELIVER_TASK } from '#events'
import { type Consumer, deliver } from '#events/consumer'
import { MAINTENANCE_TASK, type MaintenanceOrder, maintain } from '#git'
import type { Context } from '#platform/context'
import type { CronTask } from '#platform/cron'
import type { JobKind } from '#platform/queue'

export interface Work {
  readonly consumers: readonly Consumer[]
  readonly tasks: readonly CronTask[]
  readonly jobs: readonly JobKind[]
}

/** Workers that take some kinds of jobs and no others. */
export interface Lane {
  readonly tasks: TaskList
  readonly concurrency: number
}

/** One for the kinds of jobs that have workers of their own together, and one for all the others. */
export function lanesOf(ctx: Context, work: Work): Lane[] {
  const shared: Lane = {
    tasks: taskList(ctx, { ...work, jobs: work.jobs.filter((kind) => kind.concurrency === undefined) }),
    concurrency: ctx.config['jobs.concurrency'],
  }
  const groups = Map.groupBy(work.jobs, (kind) => kind.concurrency)
  const apart = [...groups].flatMap(([concurrency, kinds]): Lane[] =>
    concurrency === undefined ? [] : [{ tasks: jobTasks(ctx, kinds), concurrency: concurrency(ctx.config) }],
  )
  return [shared, ...apart]
}

export function taskList(ctx: Context, work: Work): TaskList {
  return {
    [DELIVER_TASK]: timed(ctx, DELIVER_TASK, async (payload) => {
      const { event_id, consumer } = payload as { event_id: number; consumer: string }
      const found = work.consumers.find(({ name }) => name === consumer)
      // Another version may know it: failing puts the job back for whoever does.
      if (found === undefined) throw new Error(`unknown consumer ${consumer}`)
      await deliver(ctx, found, event_id)
    }),
    [CRON_JOB]: timed(ctx, CRON_JOB, async (payload) => {
      const { task } = payload as { task: string }
      const found = work.tasks.find(({ name }) => name === task)
      if (found === undefined) throw new Error(`unknown task ${task}`)
      await found.run(ctx)
    }),
    [MAINTENANCE_TASK]: timed(ctx, MAINTENANCE_TASK, (payload) => maintain(ctx, payload as MaintenanceOrder)),
    ...jobTasks(ctx, work.jobs),
  }
}

function jobTasks(ctx: Context, jobs: readonly JobKind[]): TaskList {
  return Object.fromEntries(jobs.map((kind) => [kind.name, timed(ctx, kind.name, (it) => kind.run(ctx, it))]))
}

function timed(ctx: Context, name: string, run: (payload: unknown) => Promise<void>) {
  return async (payload: unknown) => {
    const startedAt = performance.now()
    try {
      await ctx.telemetry.traced(`job ${name}`, {}, () => run(payload))
    } finally {
      ctx.telemetry.jobSeconds.record((performance.now() - startedAt) / 1000, { task: name })
    }
  }
}
