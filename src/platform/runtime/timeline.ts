/**
 * The timeline of PostgreSQL that this process works on. A standby that is promoted begins another one, and an asynchronous
 * standby may lack the last commits of the one before: then numbers of rows are handed out a second time.
 */
import type { Logger } from '#platform/log'

/** The first eight digits of the name of a WAL file; null on a standby. */
export const TIMELINE = `case when pg_is_in_recovery() then null
  else left(pg_walfile_name(pg_current_wal_lsn()), 8) end`

export class Timeline {
  private readonly log: Logger
  private known: string | undefined
  private changes = 0
  private next = Promise.withResolvers<void>()

  constructor(log: Logger) {
    this.log = log
  }

  /** Grows with every failover that this process notices. A cache that names rows by their ids has it in its keys. */
  get epoch(): number {
    return this.changes
  }

  /** Resolves at the next failover. */
  get changed(): Promise<void> {
    return this.next.promise
  }

  /** What a connection says of itself before anything else is asked on it. */
  see(timeline: string | null | undefined): void {
    if (timeline === null || timeline === undefined || timeline === this.known) return
    if (this.known !== undefined) {
      this.changes += 1
      this.next.resolve()
      this.next = Promise.withResolvers()
      this.log.warn(
        { 'database.timeline': timeline, 'database.timeline_before': this.known },
        'database failover noticed',
      )
    }
    this.known = timeline
  }
}
