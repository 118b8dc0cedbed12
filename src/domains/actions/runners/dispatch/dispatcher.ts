/**
 * Hands out jobs to the runners that wait on this node. The cost does not depend on the number of runners: the node
 * queries for jobs at intervals and on `WAITING_HINT`, and serves all waiting runners in one transaction.
 */
import { classOf, isAnyWaiting, type TakenTask, takeJobs, WAITING_HINT } from '#domains/actions/runs'
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
  /** Requests with a job in the transaction being committed; they stay open past their timeout. */
  private promised: ReadonlySet<Waiting> = new Set()
  private stop: (() => void) | undefined
  private poll: (() => void) | undefined
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
    const endsAt = performance.now() + ms
    const isLate = () => signal.aborted || performance.now() >= endsAt
    const waiting: Waiting = { ...runner, take: end, isLate }
    const timer = setTimeout(leave, ms)
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
    let isPolling = false
    let isDue = false
    const poll = async () => {
      isDue = true
      if (isPolling) return
      isPolling = true
      try {
        while (isDue && this.size > 0) {
          isDue = false
          if (await this.serve(own)) isDue = true
        }
      } finally {
        isPolling = false
      }
    }
    let soon: NodeJS.Timeout | undefined
    this.poll = () => {
      soon ??= setTimeout(() => {
        soon = undefined
        aside(own.log, poll())
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

  /** True if a job was handed out, because more may wait. */
  private async serve(ctx: Context): Promise<boolean> {
    if (ctx.clock.refusal() !== undefined) return false
    if (!(await isAnyWaiting(ctx.db))) {
      this.noJobFor = 'all'
      return false
    }
    const asked = new Set([...this.waiting].map(classOf))
    try {
      const taken = await transact(ctx, (ctx) => this.takeAll(ctx))
      for (const it of taken) it.runner.take(it)
      if (taken.length === 0) this.noJobFor = asked
      return taken.length > 0
    } catch (error) {
      if (error instanceof LeftMeanwhile) return true
      throw error
    } finally {
      const promised = this.promised
      this.promised = new Set()
      for (const it of promised) if (this.waiting.has(it) && it.isLate()) it.take(undefined)
    }
  }

  private async takeAll(ctx: TxContext): Promise<TakenTask<Waiting>[]> {
    const enabled = await listEnabled(ctx.db, [...this.waiting])
    const free = [...this.waiting].filter(({ id }) => enabled.has(id))
    const taken = await takeJobs(ctx, free)
    // Rolls back rather than commit a job to a request that has ended.
    if (taken.some(({ runner }) => !this.waiting.has(runner))) throw new LeftMeanwhile()
    this.promised = new Set(taken.map(({ runner }) => runner))
    return taken
  }
}
