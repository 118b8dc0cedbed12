/**
 * Needs, parents and queue times of the jobs of a run, for its web page; the REST API does not return them. One
 * query.
 */
import type { Context } from '#platform/context'
import type { ReadableRuns } from '../open.ts'
import type { JobRow } from '../record/tables.ts'

export type JobNeeds = Pick<JobRow, 'id' | 'key' | 'needs' | 'parent_id' | 'queued_at'>

/** Of the newest attempt; the number of jobs is limited by the workflow limits. */
export function listJobNeeds(ctx: Context, repo: ReadableRuns, runId: number): Promise<JobNeeds[]> {
  return ctx.db
    .selectFrom('action_run')
    .innerJoin('action_job', (join) =>
      join
        .onRef('action_job.run_id', '=', 'action_run.id')
        .onRef('action_job.attempt', '=', 'action_run.attempt'),
    )
    .select(['action_job.id', 'action_job.key', 'action_job.needs'])
    .select(['action_job.parent_id', 'action_job.queued_at'])
    .where('action_run.id', '=', runId)
    .where('action_run.repository_id', '=', repo.id)
    .execute()
}
