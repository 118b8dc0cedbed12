/** Deletes a run with its attempts, jobs and tasks. */
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { countRunLogs } from '../logs/usage.ts'
import { getLockedRun, type WritableRuns } from '../open.ts'
import type { LockedRun } from '../record/change.ts'
import { isDone } from '../record/status.ts'

export async function deleteRun(ctx: Context, { repo }: WritableRuns, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const run = await getLockedRun(ctx, repo, id)
    if (!isDone(run.status)) throw new Problem('malformed', 'this workflow run is not done')
    await removeRun(ctx, run)
  })
}

/** Its logs and artifacts lose their owner and are swept. */
export async function removeRun(
  ctx: TxContext,
  { id, repository_id }: Pick<LockedRun, 'id' | 'repository_id'>,
): Promise<void> {
  await emit(ctx, 'workflow_run.deleting', { repository_id, run_id: id })
  await countRunLogs(ctx, { id, repository_id })
  await ctx.db.deleteFrom('action_run').where('id', '=', id).execute()
}
