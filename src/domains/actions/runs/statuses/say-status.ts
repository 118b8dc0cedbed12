/** Sets the commit status of a job in the transaction that changes the job. */

import { setStatus } from '#domains/code/statuses'
import type { Events } from '#events'
import type { TxContext } from '#platform/context'
import { pathOfRun } from '../wire/run.ts'
import { contextOf, describeJob, stateOf } from './job-status.ts'

export async function sayStatus(ctx: TxContext, event: Events['workflow_job.changed']): Promise<void> {
  const job = await ctx.db
    .selectFrom('action_job')
    .innerJoin('action_run', 'action_run.id', 'action_job.run_id')
    .innerJoin('repository', 'repository.id', 'action_job.repository_id')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select(['action_job.id', 'action_job.name', 'action_job.status', 'action_job.attempt'])
    .select(['action_job.started_at', 'action_job.stopped_at', 'action_run.attempt as newest'])
    .select(['action_run.workflow', 'action_run.workflow_file', 'action_run.event', 'action_run.head_sha'])
    .select(['repository.name as repository_name', 'account.login'])
    .where('action_job.id', '=', event.job_id)
    .executeTakeFirst()
  // Jobs of older attempts do not change the commit status.
  if (job === undefined || job.attempt !== job.newest) return
  const context = contextOf(job, job)
  if (context === undefined) return
  const repo = { name: job.repository_name, owner: { login: job.login } }
  await setStatus(
    ctx,
    {
      repository_id: event.repository_id,
      oid: job.head_sha,
      context,
      state: stateOf(job.status),
      description: describeJob(job),
      // Compat: without the site URL, which may change.
      target_url: `${pathOfRun(repo, event.run_id)}/jobs/${job.id}`,
    },
    event.actor_id,
  )
}
