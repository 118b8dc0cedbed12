/**
 * The last operations that this process acknowledged, in memory: after a failover to a standby that lacked the last commits
 * nothing else knows of them.
 */
import type { NewRecord } from '../entry/insert.ts'

declare module '#platform/context' {
  interface World {
    readonly acknowledged: Acknowledged
  }
}

/** Between one and two times as many are kept, about half a KB each. */
const RECORDS_MAX = 2_500

export class Acknowledged {
  private old: NewRecord[] = []
  private recent: NewRecord[] = []

  note(record: NewRecord): void {
    this.recent.push(record)
    if (this.recent.length < RECORDS_MAX) return
    this.old = this.recent
    this.recent = []
  }

  /** Forgets them: what follows belongs to the next timeline. */
  take(): NewRecord[] {
    const records = [...this.old, ...this.recent]
    this.old = []
    this.recent = []
    return records
  }
}
