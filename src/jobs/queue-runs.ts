/** Keeps the queue running: when one run breaks it is stopped, and another one takes its place. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#platform/context'
import { aside } from '#platform/log'
import type { QueueRun } from './queue-run.ts'

/** PostgreSQL may be away for a while: this is how often we knock. */
const RESTART_PAUSE_MS = 500

export class QueueRuns {
  private readonly ctx: Context
  private readonly startRun: () => Promise<QueueRun>
  /** The last one, and those that broke and have not yet ended. */
  private readonly live = new Set<QueueRun>()
  private readonly stopping = new AbortController()
  private watching = Promise.resolve()

  private constructor(ctx: Context, startRun: () => Promise<QueueRun>) {
    this.ctx = ctx
    this.startRun = startRun
  }

  /** A queue that cannot be reached at the beginning is a mistake of whoever starts us; later, it is bad weather. */
  static async start(ctx: Context, startRun: () => Promise<QueueRun>): Promise<QueueRuns> {
    const runs = new QueueRuns(ctx, startRun)
    const first = await startRun()
    runs.watching = runs.watch(first)
    return runs
  }

  /** Names under which jobs are in our hands. One that has ended is not among them: its jobs are for others. */
  get ids(): string[] {
    return [...this.live].map(({ id }) => id)
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.watching
    await Promise.all([...this.live].map((run) => this.end(run)))
  }

  private async watch(first: QueueRun): Promise<void> {
    const { signal } = this.stopping
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    let run: QueueRun | undefined = first
    while (run !== undefined) {
      this.live.add(run)
      await Promise.race([run.broken, stopped])
      if (signal.aborted) return
      this.ctx.log.warn({ 'job.worker': run.id }, 'queue stopped unexpectedly')
      aside(this.ctx.log, this.end(run))
      run = await this.startAgain(signal)
    }
  }

  private async startAgain(signal: AbortSignal): Promise<QueueRun | undefined> {
    for (;;) {
      await sleep(RESTART_PAUSE_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return undefined
      const run = await this.startRun().catch((error: unknown) => {
        this.ctx.log.warn({ err: error }, 'queue start failed')
      })
      if (run !== undefined) return run
    }
  }

  private async end(run: QueueRun): Promise<void> {
    await run.stop()
    this.live.delete(run)
  }
}
