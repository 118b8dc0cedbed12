/** Somebody lets a run go on that waits for approval. */
import { type Context, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { listNewestJobs } from '../cancel/cancel-run.ts'
import { getLockedRun, type WritableRuns } from '../open.ts'
import { changeJobs, orderAdvance } from '../record/change.ts'
import type { RunRow } from '../record/tables.ts'
import { isReady } from '../rerun/copy-jobs.ts'

/** Twice is as good as once. */
export async function approveRun(ctx: Context, { repo, actor }: WritableRuns, id: number): Promise<RunRow> {
  return transact(ctx, async (ctx) => {
    const run = await getLockedRun(ctx, repo, id)
    if (!run.needs_approval) throw new Problem('conflict', 'run does not require approval')
    if (run.approver_id !== null) return run
    await ctx.db
      .updateTable('action_run')
      .set({ approver_id: actor.id, updated_at: ctx.now() })
      .where('id', '=', run.id)
      .execute()
    const { concurrency_group } = await ctx.db
      .selectFrom('action_attempt')
      .select('concurrency_group')
      .where('run_id', '=', run.id)
      .where('attempt', '=', run.attempt)
      .executeTakeFirstOrThrow()
    const ready = (await listNewestJobs(ctx.db, run)).filter(
      (job) => job.status === 'blocked' && isReady(job, concurrency_group),
    )
    // The planner sees to the others: those with needs, conditions or a group.
    await orderAdvance(ctx, run.id)
    return changeJobs(
      ctx,
      { ...run, approver_id: actor.id },
      ready.map((job) => ({ job, set: { status: 'waiting' as const } })),
    )
  })
}
