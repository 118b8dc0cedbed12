/** Objects of the store that no row names any more: deleted by a job, which exists only if that was committed. */
import { isBackupUnderWay } from '#platform/backup'
import type { TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import { addJobs, type JobKind } from '#platform/queue'

const TASK = 'discard_objects'

/**
 * Invariant: the row that named them goes in the same transaction, and no other will: keys are never used again. So it
 * does not matter when they are deleted.
 */
export async function discardObjects(ctx: TxContext, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await addJobs(ctx.db, [{ task: TASK, payload: { keys }, attemptsMax: ctx.config['jobs.attempts_max'] }])
}

export const discardJobs: readonly JobKind[] = [
  {
    name: TASK,
    run: async (ctx, payload) => {
      // It is tried again later.
      if (await isBackupUnderWay(ctx.db)) throw new Problem('unavailable', 'backup is in progress')
      for (const key of (payload as { keys: string[] }).keys) await ctx.store.delete(key)
    },
  },
]
