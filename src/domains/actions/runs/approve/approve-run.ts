/** Approves a run that waits for approval. */
import { type Context, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { advanceRun } from '../engine/advance.ts'
import { getLockedRun, getRun, type WritableRuns } from '../open.ts'
import { orderAdvance } from '../record/change.ts'
import type { RunRow } from '../record/tables.ts'

/** Idempotent. */
export async function approveRun(ctx: Context, { repo, actor }: WritableRuns, id: number): Promise<RunRow> {
  await transact(ctx, async (ctx) => {
    const run = await getLockedRun(ctx, repo, id)
    if (!run.needs_approval) throw new Problem('conflict', 'run does not require approval')
    if (run.approver_id !== null) return
    await ctx.db
      .updateTable('action_run')
      .set({ approver_id: actor.id, updated_at: ctx.now() })
      .where('id', '=', run.id)
      .execute()
    await orderAdvance(ctx, run.id)
  })
  // Advance now, so that the answer shows the result; the queued job would do the same.
  await advanceRun(ctx, id)
  return getRun(ctx, repo, id)
}
