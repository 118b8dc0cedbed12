/**
 * Last contact of runners: kept in memory and written every few seconds in one statement for all runners of the node.
 */
import { type Context, transact } from '#platform/context'
import { aside } from '#platform/log'
import { type Heartbeat, updateHeartbeats } from '../record/store.ts'
import type { RunnerRow } from '../record/tables.ts'

const WRITE_MS = 2_000
/** Intervals at which rows are updated: a fraction of the time after which a runner counts as offline or idle. */
const ONLINE_KNOWN_MS = 15_000
const ACTIVE_KNOWN_MS = 3_000

/** A context for work that serves all runners, so that it is not aborted with one of their requests. */
export function detached({ reopen: _, visitor: __, ...ctx }: Context): Context {
  return { ...ctx, actor: null, signal: new AbortController().signal }
}

export class Heartbeats {
  private readonly noted = new Map<number, Heartbeat>()
  private timer: NodeJS.Timeout | undefined

  note(ctx: Context, runner: RunnerRow, isActive: boolean): void {
    const now = ctx.now()
    const isOld = (at: Date | null, ms: number) => at === null || now.getTime() - at.getTime() >= ms
    const isNews =
      isOld(runner.online_at, ONLINE_KNOWN_MS) || (isActive && isOld(runner.active_at, ACTIVE_KNOWN_MS))
    if (!isNews) return
    const active_at = isActive ? now : (this.noted.get(runner.id)?.active_at ?? null)
    this.noted.set(runner.id, { id: runner.id, online_at: now, active_at })
    this.timer ??= setTimeout(() => aside(ctx.log, this.write(detached(ctx))), WRITE_MS).unref()
  }

  /** Discards heartbeats that are not written yet. */
  close(): void {
    clearTimeout(this.timer)
    this.noted.clear()
  }

  /** One write at a time, so that a slow database gets no additional load. */
  private async write(ctx: Context): Promise<void> {
    const all = [...this.noted.values()]
    this.noted.clear()
    try {
      await transact(ctx, (ctx) => updateHeartbeats(ctx.db, all))
    } finally {
      this.timer = undefined
    }
  }
}
