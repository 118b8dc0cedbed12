/** Samples the queue every second, and waits until it is empty. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queue, QueueState } from './queue.ts'
import type { RatedForge, Usage } from './rated-forge.ts'

const SAMPLE_MS = 1_000
const PROGRESS_SAMPLES = 10
const DRAIN_MS_MAX = 900_000
const DRAIN_POLL_MS = 250

export class QueueWatch implements AsyncDisposable {
  readonly samples: QueueState[] = []
  private readonly watching: Promise<void>
  private readonly over = new AbortController()

  constructor(queue: Queue) {
    this.watching = this.watch(queue)
    // Awaited by the disposal, which reports its failure.
    this.watching.catch(() => undefined)
  }

  get mostWaiting(): number {
    return Math.max(0, ...this.samples.map(({ waiting }) => waiting))
  }

  get oldest(): number {
    return Math.max(0, ...this.samples.map(({ oldest }) => oldest))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.over.abort()
    await this.watching
  }

  private async watch(queue: Queue): Promise<void> {
    const { signal } = this.over
    while (!signal.aborted) {
      const state = await queue.look()
      if (this.samples.push(state) % PROGRESS_SAMPLES === 0)
        console.error(
          `${this.samples.length} s: ${state.waiting} jobs wait, the oldest for ${state.oldest.toFixed(1)} s`,
        )
      await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

export interface Drained {
  readonly seconds: number
  /** Jobs that wait or run after the maximum time of a drain. */
  readonly left: number
  /** Failed at least once, and wait for another attempt or are dead. */
  readonly failed: number
  readonly finished: number
  readonly usage: Usage
}

/** Until nothing is due and nothing runs; then waits for PostgreSQL's statistics of finished jobs. */
export async function drain(forge: RatedForge, statisticsMs: number): Promise<Drained> {
  const { queue } = forge
  const before = { usage: await forge.usage(), finished: await queue.countFinished() }
  const began = performance.now()
  const isLate = () => performance.now() - began > DRAIN_MS_MAX
  let state = await queue.look()
  for (; state.waiting + state.held > 0 && !isLate(); state = await queue.look()) await sleep(DRAIN_POLL_MS)
  const seconds = (performance.now() - began) / 1000
  const usage = subtract(await forge.usage(), before.usage)
  await sleep(statisticsMs)
  const finished = (await queue.countFinished()) - before.finished
  return { seconds, left: state.waiting + state.held, failed: state.failed, finished, usage }
}

export function subtract(after: Usage, before: Usage): Usage {
  return {
    unit: after.unit,
    statements: after.statements - before.statements,
    postgresMs: after.postgresMs - before.postgresMs,
    nodesMs: after.nodesMs - before.nodesMs,
  }
}
