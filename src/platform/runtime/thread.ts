/** Work that strangers can make long, one after the other in a thread of its own: bounded in time, memory and waiting. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Problem } from '#platform/problem'

export interface ThreadLimits {
  /** For one order. */
  readonly timeMs: number
  readonly memoryMb: number
  readonly waitingMax: number
}

const STACK_MB = 4

export class WorkThread<Order, Said> {
  private readonly module: URL
  private readonly limits: ThreadLimits
  private thread: Worker | undefined
  private last: Promise<unknown> = Promise.resolve()
  private waiting = 0

  /** `module` answers each message with one message. */
  constructor(module: URL, limits: ThreadLimits) {
    this.module = module
    this.limits = limits
  }

  /** Undefined when it took too long, or too much. */
  ask(order: Order): Promise<Said | undefined> {
    if (this.waiting >= this.limits.waitingMax)
      throw new Problem('unavailable', 'server is busy: queue is full, please try again later')
    this.waiting++
    const turn = this.last.then(() => this.askNow(order))
    this.last = turn.catch(() => undefined).finally(() => this.waiting--)
    return turn
  }

  private async askNow(order: Order): Promise<Said | undefined> {
    this.thread ??= this.start()
    const { thread } = this
    const signal = AbortSignal.timeout(this.limits.timeMs)
    try {
      thread.postMessage(order)
      const [said] = (await once(thread, 'message', { signal })) as [Said]
      return said
    } catch {
      // It is of no more use: the next order gets another one.
      this.thread = undefined
      await thread.terminate()
      return undefined
    }
  }

  /** It keeps no process alive. */
  private start(): Worker {
    const thread = new Worker(this.module, {
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memoryMb, stackSizeMb: STACK_MB },
    })
    thread.unref()
    return thread
  }
}
