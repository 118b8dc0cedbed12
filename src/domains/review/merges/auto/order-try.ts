/** Enqueues the job that tries a scheduled merge. */
import type { TxContext } from '#platform/context'
import { addJobs } from '#platform/queue'

export const AUTO_JOB = 'merges-auto'

export async function orderTry(ctx: TxContext, issueIds: readonly number[]): Promise<void> {
  await addJobs(
    ctx,
    issueIds.map((issue_id) => ({
      kind: AUTO_JOB,
      payload: { issue_id },
      key: `${AUTO_JOB}:${issue_id}`,
      attemptsMax: ctx.config['jobs.attempts_max'],
    })),
  )
}
