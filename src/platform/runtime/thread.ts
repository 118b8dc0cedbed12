/**
 * Processes user-written text in its own thread: bounded in time, memory and queue length, in turns by visitor. The event
 * loop of the node is never blocked, whatever the text.
 */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, Worker } from 'node:worker_threads'
import { Problem } from '#platform/problem'
import type { Visitor } from '../visitor.ts'
import { Turns } from './turns.ts'

export interface ThreadLimits {
  /** CPU time of one order: other processes that keep the machine busy do not count. */
  readonly timeMs: number
  readonly memoryMb: number
  /** Queued orders of all visitors; one visitor may have a quarter of them. */
  readonly waitingMax: number
}

/** On whose behalf the thread works: a context has both. Work of the forge itself has no visitor. */
export interface Asker {
  readonly visitor?: Visitor
  readonly signal?: AbortSignal
}

interface Waiting<Order, Said> {
  readonly order: Order
  readonly resolve: (said: Said | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Each thread loads its own modules. */
const RESOLVES_IMPORTS = import.meta.resolve('./resolve-imports.ts')
const STACK_MB = 4
const LINE_PART = 4
const WAIT_MS_MAX = 30_000
const START_MS_MAX = 30_000
/** An order that gets no CPU is aborted after this many times its time. */
const WALL_TIMES = 10
const CHECK_MS_MIN = 20
const RETRY_AFTER_S = 5
const FORGE = { lane: 'machine', key: 'forge' } as const

export class WorkThread<Order, Said> {
  private readonly module: URL
  private readonly limits: ThreadLimits
  private readonly turns = new Turns<Waiting<Order, Said>>()
  private thread: Promise<Worker> | undefined
  private isWorking = false

  /** `module` calls `answerOrders`. */
  constructor(module: URL, limits: ThreadLimits) {
    this.module = module
    this.limits = limits
  }

  /** Undefined when the order exceeded its time or memory: a retry would do so again. */
  async ask(order: Order, { visitor, signal }: Asker): Promise<Said | undefined> {
    const { waitingMax } = this.limits
    const own = visitor === undefined ? 0 : this.turns.waitingOf(visitor)
    if (signal?.aborted || this.turns.waiting >= waitingMax || own >= waitingMax / LINE_PART) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<Said | undefined>()
    const waiting = { order, resolve, reject }
    const giveUp = () => {
      this.turns.drop(visitor ?? FORGE, waiting)
      reject(busy())
    }
    this.turns.add(visitor ?? FORGE, waiting)
    const timer = setTimeout(giveUp, WAIT_MS_MAX)
    signal?.addEventListener('abort', giveUp, { once: true })
    this.workOn()
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    })
  }

  private workOn(): void {
    const turn = this.isWorking ? undefined : this.turns.take()
    if (turn === undefined) return
    const { order, resolve, reject } = turn.work
    const startedAt = performance.now()
    this.isWorking = true
    this.carryOut(order)
      .then(resolve, reject)
      .finally(() => {
        turn.charge(performance.now() - startedAt)
        this.isWorking = false
        this.workOn()
      })
  }

  private async carryOut(order: Order): Promise<Said | undefined> {
    this.thread ??= this.start()
    const over = new AbortController()
    const thread = await this.thread.catch(() => undefined)
    try {
      if (thread === undefined) throw busy()
      const before = await thread.cpuUsage()
      thread.postMessage(order)
      const answer = once(thread, 'message', { signal: over.signal })
      const said = await Promise.race([answer, this.timeUsedUp(thread, before, over.signal)])
      return (said as [Said])[0]
    } catch (error) {
      // The next order gets a new thread.
      this.thread = undefined
      await thread?.terminate()
      if (error instanceof Problem) throw error
      return undefined
    } finally {
      over.abort()
    }
  }

  /** Rejects when the order has used up its time; ignored once there is an answer. */
  private async timeUsedUp(thread: Worker, before: NodeJS.CpuUsage, signal: AbortSignal): Promise<never> {
    const { timeMs } = this.limits
    const startedAt = performance.now()
    for (let leftMs = timeMs; leftMs > 0; ) {
      await pause(Math.max(CHECK_MS_MIN, leftMs), undefined, { signal, ref: false })
      const { user, system } = await thread.cpuUsage(before)
      leftMs = timeMs - (user + system) / 1_000
      if (leftMs > 0 && performance.now() - startedAt > timeMs * WALL_TIMES) throw busy()
    }
    throw new Error('the order used up its time')
  }

  /** Loading the module does not count as the order's time. The thread does not keep the process alive. */
  private async start(): Promise<Worker> {
    const thread = new Worker(this.module, {
      execArgv: [`--import=${RESOLVES_IMPORTS}`],
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memoryMb, stackSizeMb: STACK_MB },
    })
    // An error between two orders has no other listener, and would end the process.
    thread.on('error', () => undefined)
    try {
      await once(thread, 'message', { signal: AbortSignal.timeout(START_MS_MAX) })
    } catch (error) {
      await thread.terminate()
      throw error
    }
    thread.unref()
    return thread
  }
}

/** For the module of a thread: reports that it is ready, and answers each order with one message. */
export function answerOrders<Order, Said>(answer: (order: Order) => Said | Promise<Said>): void {
  parentPort?.on('message', async (order: Order) => parentPort?.postMessage(await answer(order)))
  parentPort?.postMessage('ready')
}

function busy(): Problem {
  return new Problem('unavailable', 'server is busy: queue is full, please try again later', {
    retryAfterS: RETRY_AFTER_S,
  })
}
