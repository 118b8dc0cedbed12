/** All tasks of the queue: delivery of events, cron, maintenance of repositories, and the job kinds of slices. */
import { CRON_JOB } from '#domains/instance/admin'
import { DELIVER_JOB, DELIVER_LATE_JOB, DELIVER_TO_JOB } from '#events'
import type { Consumer } from '#events/consumer'
import { deliverAll, deliverTo } from '#events/deliver'
import { MAINTENANCE_JOB, type MaintenanceOrder, maintain } from '#git'
import type { Config } from '#platform/config'
import type { Context } from '#platform/context'
import type { CronTask } from '#platform/cron'
import { must } from '#platform/must'
import { type HeldJob, type JobKind, tracedJob, UnknownToThisVersion } from '#platform/queue'

export interface Work {
  readonly consumers: readonly Consumer[]
  readonly tasks: readonly CronTask[]
  readonly jobs: readonly JobKind[]
}

/** How jobs of one kind are run. */
export interface Task {
  readonly kind: string
  readonly isLate: boolean
  /** How many jobs are passed to one run. */
  readonly jobsAtOnce: number
  /**
   * Jobs that the run did not end itself are ended after it. If it throws, the jobs have failed. Each job has its own span:
   * see `tracedJob`.
   */
  run(ctx: Context, jobs: readonly HeldJob[]): Promise<void>
}

/** Kinds that share slots. */
export interface Slots {
  readonly tasks: readonly Task[]
  readonly slots: number
}

/** With more, the last ones of a run would wait too long. */
const DELIVERED_AT_ONCE = 20

/**
 * Events have their own slots, so notifications wait behind no other job. Consumers that start workflow runs mostly wait
 * for git, so they have twice as many. Kinds with the same `concurrency` function share slots, and all other kinds share
 * the rest.
 */
export function slotsOf(ctx: Pick<Context, 'config'>, work: Work): Slots[] {
  const slots = ctx.config['jobs.concurrency']
  const consumers = new Map(work.consumers.map((consumer) => [consumer.name, consumer]))
  const deliver: Task = {
    kind: DELIVER_JOB,
    isLate: false,
    jobsAtOnce: DELIVERED_AT_ONCE,
    run: (ctx, jobs) => deliverAll(ctx, consumers, jobs),
  }
  const deliverOne = one(DELIVER_TO_JOB, (ctx, _payload, job) => deliverTo(ctx, consumers, job))
  const deliverLate = { ...deliverOne, kind: DELIVER_LATE_JOB, isLate: true }
  const cron = one(CRON_JOB, async (ctx, payload) => {
    const { task } = payload as { task: string }
    const found = work.tasks.find(({ name }) => name === task)
    if (found === undefined) throw new UnknownToThisVersion(`unknown task ${task}`)
    await found.run(ctx)
  })
  const maintenance = {
    ...one(MAINTENANCE_JOB, (ctx, payload) => maintain(ctx, payload as MaintenanceOrder)),
    isLate: true,
  }
  const shared = work.jobs.filter(({ concurrency }) => concurrency === undefined).map(taskOf)
  const apart = Map.groupBy(work.jobs, ({ concurrency }) => concurrency)
  return [
    { tasks: [deliver], slots },
    { tasks: [deliverOne], slots: slots * 2 },
    { tasks: [cron, maintenance, deliverLate, ...shared], slots },
    ...[...apart].flatMap(([concurrency, kinds]): Slots[] =>
      concurrency === undefined ? [] : [{ tasks: kinds.map(taskOf), slots: concurrency(ctx.config) }],
    ),
  ]
}

/** All kinds that a worker of this version takes. */
export function kindsOf(config: Config, work: Work): ReadonlySet<string> {
  return new Set(slotsOf({ config }, work).flatMap(({ tasks }) => tasks.map(({ kind }) => kind)))
}

function taskOf(kind: JobKind): Task {
  return { ...one(kind.name, (ctx, payload) => kind.run(ctx, payload)), isLate: kind.isLate ?? false }
}

function one(kind: string, run: (ctx: Context, payload: unknown, job: HeldJob) => Promise<void>): Task {
  return {
    kind,
    isLate: false,
    jobsAtOnce: 1,
    run: (ctx, jobs) => {
      const job = must(jobs[0], 'a run has a job')
      return tracedJob(ctx, job, () => run(ctx, job.payload, job))
    },
  }
}
