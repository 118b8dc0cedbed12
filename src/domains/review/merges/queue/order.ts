/** Enqueues the job that advances a queue. Jobs of one repository run serially, because each builds on the last. */
import type { TxContext } from '#platform/context'
import { addJobs } from '#platform/queue'
import type { Queue } from './store.ts'

export const QUEUE_JOB = 'merges-queue'

export async function orderAdvance(ctx: TxContext, queues: readonly Queue[]): Promise<void> {
  await addJobs(
    ctx,
    queues.map(({ repository_id, base_branch }) => ({
      kind: QUEUE_JOB,
      payload: { repository_id, base_branch } satisfies Queue,
      key: `${QUEUE_JOB}:${repository_id}:${base_branch}`,
      group: String(repository_id),
      isSerial: true,
      attemptsMax: ctx.config['jobs.attempts_max'],
    })),
  )
}
