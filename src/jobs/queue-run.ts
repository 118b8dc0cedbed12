/**
 * One run of the queue: takes jobs until it is told to stop, until its connection breaks, or until PostgreSQL fails over.
 *
 * A run whose connection broke is not trusted any more: PostgreSQL may have given it a job whose name it never heard,
 * or still count a job as its own that it has done; so does a standby that lacks the last commits. Whoever started it stops it and starts another; what the queue
 * holds under the old name is given back when that name falls silent.
 */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger as QueueLogger, type Runner, run, type WorkerEvents } from 'graphile-worker'
import type { Context } from '#platform/context'
import { aside } from '#platform/log'
import type { Pool } from '#platform/pool'
import type { Lane } from './tasks.ts'

const POLL_MS = 1_000
/** How long a run with nothing in hand may take to end. */
const END_MS_MAX = 5_000
const LOOK_MS = 50

export class QueueRun {
  /** What the queue calls it: the holder of the jobs that it has taken. */
  readonly id: string
  /** Resolves when it should be replaced. */
  readonly broken: Promise<void>
  private readonly runner: Runner
  private readonly inHand: ReadonlySet<string>
  private stopping: Promise<void> | undefined

  private constructor(parts: {
    id: string
    broken: Promise<void>
    runner: Runner
    inHand: ReadonlySet<string>
  }) {
    this.id = parts.id
    this.broken = parts.broken
    this.runner = parts.runner
    this.inHand = parts.inHand
  }

  static async start(ctx: Context, pool: Pool, { tasks, concurrency }: Lane): Promise<QueueRun> {
    const events: WorkerEvents = new EventEmitter()
    let id = ''
    const inHand = new Set<string>()
    const { promise: broken, resolve: breakOff } = Promise.withResolvers<void>()
    events.on('pool:create', ({ workerPool }) => {
      id = workerPool.id
    })
    events.on('job:start', ({ job }) => void inHand.add(job.id))
    events.on('job:success', ({ job }) => void inHand.delete(job.id))
    events.on('job:error', ({ job }) => void inHand.delete(job.id))
    events.on('worker:getJob:error', () => breakOff())
    events.on('pool:fatalError', () => breakOff())
    const runner = await run({
      pgPool: forgiving(pool),
      concurrency,
      pollInterval: POLL_MS,
      taskList: tasks,
      logger: toLog(ctx),
      events,
      // Signals are the business of the process, not of one part of it.
      noHandleSignals: true,
      // Without batches the queue waits for nobody to write down how a job ended, and a connection that breaks just
      // then ends the process.
      preset: {
        worker: {
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
          preparedStatements: ctx.config['database.prepared_max'] > 0,
        },
      },
    })
    runner.promise.then(breakOff, breakOff)
    aside(ctx.log, ctx.timeline.changed.then(breakOff))
    return new QueueRun({ id, broken, runner, inHand })
  }

  /** Takes no more jobs, finishes those in hand, and ends. */
  stop(): Promise<void> {
    this.stopping ??= this.end()
    return this.stopping
  }

  /** Once a connection has broken the runner may never say that it has ended, so it is not waited for without end. */
  private async end(): Promise<void> {
    let hasEnded = false
    const ended = () => {
      hasEnded = true
    }
    this.runner.promise.then(ended, ended)
    // It says no when it is stopping already, by itself.
    this.runner.stop().catch(() => undefined)
    for (let idleMs = 0; !hasEnded && idleMs < END_MS_MAX; ) {
      await sleep(LOOK_MS)
      idleMs = this.inHand.size > 0 ? 0 : idleMs + LOOK_MS
    }
  }
}

/**
 * When the connection on which the queue listens breaks while it stops, it gives it back twice, and the pool's
 * complaint would end the process: the second time counts for nothing.
 */
function forgiving(pool: Pool): Pool {
  const connect = (heard?: Parameters<Pool['connect']>[0]) => {
    if (heard === undefined) return pool.connect()
    return pool.connect((error, client, release) => {
      let isReleased = false
      heard(error, client, (reason) => {
        if (!isReleased) release(reason)
        isReleased = true
      })
    })
  }
  return Object.assign(Object.create(pool) as Pool, { connect })
}

function toLog(ctx: Context): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    if (level === 'error') ctx.log.error({ 'job.message': message }, 'job failed')
    if (level === 'warning') ctx.log.warn({ 'job.message': message }, 'queue warning')
  })
}
