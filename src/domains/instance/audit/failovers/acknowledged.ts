/**
 * The last operations that this process acknowledged, in memory: after a failover to a standby that lacked the last commits
 * nothing else knows of them.
 */
import type { Timeline } from '#platform/timeline'
import type { NewRecord } from '../entry/insert.ts'

/** Between one and two times as many are kept, about half a KB each. */
const RECORDS_MAX = 2_500

const lately = new WeakMap<Timeline, { old: NewRecord[]; recent: NewRecord[] }>()

export function noteAcknowledged(timeline: Timeline, record: NewRecord): void {
  const known = lately.get(timeline) ?? { old: [], recent: [] }
  lately.set(timeline, known)
  known.recent.push(record)
  if (known.recent.length < RECORDS_MAX) return
  known.old = known.recent
  known.recent = []
}

/** Forgets them: what follows belongs to the next timeline. */
export function takeAcknowledged(timeline: Timeline): NewRecord[] {
  const { old = [], recent = [] } = lately.get(timeline) ?? {}
  lately.delete(timeline)
  return [...old, ...recent]
}
