/** The schedule of mirrors: interval, next and last sync. The source URL is kept elsewhere. */

import type { TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import { formatDuration, parseDuration } from '#platform/rest'
import type { RepositoryRow } from '../tables.ts'

export const INTERVAL_DEFAULT_S = 8 * 3_600
const INTERVAL_MIN_S = 600

/** A mirror is read-only; only its sync writes to it. */
export function assertNoMirror(repo: Pick<RepositoryRow, 'is_mirror'>): void {
  if (repo.is_mirror) throw new Problem('locked', 'mirror repository is read-only')
}

/** Seconds, 0 for never; or the reason for a refusal. */
export function readInterval(text: string): number | string {
  const seconds = parseDuration(text)
  if (seconds === undefined) return `«${text}» is not a length of time`
  if (seconds !== 0 && seconds < INTERVAL_MIN_S)
    return `${formatDuration(seconds)} is below the minimum interval of ${formatDuration(INTERVAL_MIN_S)}`
  return seconds
}

/** null for the interval 0. */
export function nextAfter(now: Date, intervalS: number): Date | null {
  return intervalS === 0 ? null : new Date(now.getTime() + intervalS * 1_000)
}

export async function planNextSync(ctx: TxContext, id: number, intervalS: number): Promise<void> {
  await ctx.db
    .updateTable('repository')
    .set({ mirror_next_at: nextAfter(ctx.now(), intervalS) })
    .where('id', '=', id)
    .execute()
}

export async function markSynced(ctx: TxContext, id: number, isChanged: boolean): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .updateTable('repository')
    .set({ mirror_synced_at: now, ...(isChanged ? { mirror_updated_at: now } : {}) })
    .where('id', '=', id)
    .execute()
}
