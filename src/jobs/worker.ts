/**
 * A worker: takes jobs from the queue, starts cron tasks, and frees jobs of dead workers.
 *
 * It polls the queue when this process adds a job, when another process sends a notification, when the next scheduled job
 * is due, and every few seconds in any case.
 */
import { randomUUID } from 'node:crypto'
import { startDueTasks } from '#domains/instance/admin'
import type { Context } from '#platform/context'
import { type Db, openDb } from '#platform/db'
import { aside } from '#platform/log'
import type { Pool } from '#platform/pool'
import { freeLostJobs, type HeldJob, lookAhead, retireWorkers, takeJobs } from '#platform/queue'
import { Lane } from './lane.ts'
import { Listener } from './listener.ts'
import { runTask } from './run-task.ts'
import { type Heartbeat, startHeartbeat } from './start-heartbeat.ts'
import { slotsOf, type Task, type Work } from './tasks.ts'

/** A hint may be lost: then this poll finds the job. */
const LOOK_MS = 5_000
/** Minimum time between two polls for scheduled jobs. */
const LOOK_MS_MIN = 20
const CRON_MS_MAX = 10_000
/** Heartbeats within the time after which a worker counts as dead. */
const BEATS = 4

export function startWorker(ctx: Context, pool: Pool, work: Work): Worker {
  return new Worker(ctx, pool, work)
}

/** Takes jobs until it is stopped. */
export class Worker {
  private readonly ctx: Context
  private readonly db: Db
  private readonly lanes: readonly Lane[]
  private readonly heartbeat: Heartbeat
  private readonly listener: Listener
  private readonly endHints: () => void
  private readonly held = new Set<HeldJob>()
  /** Jobs are held under this name. A failover starts a new one, because job ids are handed out again after it. */
  private id = `worker-${randomUUID()}`
  private isStopping = false
  private looking: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private nextLookAt = Number.POSITIVE_INFINITY
  private lastFreedAt = 0
  private lastCronAt = 0

  constructor(ctx: Context, pool: Pool, work: Work) {
    this.ctx = ctx
    this.db = openDb(pool)
    this.lanes = slotsOf(ctx, work).map(
      ({ tasks, slots }) =>
        new Lane({
          tasks,
          slots,
          take: (kind, count, after) => this.take(kind, count, after),
          run: (task, jobs) => this.run(task, jobs),
          mayTake: () => this.mayTake,
        }),
    )
    this.heartbeat = startHeartbeat(ctx, ctx.config['jobs.dead_after_ms'] / BEATS)
    this.listener = new Listener(ctx, pool, (kind) => this.wake(kind))
    this.endHints = ctx.jobHints.heardBy((kind, waitMs) => this.hear(kind, waitMs))
    this.followTimeline()
    this.lookIn(0)
  }

  /** Finishes the held jobs, then stops. */
  async stop(): Promise<void> {
    this.isStopping = true
    this.endHints()
    clearTimeout(this.timer)
    await this.looking
    // Held jobs may take long, and no other worker may take them meanwhile: the heartbeat continues to the end.
    await Promise.all(this.lanes.map((lane) => lane.settle()))
    await this.listener.stop()
    await this.heartbeat.stop()
    // If this fails, other workers notice the missing heartbeat.
    await retireWorkers(this.db, [this.id]).catch(() => undefined)
  }

  /** Names under which this process holds jobs. */
  private get ids(): string[] {
    return [...new Set([this.id, ...[...this.held].map(({ worker }) => worker)])]
  }

  private get mayTake(): boolean {
    return !this.isStopping && this.ctx.clock.refusal() === undefined
  }

  /** True: this worker takes the job itself. */
  private hear(kind: string, waitMs: number): boolean {
    if (waitMs > 0) this.lookIn(waitMs)
    return waitMs > 0 || this.wake(kind)
  }

  private wake(kind: string): boolean {
    return this.lanes.map((lane) => lane.wake(kind)).includes(true)
  }

  private async take(kind: string, count: number, after: string | null): Promise<HeldJob[]> {
    try {
      const jobs = await takeJobs(this.db, { kind, worker: this.id, count, after })
      for (const job of jobs) this.held.add(job)
      return jobs
    } catch (error) {
      this.ctx.log.warn({ err: error, 'job.kind': kind }, 'queue could not be read')
      return []
    }
  }

  private async run(task: Task, jobs: readonly HeldJob[]): Promise<void> {
    const { ctx } = this
    const startedAt = performance.now()
    await runTask(ctx, this.db, task, jobs)
    ctx.telemetry.jobSeconds.record((performance.now() - startedAt) / 1000, { task: task.kind })
    for (const job of jobs) this.held.delete(job)
  }

  private lookIn(ms: number): void {
    const at = performance.now() + Math.max(ms, LOOK_MS_MIN)
    if (this.isStopping || at >= this.nextLookAt) return
    clearTimeout(this.timer)
    this.nextLookAt = at
    this.timer = setTimeout(() => {
      this.nextLookAt = Number.POSITIVE_INFINITY
      this.looking = this.looking.then(() => this.look())
    }, at - performance.now())
  }

  /** Never rejects: the next poll reads what could not be read now. */
  private async look(): Promise<void> {
    let nextMs = LOOK_MS
    try {
      this.heartbeat.beatFor(this.ids)
      if (this.mayTake) nextMs = await this.lookNow()
    } catch (error) {
      this.ctx.log.warn({ err: error }, 'queue could not be read')
    }
    this.lookIn(nextMs)
  }

  /** In how many milliseconds to poll again. Due jobs come first: a failure of the rest must not keep them waiting. */
  private async lookNow(): Promise<number> {
    await this.listener.listen()
    const nextMs = await this.wakeDue()
    let freed = 0
    const silenceMs = this.ctx.config['jobs.dead_after_ms']
    if (isOver(this.lastFreedAt, silenceMs / BEATS)) {
      this.lastFreedAt = performance.now()
      freed = await this.freeLost(silenceMs)
    }
    if (isOver(this.lastCronAt, Math.min(CRON_MS_MAX, silenceMs))) {
      this.lastCronAt = performance.now()
      await startDueTasks(this.ctx)
    }
    return freed > 0 ? 0 : nextMs
  }

  /** In how many milliseconds the next job is due. */
  private async wakeDue(): Promise<number> {
    let nextMs = LOOK_MS
    for (const { kind, in_ms } of await lookAhead(
      this.db,
      this.lanes.flatMap(({ kinds }) => kinds),
    ))
      if (in_ms <= 0) this.wake(kind)
      else nextMs = Math.min(nextMs, in_ms)
    return nextMs
  }

  private async freeLost(silenceMs: number): Promise<number> {
    const heldIds = [...this.held].map(({ id }) => id)
    const count = await freeLostJobs(this.db, { ids: this.ids, heldIds, silenceMs })
    if (count > 0) this.ctx.log.warn({ 'job.count': count }, 'freed jobs of dead workers')
    return count
  }

  private followTimeline(): void {
    aside(
      this.ctx.log,
      this.ctx.timeline.changed.then(() => {
        this.id = `worker-${randomUUID()}`
        if (!this.isStopping) this.followTimeline()
      }),
    )
  }
}

function isOver(since: number, ms: number): boolean {
  return since === 0 || performance.now() - since >= ms
}
