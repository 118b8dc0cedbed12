/** What feeds are told of issues. */

import { cutText } from '#platform/rest'
import { type Act, type Activity, activity } from '#slices'
import type { IssueEvent } from './events.ts'
import { findIssue } from './records/store.ts'
import { findEntry } from './timeline/store.ts'

/** Compat: more of a comment is not shown. */
const COMMENT_COLUMNS_MAX = 200
/** No letter takes more of a text than this; the rest need not be counted. */
const COMMENT_LOOKED_AT_MAX = 1_000
/** Compat: a word is not cut in two, unless it is longer than this. */
const WORD_BYTES_MAX = 15

function cutComment(body: string): string {
  const text = body.slice(0, COMMENT_LOOKED_AT_MAX)
  const cut = cutText(text, COMMENT_COLUMNS_MAX)
  const end = cut === text ? -1 : cut.lastIndexOf(' ')
  return end >= 0 && Buffer.byteLength(cut.slice(end)) < WORD_BYTES_MAX ? `${cut.slice(0, end)}…` : cut
}

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
    const shown = cutComment(comment?.body ?? '')
    return acts(event, {
      op_type: 'comment_issue',
      content: `${event.number}|${shown}`,
      comment_id: event.comment_id,
    })
  }),
  activity('issue.closed', async (_ctx, event) =>
    acts(event, { op_type: 'close_issue', content: `${event.number}|`, comment_id: event.comment_id }),
  ),
  activity('issue.reopened', async (_ctx, event) =>
    acts(event, { op_type: 'reopen_issue', content: `${event.number}|`, comment_id: event.comment_id }),
  ),
]
