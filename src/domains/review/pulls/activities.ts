/** Feed entries of pull requests, in addition to those of their issues. */
import { findIssuesById, type IssueEvent } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { type Activity, type Acts, activity, type Operation } from '#slices'

export const pullsActivities: readonly Activity[] = [
  activity('pull.opened', (ctx, event) => act(ctx, event, 'create_pull_request')),
  activity('pull.ready', (ctx, event) => act(ctx, event, 'pull_request_ready_for_review')),
  activity('pull.merged', (ctx, event) =>
    act(ctx, event, event.is_auto ? 'auto_merge_pull_request' : 'merge_pull_request'),
  ),
]

async function act(ctx: Context, event: IssueEvent, op_type: Operation): Promise<Acts> {
  const [issue] = await findIssuesById(ctx.db, [event.issue_id])
  return { ...event, acts: [{ op_type, content: `${event.number}|${issue?.title ?? ''}` }] }
}
