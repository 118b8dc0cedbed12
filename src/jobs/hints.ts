/**
 * A transaction that adds jobs wakes the worker of its own process. When that worker has no free slot, or there is none,
 * NOTIFY wakes the others; many jobs share one notification, outside of their transactions, because PostgreSQL lets only
 * one notifying transaction commit at a time.
 */
import type { Logger } from '#platform/log'
import type { Pool } from '#platform/pool'
import type { HearJob, JobHints } from '#platform/queue'

export const CHANNEL = 'bloomery_job'
const TOGETHER_MS = 25

export class Hints implements JobHints {
  private readonly workers = new Set<HearJob>()
  private others: { readonly pool: Pool; readonly log: Logger } | undefined
  private readonly kinds = new Set<string>()
  private timer: NodeJS.Timeout | undefined

  added(kind: string, waitMs: number): void {
    const isTaken = [...this.workers].map((hear) => hear(kind, waitMs)).includes(true)
    if (isTaken || waitMs > 0 || this.others === undefined) return
    this.kinds.add(kind)
    this.timer ??= setTimeout(() => this.notify(), TOGETHER_MS)
  }

  heardBy(hear: HearJob): () => void {
    this.workers.add(hear)
    return () => void this.workers.delete(hear)
  }

  tellOthers(pool: Pool, log: Logger): void {
    this.others = { pool, log }
  }

  stop(): void {
    this.others = undefined
    clearTimeout(this.timer)
  }

  private notify(): void {
    this.timer = undefined
    const kinds = [...this.kinds]
    this.kinds.clear()
    const statement = `select pg_notify('${CHANNEL}', kind) from unnest($1::text[]) as added (kind)`
    this.others?.pool.query(statement, [kinds]).catch((error: unknown) => {
      this.others?.log.warn({ err: error }, 'other workers could not be notified')
    })
  }
}
