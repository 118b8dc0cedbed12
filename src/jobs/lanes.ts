/** The lanes of a worker: open while its node may take work, closed while the clock of its machine is wrong. */
import type { Context } from '#platform/context'
import { aside } from '#platform/log'
import type { Pool } from '#platform/pool'
import { QueueRun } from './queue-run.ts'
import { QueueRuns } from './queue-runs.ts'
import { lanesOf, type Work } from './tasks.ts'

export class Lanes {
  private readonly ctx: Context
  private readonly pool: Pool
  private readonly work: Work
  private open: readonly QueueRuns[] = []
  /** Those that take no more jobs and have some in hand. */
  private readonly closing = new Set<QueueRuns>()
  private isStopped = false
  private following = Promise.resolve()

  constructor(ctx: Context, pool: Pool, work: Work) {
    this.ctx = ctx
    this.pool = pool
    this.work = work
  }

  /** Names under which jobs are in our hands. */
  get ids(): string[] {
    return [...this.open, ...this.closing].flatMap(({ ids }) => ids)
  }

  get areOpen(): boolean {
    return this.open.length > 0
  }

  /** Opens or closes the lanes as the clock says. Jobs in hand go on to their end. */
  follow(): Promise<void> {
    this.following = this.openOrClose()
    return this.following
  }

  async stop(): Promise<void> {
    this.isStopped = true
    // Lanes that are being started are stopped as well.
    await this.following.catch(() => undefined)
    this.close()
    await Promise.all([...this.closing].map((runs) => runs.stop()))
  }

  private async openOrClose(): Promise<void> {
    const mayWork = !this.isStopped && this.ctx.clock.refusal() === undefined
    if (mayWork && !this.areOpen) this.open = await this.start()
    if (!mayWork) this.close()
  }

  private close(): void {
    const lanes = this.open
    this.open = []
    for (const runs of lanes) {
      this.closing.add(runs)
      aside(
        this.ctx.log,
        runs.stop().then(() => void this.closing.delete(runs)),
      )
    }
  }

  /** All of them, or none. */
  private async start(): Promise<QueueRuns[]> {
    const started: QueueRuns[] = []
    try {
      for (const lane of lanesOf(this.ctx, this.work))
        started.push(await QueueRuns.start(this.ctx, () => QueueRun.start(this.ctx, this.pool, lane)))
      return started
    } catch (error) {
      await Promise.all(started.map((runs) => runs.stop()))
      throw error
    }
  }
}
