/**
 * The runners that wait on this node, and how they come by jobs. However many wait, one of them costs nothing: a node asks
 * once in a while whether there is anything to do, and when it was told so; then all of them are served together.
 */
import { classOf, isAnyWaiting, type TakenTask, takeJobs, WAITING_HINT } from '#domains/actions/runs'
import { type Context, type TxContext, transact } from '#platform/context'
import { aside } from '#platform/log'
import { listEnabled } from '../record/store.ts'
import type { RunnerRow } from '../record/tables.ts'
import { Callers } from './callers.ts'
import { Heartbeats } from './heartbeats.ts'

declare module '#platform/context' {
  interface World {
    readonly dispatcher: Dispatcher
  }
}

/** A request that waits for a job. A runner has as many of them as it has room for jobs. */
interface Waiting extends RunnerRow {
  readonly take: (taken: TakenTask | undefined) => void
  /** They have left, or their time is over. */
  readonly isLate: () => boolean
}

/** Somebody who was to be given a job left before it was theirs. */
class LeftMeanwhile extends Error {}

/** Nobody waits for the first of many to be given theirs until all have come. */
const GATHER_MS = 5

export class Dispatcher {
  readonly callers = new Callers()
  readonly heartbeats = new Heartbeats()
  private readonly waiting = new Set<Waiting>()
  /** To whom a job is being committed: they are told of it even if their time is over. */
  private promised: ReadonlySet<Waiting> = new Set()
  private stop: (() => void) | undefined
  private poll: (() => void) | undefined
  /** For whom there was nothing when this node last looked, and nobody said otherwise since: all, or runners like these. */
  private noJobFor: 'all' | ReadonlySet<string> = new Set()

  get size(): number {
    return this.waiting.size
  }

  /** Waits for a job as long as it may; undefined when there is none for this runner. */
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

  /** Where nobody waits nothing is heard and nothing is asked. */
  private rest(): void {
    this.stop?.()
    this.stop = undefined
    this.poll = undefined
    this.noJobFor = new Set()
  }

  private begin({ reopen: _, visitor: __, ...ctx }: Context): () => void {
    // The work is for everybody who waits: it ends with none of them.
    const own: Context = { ...ctx, actor: null, signal: new AbortController().signal }
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

  /** Whether anybody was given a job: then there may be more. */
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
    // Nothing is committed for somebody who cannot be told.
    if (taken.some(({ runner }) => !this.waiting.has(runner))) throw new LeftMeanwhile()
    this.promised = new Set(taken.map(({ runner }) => runner))
    return taken
  }
}
