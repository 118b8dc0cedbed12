/** Feed entries of issues, and of pull requests where they act as issues. */
import { cutText } from '#platform/rest'
import { type Activity, type Acts, activity } from '#slices'
import type { IssueEvent } from './events.ts'
import { findIssue } from './records/store.ts'
import { findEntry } from './timeline/store.ts'

/** Compat: columns of a comment that are shown. */
const COMMENT_COLUMNS_MAX = 200
/** `COMMENT_COLUMNS_MAX` columns fit in this many characters; the rest is not measured. */
const COMMENT_LOOKED_AT_MAX = 1_000
/** Compat: cut at a space, unless the cut word is longer than this. */
const WORD_BYTES_MAX = 15

function cutComment(body: string): string {
  const text = body.slice(0, COMMENT_LOOKED_AT_MAX)
  const cut = cutText(text, COMMENT_COLUMNS_MAX)
  const end = cut === text ? -1 : cut.lastIndexOf(' ')
  return end >= 0 && Buffer.byteLength(cut.slice(end)) < WORD_BYTES_MAX ? `${cut.slice(0, end)}…` : cut
}

/** Operation names for issues and for pull requests. */
const WORDS = {
  commented: ['comment_issue', 'comment_pull'],
  closed: ['close_issue', 'close_pull_request'],
  reopened: ['reopen_issue', 'reopen_pull_request'],
} as const

function act(
  event: IssueEvent & { readonly comment_id: number },
  [ofIssue, ofPull]: (typeof WORDS)[keyof typeof WORDS],
  text = '',
): Acts {
  const { number, comment_id, is_pull } = event
  const op_type = is_pull ? ofPull : ofIssue
  return { ...event, acts: [{ op_type, content: `${number}|${text}`, comment_id }] }
}

export const issuesActivities: readonly Activity[] = [
  activity('issue.created', async (ctx, event) => {
    // `pull.opened` reports a pull request, once it is complete.
    if (event.is_pull) return { ...event, acts: [] }
    const issue = await findIssue(ctx.db, event.repository_id, event.number)
    return { ...event, acts: [{ op_type: 'create_issue', content: `${event.number}|${issue?.title ?? ''}` }] }
  }),
  activity('issue.commented', async (ctx, event) => {
    const comment = await findEntry(ctx, event.repository_id, event.comment_id)
    return act(event, WORDS.commented, cutComment(comment?.body ?? ''))
  }),
  activity('issue.closed', async (_ctx, event) => act(event, WORDS.closed)),
  activity('issue.reopened', async (_ctx, event) => act(event, WORDS.reopened)),
]
