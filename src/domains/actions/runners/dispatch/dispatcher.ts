/**
 * Hands out jobs to the runners that wait on this node. The cost does not depend on the number of runners: the node
 * queries for jobs at intervals and on `WAITING_HINT`, and serves all waiting runners in one transaction.
 */
import {
  classOf,
  isAnyWaiting,
  orderStopLostTasks,
  TAKEN_AT_ONCE,
  type TakenTask,
  takeJobs,
  WAITING_HINT,
} from '#domains/actions/runs'
import { type Context, type TxContext, transact } from '#platform/context'
import { aside } from '#platform/log'
import { listEnabled } from '../record/store.ts'
import type { RunnerRow } from '../record/tables.ts'
import { Callers } from './callers.ts'
import { detached, Heartbeats } from './heartbeats.ts'

declare module '#platform/context' {
  interface World {
    readonly dispatcher: Dispatcher
  }
}

/** A request that waits for a job. A runner sends one for each job it has capacity for. */
interface Waiting extends RunnerRow {
  readonly take: (taken: TakenTask | undefined) => void
  /** The request was aborted or has timed out. */
  readonly isLate: () => boolean
}

/** A request that had been chosen for a job ended before the commit. */
class LeftMeanwhile extends Error {}

/** Collects requests that arrive together, so that they are served in one transaction. */
const GATHER_MS = 5

export class Dispatcher {
  readonly callers = new Callers()
  readonly heartbeats = new Heartbeats()
  private readonly waiting = new Set<Waiting>()
  /** Requests for which a transaction looks for jobs; they stay open past their timeout. */
  private served: ReadonlySet<Waiting> = new Set()
  /** Those of them with a job, while it is committed; they stay open also when their client is gone. */
  private promised: ReadonlySet<Waiting> = new Set()
  /**
   * How many jobs a transaction hands out at most. Halved when clients left during one, because on a slow machine or
   * database many jobs take longer than a client waits.
   */
  private atOnce = TAKEN_AT_ONCE
  private stop: (() => void) | undefined
  private poll: (() => void) | undefined
  private isPolling = false
  private isDue = false
  /**
   * Classes of runners for which the last query found no job and no hint has arrived since; 'all' if no job waited at
   * all.
   */
  private noJobFor: 'all' | ReadonlySet<string> = new Set()

  get size(): number {
    return this.waiting.size
  }

  /** Waits for a job for at most `ms`; undefined if there is none for this runner. */
  wait(ctx: Context, runner: RunnerRow, ms: number): Promise<TakenTask | undefined> {
    const { promise, resolve } = Promise.withResolvers<TakenTask | undefined>()
    const { signal } = ctx
    const end = (taken: TakenTask | undefined) => {
      this.waiting.delete(waiting)
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      if (this.size === 0) this.rest()
      resolve(taken)
    }
    const leave = () => {
      if (!this.promised.has(waiting)) end(undefined)
    }
    const giveUp = () => {
      if (!this.served.has(waiting)) leave()
    }
    const endsAt = performance.now() + ms
    const isLate = () => signal.aborted || performance.now() >= endsAt
    const waiting: Waiting = { ...runner, take: end, isLate }
    const timer = setTimeout(giveUp, ms)
    signal.addEventListener('abort', leave)
    this.waiting.add(waiting)
    this.stop ??= this.begin(ctx)
    if (this.noJobFor !== 'all' && !this.noJobFor.has(classOf(runner))) this.poll?.()
    if (signal.aborted) leave()
    return promise
  }

  close(): void {
    this.heartbeats.close()
    this.rest()
  }

  /** Without waiting runners the node neither subscribes nor polls. */
  private rest(): void {
    this.stop?.()
    this.stop = undefined
    this.poll = undefined
    this.noJobFor = new Set()
  }

  private begin(ctx: Context): () => void {
    const own = detached(ctx)
    let soon: NodeJS.Timeout | undefined
    this.poll = () => {
      soon ??= setTimeout(() => {
        soon = undefined
        aside(own.log, this.serveAll(own))
      }, GATHER_MS)
    }
    const unsubscribe = own.bus.subscribe(WAITING_HINT, () => {
      this.noJobFor = new Set()
      this.poll?.()
    })
    const timer = setInterval(() => this.poll?.(), own.config['runners.poll_ms'])
    return () => {
      unsubscribe()
      clearInterval(timer)
      clearTimeout(soon)
    }
  }

  /** One transaction at a time, also when all requests left meanwhile and others came. */
  private async serveAll(ctx: Context): Promise<void> {
    this.isDue = true
    if (this.isPolling) return
    this.isPolling = true
    try {
      while (this.isDue && this.size > 0) {
        this.isDue = false
        if (await this.serve(ctx)) this.isDue = true
      }
    } finally {
      this.isPolling = false
    }
  }

  /** True if a job was handed out, because more may wait. */
  private async serve(ctx: Context): Promise<boolean> {
    if (ctx.clock.refusal() !== undefined) return false
    if (!(await isAnyWaiting(ctx.db))) {
      this.noJobFor = 'all'
      return false
    }
    const asked = new Set([...this.waiting].map(classOf))
    this.served = new Set(this.waiting)
    try {
      const taken = await transact(ctx, (ctx) => this.takeAll(ctx))
      for (const it of taken) it.runner.take(it)
      this.atOnce = Math.min(this.atOnce * 2, TAKEN_AT_ONCE)
      if (taken.length === 0) this.noJobFor = asked
      else await orderStopLostTasks(ctx)
      return taken.length > 0
    } catch (error) {
      if (!(error instanceof LeftMeanwhile)) throw error
      this.atOnce = Math.max(1, Math.floor(this.atOnce / 2))
      return true
    } finally {
      const served = this.served
      this.served = new Set()
      this.promised = new Set()
      for (const it of served) if (this.waiting.has(it) && it.isLate()) it.take(undefined)
    }
  }

  private async takeAll(ctx: TxContext): Promise<TakenTask<Waiting>[]> {
    // The newest first: their clients wait longest from now.
    const open = [...this.served].filter((it) => this.waiting.has(it)).reverse()
    const enabled = await listEnabled(ctx.db, open)
    const free = open.filter(({ id }) => enabled.has(id))
    const taken = await takeJobs(ctx, free, this.atOnce)
    // Rolls back rather than commit a job to a request that has ended.
    if (taken.some(({ runner }) => !this.waiting.has(runner))) throw new LeftMeanwhile()
    this.promised = new Set(taken.map(({ runner }) => runner))
    return taken
  }
}
