/**
 * The timeline of PostgreSQL that this process works on. A promoted standby starts a new one, and an asynchronous standby
 * may lack the last commits: then row ids are handed out a second time.
 */
import type { Logger } from '#platform/log'

/** The first eight digits of a WAL file name; null on a standby. */
export const TIMELINE = `case when pg_is_in_recovery() then null
  else left(pg_walfile_name(pg_current_wal_lsn()), 8) end`

export interface Failover {
  readonly before: string
  readonly after: string
}

export class Timeline {
  private readonly log: Logger
  private known: string | undefined
  private changes = 0
  private next = Promise.withResolvers<Failover>()

  constructor(log: Logger) {
    this.log = log
  }

  /** Incremented with every failover that this process notices. Caches keyed by row ids include it in their keys. */
  get epoch(): number {
    return this.changes
  }

  /** Resolves at the next failover. */
  get changed(): Promise<Failover> {
    return this.next.promise
  }

  /** Called with the timeline of every new connection before its first query. */
  see(timeline: string | null | undefined): void {
    if (timeline === null || timeline === undefined || timeline === this.known) return
    if (this.known !== undefined) {
      this.changes += 1
      this.next.resolve({ before: this.known, after: timeline })
      this.next = Promise.withResolvers()
      this.log.warn(
        { 'database.timeline': timeline, 'database.timeline_before': this.known },
        'database failover noticed',
      )
    }
    this.known = timeline
  }
}
