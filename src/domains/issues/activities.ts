/** What feeds are told of issues. */
import { type Act, type Activity, activity } from '#slices'
import type { IssueEvent } from './events.ts'
import { findIssue } from './records/store.ts'
import { findEntry } from './timeline/store.ts'

/** Compat: more of a comment is not shown. */
const COMMENT_SHOWN_MAX = 200

/** Pull requests are told of in words of their own. */
function acts(event: IssueEvent, ...acts: readonly Act[]) {
  return { ...event, acts: event.is_pull ? [] : acts }
}

export const issuesActivities: readonly Activity[] = [
  activity('issue.created', async (ctx, event) => {
    const issue = await findIssue(ctx.db, event.repository_id, event.number)
    return acts(event, { op_type: 'create_issue', content: `${event.number}|${issue?.title ?? ''}` })
  }),
  activity('issue.commented', async (ctx, event) => {
    const comment = await findEntry(ctx.db, event.repository_id, event.comment_id)
    const text = comment?.body ?? ''
    const shown = text.length > COMMENT_SHOWN_MAX ? `${text.slice(0, COMMENT_SHOWN_MAX)}…` : text
    return acts(event, { op_type: 'comment_issue', content: `${event.number}|${shown}` })
  }),
  activity('issue.closed', async (_ctx, event) =>
    acts(event, { op_type: 'close_issue', content: `${event.number}|` }),
  ),
  activity('issue.reopened', async (_ctx, event) =>
    acts(event, { op_type: 'reopen_issue', content: `${event.number}|` }),
  ),
]
